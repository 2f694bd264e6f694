package io.manafold.testpmd.internal;

/** Sends packets back to whom they are from: swaps both addresses of Ethernet. */
final class MacSwap extends ForwardStream {
    private final int tag;

    MacSwap(Route route) {
        super(route);
        tag = SendTag.of(route);
    }

    @Override
    public int turn() {
        int count = receive();
        if (count > 0) {
            Addresses.swap(packets, 0, count);
            SendTag.set(packets, count, tag);
            send(packets, 0, count);
        }
        return count;
    }
}
