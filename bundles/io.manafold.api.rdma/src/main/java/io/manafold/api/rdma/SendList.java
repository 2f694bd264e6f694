package io.manafold.api.rdma;

import java.util.Arrays;

/**
 * Requests to be posted with one call, filled in place again and again. For one thread.
 *
 * <pre>{@code
 * list.clear();
 * list.write(7, SendList.SIGNALED, peerAddress, peerKey).piece(region.address(), region.localKey(), 4096);
 * list.send(8, SendList.SIGNALED).piece(region.address() + 4096, region.localKey(), 64);
 * pair.post(list);
 * }</pre>
 */
public final class SendList {
    /** Of the flags: waits for all reads before it. */
    public static final int FENCE = 1;
    /** Of the flags: has a completion; one without completes with the next that has. */
    public static final int SIGNALED = 1 << 1;
    /** Of the flags: the peer shall be woken. */
    public static final int SOLICITED = 1 << 2;
    /** Of the flags: the request carries its data itself, which no device supports. */
    public static final int INLINE = 1 << 3;

    /** Of the flags, of raw packets: the device computes the checksum of the IPv4 header. */
    public static final int IP_CHECKSUM = 1 << 4;
    /**
     * Of the flags, of raw packets: the device puts the tag of a VLAN, which stands for the immediate value, into the
     * packet.
     */
    public static final int TAGGED = 1 << 5;

    private final Pieces pieces;
    private final long[] ids;
    private final SendOpcode[] opcodes;
    private final int[] flags;
    private final long[] remoteAddresses;
    private final int[] remoteKeys;
    private final int[] immediates;
    private int count;
    private int posted;

    /**
     * @param capacity how many requests there can be
     * @param pieceCapacity how many pieces of memory all of them can have together
     */
    public SendList(int capacity, int pieceCapacity) {
        pieces = new Pieces(capacity, pieceCapacity);
        ids = new long[capacity];
        opcodes = new SendOpcode[capacity];
        flags = new int[capacity];
        remoteAddresses = new long[capacity];
        remoteKeys = new int[capacity];
        immediates = new int[capacity];
    }

    /** As many pieces as requests. */
    public SendList(int capacity) {
        this(capacity, capacity);
    }

    /** Has none any more. */
    public SendList clear() {
        count = 0;
        posted = 0;
        pieces.clear();
        return this;
    }

    /** Has one more message; pieces follow, as with all requests. */
    public SendList send(long id, int flag) {
        return add(SendOpcode.SEND, id, flag, 0, 0, 0);
    }

    /** Has one more raw packet, into which the tag of a VLAN is put: priority, drop eligible, id. */
    public SendList sendTagged(long id, int flag, int tag) {
        return add(SendOpcode.SEND, id, flag | TAGGED, 0, 0, tag);
    }

    /** Has one more message, with a value that the peer finds in its completion. */
    public SendList sendWithImmediate(long id, int flag, int immediate) {
        return add(SendOpcode.SEND_WITH_IMM, id, flag, 0, 0, immediate);
    }

    /** Writes into memory of the peer. */
    public SendList write(long id, int flag, long remoteAddress, int remoteKey) {
        return add(SendOpcode.RDMA_WRITE, id, flag, remoteAddress, remoteKey, 0);
    }

    /** Writes into memory of the peer and takes a receive there, with a value. */
    public SendList writeWithImmediate(long id, int flag, long remoteAddress, int remoteKey, int immediate) {
        return add(SendOpcode.RDMA_WRITE_WITH_IMM, id, flag, remoteAddress, remoteKey, immediate);
    }

    /** Reads memory of the peer. */
    public SendList read(long id, int flag, long remoteAddress, int remoteKey) {
        return add(SendOpcode.RDMA_READ, id, flag, remoteAddress, remoteKey, 0);
    }

    /**
     * Has one more request of any kind.
     *
     * @param flag bits of the constants of this class
     * @param remoteAddress of those that name the peer's memory
     * @param immediate of those with one; of {@link SendOpcode#SEND_WITH_INV} the key that the peer loses
     */
    public SendList add(SendOpcode opcode, long id, int flag, long remoteAddress, int remoteKey, int immediate) {
        if (count == ids.length) {
            throw new IndexOutOfBoundsException("the list has its " + count + " requests");
        }
        opcodes[count] = opcode;
        ids[count] = id;
        flags[count] = flag;
        remoteAddresses[count] = remoteAddress;
        remoteKeys[count] = remoteKey;
        immediates[count] = immediate;
        pieces.begin(count++);
        return this;
    }

    /** The request that was added last goes on with this memory. */
    public SendList piece(long address, int key, int length) {
        pieces.add(count, address, key, length);
        return this;
    }

    public int count() {
        return count;
    }

    /** How many of them have been posted. */
    public int posted() {
        return posted;
    }

    @Override
    public String toString() {
        return "requests " + Arrays.toString(Arrays.copyOf(ids, count));
    }

    // ---- for drivers

    public SendOpcode opcode(int index) {
        return opcodes[index];
    }

    public long id(int index) {
        return ids[index];
    }

    public int flags(int index) {
        return flags[index];
    }

    public long remoteAddress(int index) {
        return remoteAddresses[index];
    }

    public int remoteKey(int index) {
        return remoteKeys[index];
    }

    public int immediate(int index) {
        return immediates[index];
    }

    /** Their pieces of memory. */
    public Pieces pieces() {
        return pieces;
    }

    /** So many more have been posted. */
    public void advance(int more) {
        posted += more;
    }
}
