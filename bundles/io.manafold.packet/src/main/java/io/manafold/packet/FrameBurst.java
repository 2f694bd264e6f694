package io.manafold.packet;

import io.manafold.api.fabric.Frames;

/**
 * Frames by reference, to be filled, passed on, and used again. Never allocates after its making; for one thread.
 *
 * <pre>{@code
 * burst.clear();
 * if (burst.hasRoom(2)) {
 *     burst.begin(0);
 *     burst.add(headers, 54);
 *     burst.add(payload, 1446);
 * }
 * wire.send(burst);
 * }</pre>
 */
public final class FrameBurst implements Frames {
    private final int[] first;
    private final int[] lengths;
    private final int[] marks;
    private final long[] addresses;
    private final int[] pieceLengths;
    private int count;
    private int pieces;

    /**
     * @param frames how many it can hold
     * @param pieces how many pieces of memory they can lie in, all together
     */
    public FrameBurst(int frames, int pieces) {
        first = new int[frames + 1];
        lengths = new int[frames];
        marks = new int[frames];
        addresses = new long[pieces];
        pieceLengths = new int[pieces];
    }

    /** Forgets all frames. */
    public void clear() {
        count = 0;
        pieces = 0;
    }

    /** Whether one more frame of so many pieces fits. */
    public boolean hasRoom(int morePieces) {
        return count < lengths.length && morePieces <= addresses.length - pieces;
    }

    /** Begins a frame; its pieces are added next. {@code marks} are those of {@link Frames}. */
    public void begin(int frameMarks) {
        first[count] = pieces;
        lengths[count] = 0;
        marks[count] = frameMarks;
        count++;
        first[count] = pieces;
    }

    /** Adds a piece to the frame begun last. */
    public void add(long address, int length) {
        addresses[pieces] = address;
        pieceLengths[pieces] = length;
        pieces++;
        lengths[count - 1] += length;
        first[count] = pieces;
    }

    /** Takes the frame begun last away again. */
    public void drop() {
        count--;
        pieces = first[count];
    }

    /** Adds a frame of somebody else's burst; the caller has asked whether there is room. */
    public void addFrom(Frames frames, int frame) {
        begin(frames.marks(frame));
        int its = frames.pieces(frame);
        for (int piece = 0; piece < its; piece++) {
            add(frames.address(frame, piece), frames.length(frame, piece));
        }
    }

    public boolean isEmpty() {
        return count == 0;
    }

    @Override
    public int count() {
        return count;
    }

    @Override
    public int length(int frame) {
        return lengths[frame];
    }

    @Override
    public int pieces(int frame) {
        return first[frame + 1] - first[frame];
    }

    @Override
    public long address(int frame, int piece) {
        return addresses[first[frame] + piece];
    }

    @Override
    public int length(int frame, int piece) {
        return pieceLengths[first[frame] + piece];
    }

    @Override
    public int marks(int frame) {
        return marks[frame];
    }
}
