package io.manafold.testpmd.internal;

/** Sends packets from the port's own address to its peer's. */
final class Mac extends ForwardStream {
    private final long both;
    private final int rest;
    private final int tag;

    Mac(Route route) {
        super(route);
        both = Addresses.first(route);
        rest = Addresses.rest(route);
        tag = SendTag.of(route);
    }

    @Override
    public int turn() {
        int count = receive();
        if (count > 0) {
            Addresses.set(packets, 0, count, both, rest);
            SendTag.set(packets, count, tag);
            send(packets, 0, count);
        }
        return count;
    }
}
