package io.manafold.api.ethdev;

import io.manafold.api.net.MacAddress;

/**
 * A port that was looked at.
 *
 * @param address of the function on its bus
 * @param port of the function, from 1; 0 for one that was named by its address, or a function, that is not there
 * @param mac {@code null} if it has no network device to ask
 * @param device the network device of the port, empty if there is none
 * @param owner who has the port at the moment: {@code network stack}, {@code another environment}, or empty
 * @param name of the device that was made, empty if the port was not taken
 * @param why it was not taken, empty if it was
 */
public record ProbedPort(String address, int port, MacAddress mac, String device, String owner, String name,
        String why) {
    public boolean isTaken() {
        return !name.isEmpty();
    }
}
