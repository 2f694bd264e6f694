package io.manafold.pmd.internal.process;

/**
 * The rings of a queue in both directions, one behind the other: empty packets for what comes, packets that have come,
 * packets to be sent, packets that are sent.
 */
final class QueueRings {
    static final int BYTES = 4 * IndexRing.BYTES;

    final IndexRing empty;
    final IndexRing come;
    final IndexRing toSend;
    final IndexRing sent;

    QueueRings(long at) {
        empty = new IndexRing(at);
        come = new IndexRing(at + IndexRing.BYTES);
        toSend = new IndexRing(at + 2L * IndexRing.BYTES);
        sent = new IndexRing(at + 3L * IndexRing.BYTES);
    }

    boolean isBroken() {
        return empty.isBroken() || come.isBroken() || toSend.isBroken() || sent.isBroken();
    }
}
