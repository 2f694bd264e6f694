package io.manafold.packet;

/** Where the next bytes in a row go in a ring of bytes. */
public final class RingSpace {
    /** There is no room. */
    public static final int FULL = -1;

    private RingSpace() {
    }

    /**
     * A free place for so many bytes. The end never catches up with the start, so that the two are the same only when
     * nothing is in the ring.
     *
     * @param start where the oldest bytes begin
     * @param end where the newest end
     * @return the place, or {@link #FULL}
     */
    public static int find(int capacity, boolean empty, int start, int end, int size) {
        if (empty) {
            return size <= capacity ? 0 : FULL;
        }
        if (end > start) {
            if (size <= capacity - end) {
                return end;
            }
            return size < start ? 0 : FULL;
        }
        return size < start - end ? end : FULL;
    }
}
