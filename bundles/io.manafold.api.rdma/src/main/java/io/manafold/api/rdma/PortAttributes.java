package io.manafold.api.rdma;

/**
 * How a port is.
 *
 * @param device the network device of the port
 * @param isActive whether packets go out: the network device is up and has a carrier
 * @param maxMtu the largest path MTU of the device
 * @param activeMtu the largest path MTU that the network device's allows
 * @param gids how many addresses the port can have
 * @param speed in bits per second, 0 if unknown
 */
public record PortAttributes(String device, boolean isActive, int maxMtu, int activeMtu, int gids, long speed) {
}
