package io.manafold.memory;

/**
 * How a pool of packets is to be.
 *
 * @param packets how many
 * @param cache how many a thread keeps to itself at most
 * @param room bytes of a packet behind the headroom
 * @param checked whether it knows who has each packet, so that mistakes are found; it is slow then
 */
public record PacketPlan(String name, int packets, int cache, int room, boolean checked) {
    /** Room for what networks carry by default. */
    public static final int DEFAULT_ROOM = 2048;

    /** One that is not checked. */
    public PacketPlan(String name, int packets, int cache, int room) {
        this(name, packets, cache, room, false);
    }

    /** The same, checked or not. */
    public PacketPlan withChecks(boolean on) {
        return new PacketPlan(name, packets, cache, room, on);
    }
}
