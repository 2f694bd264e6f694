package io.manafold.memory;

/**
 * Whole pages of memory.
 *
 * @param pointer where the driver finds them
 * @param dma where the function finds them
 */
public record DmaPiece(long pointer, long dma, long bytes) {
    /** Some of its pages. */
    public DmaPiece part(long offset, long length) {
        return new DmaPiece(pointer + offset, dma + offset, length);
    }

    /** The pages as a function counts them. */
    public long[] pages() {
        long[] pages = new long[Math.toIntExact(bytes / RawMemory.PAGE)];
        for (int i = 0; i < pages.length; i++) {
            pages[i] = dma + (long) i * RawMemory.PAGE;
        }
        return pages;
    }
}
