package io.manafold.memory;

/**
 * How a pool of packets is to be.
 *
 * @param packets how many
 * @param cache how many a thread keeps to itself at most
 * @param room bytes of a packet behind the headroom
 */
public record PacketPlan(String name, int packets, int cache, int room) {
    /** Room for what networks carry by default. */
    public static final int DEFAULT_ROOM = 2048;
}
