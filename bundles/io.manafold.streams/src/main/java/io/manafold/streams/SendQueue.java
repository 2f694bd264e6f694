package io.manafold.streams;

/**
 * Sends of one endpoint in the order of posting: those whose memory is not free yet, of which the transport has taken
 * the first ones. A send is known by its place, which counts up for ever. Its arrays grow to what was needed once, so
 * that thousands of endpoints with little to send take little memory.
 */
public final class SendQueue {
    private static final int FIRST = 8;

    private final int limit;
    private final int mostPieces;
    private long[] tags = new long[FIRST];
    private long[] totals = new long[FIRST];
    private long[] taken = new long[FIRST];
    private long[] postedNanos = new long[FIRST];
    private long[] acceptedNanos = new long[FIRST];
    private long[] lastPieces = new long[FIRST];
    private int[] gathered = new int[FIRST];
    private int[] calls = new int[FIRST];
    private int[] notes = new int[FIRST];
    private HeldRegion[] regions = new HeldRegion[FIRST];
    private long[] offsets = new long[FIRST];
    private int[] lengths = new int[FIRST];
    private long head;
    private long accepted;
    private long tail;
    private long firstPiece;
    private long pieceTail;
    /** The piece that the transport takes next, and how much of it is gone. */
    private long nextPiece;
    private int cut;

    SendQueue(int limit, int mostPieces) {
        this.limit = limit;
        this.mostPieces = mostPieces;
    }

    public int room() {
        return limit - (int) (tail - head);
    }

    int mostPieces() {
        return mostPieces;
    }

    /** How many are not free. */
    public int count() {
        return (int) (tail - head);
    }

    /** The place of the oldest that is not free. */
    public long head() {
        return head;
    }

    /** The place of the oldest that the transport has not taken. */
    public long accepted() {
        return accepted;
    }

    /** The place of the next one that is posted. */
    public long tail() {
        return tail;
    }

    public boolean isAllAccepted() {
        return accepted == tail;
    }

    // ---- posting: pieces first, then what they belong to

    void piece(HeldRegion region, long offset, int length) {
        if (pieceTail - firstPiece == regions.length) {
            growPieces();
        }
        int at = (int) pieceTail++ & regions.length - 1;
        regions[at] = region;
        offsets[at] = offset;
        lengths[at] = length;
    }

    /** Pieces that belong to nothing are given back: a later piece of their send was refused. */
    void forgetPieces() {
        long end = tail == head ? firstPiece : lastPieces[(int) (tail - 1) & tags.length - 1];
        while (pieceTail != end) {
            int at = (int) --pieceTail & regions.length - 1;
            regions[at].giveBack();
            regions[at] = null;
        }
    }

    /** @param note of the endpoint's, kept with it */
    void add(long tag, long total, int note, long nanos) {
        if (tail - head == tags.length) {
            grow();
        }
        int at = (int) tail++ & tags.length - 1;
        tags[at] = tag;
        totals[at] = total;
        taken[at] = 0;
        postedNanos[at] = nanos;
        acceptedNanos[at] = 0;
        lastPieces[at] = pieceTail;
        gathered[at] = 1;
        calls[at] = 0;
        notes[at] = note;
    }

    // ---- what the transport takes next

    /** How many pieces, a begun one included, the transport has not taken. */
    public int pieces() {
        return (int) (pieceTail - nextPiece);
    }

    /** How many pieces of the send that is next are left. */
    public int piecesOfNext() {
        return (int) (lastPieces[(int) accepted & tags.length - 1] - nextPiece);
    }

    public HeldRegion region(int index) {
        return regions[(int) (nextPiece + index) & regions.length - 1];
    }

    /** From the beginning of the region, after what is gone. */
    public long offset(int index) {
        long offset = offsets[(int) (nextPiece + index) & regions.length - 1];
        return index == 0 ? offset + cut : offset;
    }

    public int length(int index) {
        int length = lengths[(int) (nextPiece + index) & regions.length - 1];
        return index == 0 ? length - cut : length;
    }

    /** How many sends begin in so many pieces. */
    public int sendsIn(int pieces) {
        int sends = 0;
        for (long i = accepted; i != tail; i++) {
            long begins = i == accepted ? nextPiece : lastPieces[(int) (i - 1) & tags.length - 1];
            if (begins - nextPiece >= pieces) {
                break;
            }
            sends++;
        }
        return sends;
    }

    /**
     * The transport has taken bytes of the oldest send that it has not taken fully.
     *
     * @return how many of them were that send's
     */
    long take(long bytes) {
        int at = (int) accepted & tags.length - 1;
        long part = Math.min(bytes, totals[at] - taken[at]);
        taken[at] += part;
        long left = part;
        while (left > 0) {
            int piece = (int) nextPiece & regions.length - 1;
            int rest = lengths[piece] - cut;
            if (left < rest) {
                cut += (int) left;
                return part;
            }
            left -= rest;
            nextPiece++;
            cut = 0;
        }
        return part;
    }

    boolean isTaken() {
        int at = (int) accepted & tags.length - 1;
        return taken[at] == totals[at];
    }

    /** The transport takes no more of the oldest one. */
    long accept(long nanos, int gatheredWith, int callsOfIt) {
        int at = (int) accepted & tags.length - 1;
        acceptedNanos[at] = nanos;
        gathered[at] = gatheredWith;
        calls[at] += callsOfIt;
        nextPiece = lastPieces[at];
        cut = 0;
        return accepted++;
    }

    /** Counts calls of the oldest one that is not taken. */
    void called(int more) {
        calls[(int) accepted & tags.length - 1] += more;
    }

    /** Those from this place on, which the transport has not begun, are none any more. */
    void truncate(long first) {
        while (tail > first) {
            tail--;
            forgetPieces();
        }
    }

    // ---- what is kept with one

    public long tag(long place) {
        return tags[(int) place & tags.length - 1];
    }

    public long total(long place) {
        return totals[(int) place & tags.length - 1];
    }

    public long taken(long place) {
        return taken[(int) place & tags.length - 1];
    }

    long postedNanos(long place) {
        return postedNanos[(int) place & tags.length - 1];
    }

    long acceptedNanos(long place) {
        return acceptedNanos[(int) place & tags.length - 1];
    }

    int gathered(long place) {
        return gathered[(int) place & tags.length - 1];
    }

    int calls(long place) {
        return calls[(int) place & tags.length - 1];
    }

    int note(long place) {
        return notes[(int) place & tags.length - 1];
    }

    void note(long place, int note) {
        notes[(int) place & tags.length - 1] = note;
    }

    /** The memory of the oldest one is free. */
    void free() {
        long end = lastPieces[(int) head++ & tags.length - 1];
        while (firstPiece != end) {
            int at = (int) firstPiece++ & regions.length - 1;
            regions[at].giveBack();
            regions[at] = null;
        }
    }

    private void grow() {
        tags = Rings.grown(tags, head);
        totals = Rings.grown(totals, head);
        taken = Rings.grown(taken, head);
        postedNanos = Rings.grown(postedNanos, head);
        acceptedNanos = Rings.grown(acceptedNanos, head);
        lastPieces = Rings.grown(lastPieces, head);
        gathered = Rings.grown(gathered, head);
        calls = Rings.grown(calls, head);
        notes = Rings.grown(notes, head);
    }

    private void growPieces() {
        regions = Rings.grown(regions, firstPiece);
        offsets = Rings.grown(offsets, firstPiece);
        lengths = Rings.grown(lengths, firstPiece);
    }
}
