package io.manafold.api.rdma;

/** Completions of one {@link CompletionQueue#poll}, filled in place again and again. For one thread. */
public final class Completions {
    /** Of the marks of a packet. */
    public static final int HASHED = 1;
    /** Of the marks of a packet. */
    public static final int HASHED_BY_PORTS = 1 << 1;
    /** Of the marks of a packet. */
    public static final int CHECKED = 1 << 2;
    /** Of the marks of a packet: the id is in the upper 16 bits. */
    public static final int TAGGED = 1 << 3;

    private final long[] ids;
    private final CompletionStatus[] statuses;
    private final CompletionOpcode[] opcodes;
    private final int[] lengths;
    private final int[] immediates;
    private final boolean[] hasImmediate;
    private final int[] numbers;
    private final int[] vendorErrors;
    private final int[] hashes;
    private final int[] marks;
    private int count;

    /** @param capacity how many one poll brings at most */
    public Completions(int capacity) {
        ids = new long[capacity];
        statuses = new CompletionStatus[capacity];
        opcodes = new CompletionOpcode[capacity];
        lengths = new int[capacity];
        immediates = new int[capacity];
        hasImmediate = new boolean[capacity];
        numbers = new int[capacity];
        vendorErrors = new int[capacity];
        hashes = new int[capacity];
        marks = new int[capacity];
    }

    public int capacity() {
        return ids.length;
    }

    /** How many there are. */
    public int count() {
        return count;
    }

    /** What its poster called the work. */
    public long id(int index) {
        return ids[check(index)];
    }

    public CompletionStatus status(int index) {
        return statuses[check(index)];
    }

    /** Says something only of success, as the next ones do. */
    public CompletionOpcode opcode(int index) {
        return opcodes[check(index)];
    }

    /** Bytes of the message. */
    public int length(int index) {
        return lengths[check(index)];
    }

    /** Of a receive: whether the peer has sent an immediate value along. */
    public boolean hasImmediate(int index) {
        return hasImmediate[check(index)];
    }

    public int immediate(int index) {
        return immediates[check(index)];
    }

    /** Of the queue pair. */
    public int queuePair(int index) {
        return numbers[check(index)];
    }

    /** What the device calls an error, 0 if it is none of its. */
    public int vendorError(int index) {
        return vendorErrors[check(index)];
    }

    /** Of a received packet: whether it was hashed to be spread, by {@link #hash}. */
    public boolean isHashed(int index) {
        return (marks[check(index)] & HASHED) != 0;
    }

    /** Of a received packet that was hashed: whether by its ports too. */
    public boolean isHashedByPorts(int index) {
        return (marks[check(index)] & HASHED_BY_PORTS) != 0;
    }

    public int hash(int index) {
        return hashes[check(index)];
    }

    /** Of a received packet: whether the device vouches for its checksums. */
    public boolean isChecked(int index) {
        return (marks[check(index)] & CHECKED) != 0;
    }

    /** Of a received packet: the id of the VLAN whose tag was taken out of it, −1 without one. */
    public int vlan(int index) {
        return (marks[check(index)] & TAGGED) != 0 ? marks[index] >>> 16 : -1;
    }

    private int check(int index) {
        if (index >= count) {
            throw new IndexOutOfBoundsException("there are " + count + " completions, and none at " + index);
        }
        return index;
    }

    // ---- for drivers

    /** Has none. */
    public void clear() {
        count = 0;
    }

    public boolean isFull() {
        return count == ids.length;
    }

    /** Has one more, for which there is room. */
    public void add(long id, int number, CompletionStatus status, CompletionOpcode opcode, int length,
            int vendorError) {
        ids[count] = id;
        numbers[count] = number;
        statuses[count] = status;
        opcodes[count] = opcode;
        lengths[count] = length;
        hasImmediate[count] = false;
        immediates[count] = 0;
        marks[count] = 0;
        vendorErrors[count++] = vendorError;
    }

    /** The last one came with an immediate value. */
    public void immediateOfLast(int value) {
        hasImmediate[count - 1] = true;
        immediates[count - 1] = value;
    }

    /**
     * The last one is a packet.
     *
     * @param packetMarks of the constants here
     */
    public void packetOfLast(int hash, int packetMarks) {
        hashes[count - 1] = hash;
        marks[count - 1] = packetMarks;
    }
}
