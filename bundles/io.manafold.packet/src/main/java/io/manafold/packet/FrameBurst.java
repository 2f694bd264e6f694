package io.manafold.packet;

import io.manafold.api.fabric.Frames;
import org.osgi.annotation.versioning.ConsumerType;

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
    /**
     * A frame's shape: its length in the lower half, then its marks, then how many pieces there are; at the top whether
     * it repeats the addresses before it.
     */
    private static final int MARKS = 32;
    private static final int PIECES = 40;
    private static final long PIECE = 1L << PIECES;
    private static final long REPEATS = Long.MIN_VALUE;
    private static final int MOST_PIECES = 0x7f_ffff;
    private static final long DUE = (long) Frames.ICRC_DUE << MARKS;

    private final long[] shapes;
    /** Where a frame in one piece lies, or the place of the first of several. */
    private final long[] places;
    private int count;

    /** Pieces of those frames that have several. */
    private final long[] addresses;
    private final int[] lengths;
    private int used;
    private final int mostPieces;
    private int pieces;
    private final Sealer sealer;
    private boolean vanishes = true;

    /** Writes the CRC of a frame with the mark {@link Frames#ICRC_DUE}. */
    @ConsumerType
    public interface Sealer {
        void seal(FrameBurst burst, int frame);
    }

    /**
     * @param frames how many it can hold
     * @param pieces how many pieces of memory they can lie in, all together
     */
    public FrameBurst(int frames, int pieces) {
        this(frames, pieces, null);
    }

    /** @param sealer completes frames with the mark {@link Frames#ICRC_DUE}; {@code null} where there are none */
    public FrameBurst(int frames, int pieces, Sealer sealer) {
        this.sealer = sealer;
        shapes = new long[frames];
        places = new long[frames];
        addresses = new long[pieces];
        lengths = new int[pieces];
        mostPieces = pieces;
    }

    /** Forgets all frames. */
    public void clear() {
        count = 0;
        pieces = 0;
        used = 0;
    }

    /** Whether one more frame of so many pieces fits. */
    public boolean hasRoom(int morePieces) {
        return count < shapes.length && morePieces <= mostPieces - pieces;
    }

    /** Adds a frame in one piece. */
    public void addWhole(int frameMarks, long address, int length) {
        int frame = count;
        shapes[frame] = length | (long) frameMarks << MARKS | PIECE;
        places[frame] = address;
        pieces++;
        count = frame + 1;
    }

    /** The frame in one piece added last has the addresses and the type of the one before it. */
    public void repeat() {
        shapes[count - 1] |= REPEATS;
    }

    /** Begins a frame; its pieces are added next. {@code marks} are those of {@link Frames}. */
    public void begin(int frameMarks) {
        shapes[count++] = (long) frameMarks << MARKS;
    }

    /** Adds a piece to the frame begun last. */
    public void add(long address, int length) {
        int frame = count - 1;
        int before = pieces(frame);
        if (before == 0) {
            places[frame] = address;
        } else {
            if (before == 1) {
                addresses[used] = places[frame];
                lengths[used] = length(frame);
                places[frame] = used++;
            }
            addresses[used] = address;
            lengths[used++] = length;
        }
        shapes[frame] += length + PIECE;
        pieces++;
    }

    /** Takes the frame begun last away again. */
    public void drop() {
        int its = pieces(count - 1);
        count--;
        pieces -= its;
        used -= its > 1 ? its : 0;
    }

    /** Adds a frame of another burst; the caller has asked whether there is room. */
    public void addFrom(Frames frames, int frame) {
        frames.complete(frame, frame + 1);
        begin(frames.marks(frame));
        int its = frames.pieces(frame);
        for (int piece = 0; piece < its; piece++) {
            add(frames.address(frame, piece), frames.length(frame, piece));
        }
    }

    /**
     * Whether memory of its frames may vanish, asked of that memory after the last of them was added. It holds until it
     * is said anew; at first it may.
     */
    public void mayVanish(boolean now) {
        vanishes = now;
    }

    @Override
    public boolean mayVanish() {
        return vanishes;
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
        return (int) shapes[frame];
    }

    @Override
    public long whole(int frame) {
        return pieces(frame) == 1 ? places[frame] : 0;
    }

    @Override
    public boolean repeats(int frame) {
        return shapes[frame] < 0;
    }

    @Override
    public long bytes(int from, int to) {
        long[] all = shapes;
        long bytes = 0;
        for (int frame = from; frame < to; frame++) {
            bytes += all[frame] & 0xffff_ffffL;
        }
        return bytes;
    }

    @Override
    public int pieces(int frame) {
        return (int) (shapes[frame] >>> PIECES) & MOST_PIECES;
    }

    @Override
    public long address(int frame, int piece) {
        return pieces(frame) == 1 ? places[frame] : addresses[(int) places[frame] + piece];
    }

    @Override
    public int length(int frame, int piece) {
        return pieces(frame) == 1 ? length(frame) : lengths[(int) places[frame] + piece];
    }

    @Override
    public int marks(int frame) {
        return (int) (shapes[frame] >>> MARKS) & 0xff;
    }

    @Override
    public void complete(int from, int to) {
        if (sealer == null) {
            return;
        }
        for (int frame = from; frame < to; frame++) {
            if ((shapes[frame] & DUE) != 0) {
                sealer.seal(this, frame);
                shapes[frame] &= ~DUE;
            }
        }
    }
}
