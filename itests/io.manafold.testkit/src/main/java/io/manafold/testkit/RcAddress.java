package io.manafold.testkit;

import io.manafold.api.net.MacAddress;
import io.manafold.gdma.Gid;

/**
 * What one end of a reliable connection tells the other before they are connected.
 *
 * @param number of its queue pair
 * @param psn the number of the first packet that it will send
 */
public record RcAddress(int number, int psn, Gid gid, MacAddress mac) {
}
