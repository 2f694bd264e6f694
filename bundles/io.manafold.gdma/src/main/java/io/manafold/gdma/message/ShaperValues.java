package io.manafold.gdma.message;

/**
 * A shaper as messages carry it, complete; numbers mean what they mean in the family of operations on shapers, and 0 is
 * not set.
 *
 * @param scope 1 for the vPort, 2 for a queue, 3 for a node
 * @param id of a queue its number among those of the vPort
 * @param parentScope 0 for none, which is the vPort
 * @param metric 0 for bits a second and bytes of burst, 1 for packets
 */
public record ShaperValues(int scope, int id, int parentScope, int parentId, int metric, int priority, int weight,
        long bwMin, long bwMax, long burst) {
    public static final int NETDEV = 1;
    public static final int QUEUE = 2;
    public static final int NODE = 3;

    /** Bytes of one. */
    static final int SIZE = 56;

    static ShaperValues decode(Message message, int at) {
        return new ShaperValues(message.i32(at), message.i32(at + 0x04), message.i32(at + 0x08),
                message.i32(at + 0x0c), message.i32(at + 0x10), message.i32(at + 0x14), message.i32(at + 0x18),
                message.i64(at + 0x20), message.i64(at + 0x28), message.i64(at + 0x30));
    }

    void encode(Message message, int at) {
        message.put32(at, scope).put32(at + 0x04, id).put32(at + 0x08, parentScope).put32(at + 0x0c, parentId)
                .put32(at + 0x10, metric).put32(at + 0x14, priority).put32(at + 0x18, weight).put32(at + 0x1c, 0)
                .put64(at + 0x20, bwMin).put64(at + 0x28, bwMax).put64(at + 0x30, burst);
    }
}
