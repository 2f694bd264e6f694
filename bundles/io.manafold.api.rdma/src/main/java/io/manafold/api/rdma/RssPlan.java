package io.manafold.api.rdma;

import java.util.List;

/**
 * How packets are spread to receive work queues: by the Toeplitz hash of their addresses and ports, and what cannot be
 * hashed to the first queue.
 *
 * @param table the queue of each bucket: a power of two of them, a queue as often as wanted
 * @param key 40 bytes
 * @param fields that are hashed, of the constants here; 0 spreads nothing
 */
public record RssPlan(List<ReceiveWorkQueue> table, byte[] key, int fields) {
    /** Bits of {@link #fields}, as verbs number them. */
    public static final int SOURCE_IPV4 = 1;
    public static final int DESTINATION_IPV4 = 1 << 1;
    public static final int SOURCE_IPV6 = 1 << 2;
    public static final int DESTINATION_IPV6 = 1 << 3;
    public static final int SOURCE_PORT_TCP = 1 << 4;
    public static final int DESTINATION_PORT_TCP = 1 << 5;
    public static final int SOURCE_PORT_UDP = 1 << 6;
    public static final int DESTINATION_PORT_UDP = 1 << 7;
    /** All of them: a packet of TCP or UDP is hashed by addresses and ports, another one of IP by its addresses. */
    public static final int ALL = (1 << 8) - 1;

    public RssPlan {
        table = List.copyOf(table);
        key = key.clone();
    }

    /** A copy. */
    @Override
    public byte[] key() {
        return key.clone();
    }
}
