package io.manafold.testpmd.internal;

/** Swaps addresses of Ethernet and IP, and ports of TCP and UDP. Checksums stay right, as sums do not know an order. */
final class FiveTupleSwap extends ForwardStream {
    FiveTupleSwap(Route route) {
        super(route);
    }

    @Override
    public int turn() {
        int count = receive();
        if (count > 0) {
            Addresses.swapAll(packets, 0, count);
            send(packets, 0, count);
        }
        return count;
    }
}
