package io.manafold.testpmd.internal;

/** Sends packets as they have come. */
final class Io extends ForwardStream {
    Io(Route route) {
        super(route);
    }

    @Override
    public int turn() {
        int count = receive();
        if (count > 0) {
            send(packets, 0, count);
        }
        return count;
    }
}
