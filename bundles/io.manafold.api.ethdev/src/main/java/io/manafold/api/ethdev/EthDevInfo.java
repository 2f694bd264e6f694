package io.manafold.api.ethdev;

import io.manafold.api.net.MacAddress;

/**
 * What a device is and its limits.
 *
 * @param driver {@code net_mana}, or {@code net_netvsc} over a pair
 * @param address of the function on its bus, UUID of a synthetic device on its own
 * @param port of the function, from 1
 * @param arguments that it was probed with
 * @param firmware of the device, empty if it tells none
 * @param device the network device of the port, empty if there is none
 * @param maxQueues in each direction
 * @param maxDescriptors of a queue
 * @param minRoom bytes that a packet of a receiving queue has room for at least
 * @param maxPieces of memory of a packet to send
 * @param receiveOffloads that there are, bits of {@link Offload}
 * @param sendOffloads that there are, bits of {@link Offload}
 * @param hashFields that can be hashed, bits of {@link RssHash}
 */
public record EthDevInfo(String driver, String address, int port, String arguments, String firmware, MacAddress mac,
        String device, int maxQueues, int minDescriptors, int maxDescriptors, int descriptorAlignment, int minRoom,
        int minMtu, int maxMtu, int maxPieces, int keyBytes, int redirectionSize, long receiveOffloads,
        long sendOffloads, long hashFields) {
}
