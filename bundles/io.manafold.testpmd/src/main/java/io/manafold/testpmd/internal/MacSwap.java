package io.manafold.testpmd.internal;

/** Sends packets back to whom they are from: swaps both addresses of Ethernet. */
final class MacSwap extends ForwardStream {
    MacSwap(Route route) {
        super(route);
    }

    @Override
    public int turn() {
        int count = receive();
        if (count > 0) {
            Addresses.swap(packets, 0, count);
            send(packets, 0, count);
        }
        return count;
    }
}
