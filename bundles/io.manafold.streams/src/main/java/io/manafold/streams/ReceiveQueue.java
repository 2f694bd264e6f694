package io.manafold.streams;

/**
 * Receives of one endpoint that were posted into ranges, oldest first. A receive is known by its place, which counts up
 * for ever.
 */
public final class ReceiveQueue {
    private static final int FIRST = 4;

    private final int limit;
    private long[] tags = new long[FIRST];
    private HeldRegion[] regions = new HeldRegion[FIRST];
    private long[] offsets = new long[FIRST];
    private int[] lengths = new int[FIRST];
    private int[] notes = new int[FIRST];
    private long[] postedNanos = new long[FIRST];
    private long head;
    private long tail;

    ReceiveQueue(int limit) {
        this.limit = limit;
    }

    public int room() {
        return limit - (int) (tail - head);
    }

    public int count() {
        return (int) (tail - head);
    }

    public boolean isEmpty() {
        return head == tail;
    }

    public long head() {
        return head;
    }

    void add(long tag, HeldRegion region, long offset, int length, int note, long nanos) {
        if (tail - head == tags.length) {
            tags = Rings.grown(tags, head);
            regions = Rings.grown(regions, head);
            offsets = Rings.grown(offsets, head);
            lengths = Rings.grown(lengths, head);
            notes = Rings.grown(notes, head);
            postedNanos = Rings.grown(postedNanos, head);
        }
        int at = (int) tail++ & tags.length - 1;
        tags[at] = tag;
        regions[at] = region;
        offsets[at] = offset;
        lengths[at] = length;
        notes[at] = note;
        postedNanos[at] = nanos;
    }

    /** @param index from the oldest on */
    public HeldRegion region(int index) {
        return regions[(int) (head + index) & tags.length - 1];
    }

    /** From the beginning of the region. */
    public long offset(int index) {
        return offsets[(int) (head + index) & tags.length - 1];
    }

    public int length(int index) {
        return lengths[(int) (head + index) & tags.length - 1];
    }

    long tagOfOldest() {
        return tags[(int) head & tags.length - 1];
    }

    int noteOfOldest() {
        return note(0);
    }

    /** @param index from the oldest on */
    int note(int index) {
        return notes[(int) (head + index) & tags.length - 1];
    }

    long postedNanosOfOldest() {
        return postedNanos[(int) head & tags.length - 1];
    }

    /** The memory of the oldest one is free. */
    void free() {
        int at = (int) head++ & tags.length - 1;
        regions[at].giveBack();
        regions[at] = null;
    }
}
