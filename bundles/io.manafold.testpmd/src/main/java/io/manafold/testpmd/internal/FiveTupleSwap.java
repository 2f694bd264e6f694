package io.manafold.testpmd.internal;

/** Swaps addresses of Ethernet and IP, and ports of TCP and UDP. Checksums stay right, as sums do not know an order. */
final class FiveTupleSwap extends ForwardStream {
    private final int tag;

    FiveTupleSwap(Route route) {
        super(route);
        tag = SendTag.of(route);
    }

    @Override
    public int turn() {
        int count = receive();
        if (count > 0) {
            Addresses.swapAll(packets, 0, count);
            SendTag.set(packets, count, tag);
            send(packets, 0, count);
        }
        return count;
    }
}
