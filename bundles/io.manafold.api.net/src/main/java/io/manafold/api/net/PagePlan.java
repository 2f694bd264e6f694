package io.manafold.api.net;

/**
 * How receive buffers of one size lie in pages.
 *
 * @param page bytes of a page: 4096, 16384 or 65536
 * @param order pages in one allocation, as a power of two
 * @param headroom bytes in front of each packet
 * @param data bytes the device may write
 * @param slot bytes from one buffer to the next
 * @param perPage buffers in one allocation
 */
public record PagePlan(ReceivePolicy policy, int mtu, int page, int order, int headroom, int data, int slot,
        int perPage) {
    /** Bytes of one allocation. */
    public int allocation() {
        return page << order;
    }

    /** Several buffers share a page. */
    public boolean isShared() {
        return perPage > 1;
    }

    public double bytesPerPacket() {
        return (double) allocation() / perPage;
    }
}
