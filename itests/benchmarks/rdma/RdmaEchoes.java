package io.manafold.benchmark;

import io.manafold.testkit.RcPair;

/**
 * A message goes to the other end and comes back before the next one is sent; both drivers spin on one thread, the
 * adapters are on the link's. Quoted is the half of the median, in which a thread that had to wait for a processor does
 * not show.
 */
final class RdmaEchoes extends MessageEchoes {
    private static final int RECEIVES = 64;
    private static final long PATIENCE = 30_000_000_000L;

    private final int bytes;
    private final RdmaEndpoint left;
    private final RdmaEndpoint right;
    private final RcPair near;
    private final RcPair far;
    private long rings;

    RdmaEchoes(RdmaCase what, RdmaEndpoint left, RdmaEndpoint right) {
        bytes = what.bytes();
        this.left = left;
        this.right = right;
        near = left.pairs.getFirst();
        far = right.pairs.getFirst();
        expect(left, near);
        expect(right, far);
    }

    private void expect(RdmaEndpoint end, RcPair pair) {
        while (pair.waiting() < RECEIVES) {
            pair.receive(RdmaEndpoint.VIRTUAL, end.localKey(), bytes);
        }
        pair.ringReceives();
        rings++;
    }

    @Override
    public void run(long nanos, boolean oneThread) {
        long begin = trips.begin();
        while (trips.now() - begin < nanos && !trips.isFull()) {
            pass(left, near, far, trips.now());
            pass(right, far, near, trips.now());
            trips.end();
            near.poll();
            far.poll();
        }
        trips.close();
        messages += packets();
    }

    private void pass(RdmaEndpoint from, RcPair sender, RcPair receiver, long begin) {
        int before = receiver.received();
        while (!sender.send(RdmaEndpoint.VIRTUAL, from.localKey(), bytes)) {
            sender.poll();
        }
        sender.ring();
        rings++;
        for (int turns = 0; receiver.received() == before; turns++) {
            if (receiver.poll() == 0) {
                Thread.onSpinWait();
            }
            if ((turns & 0xffff) == 0xffff && System.nanoTime() - begin > PATIENCE) {
                throw new IllegalStateException("a message does not arrive");
            }
        }
        if (receiver.waiting() < RECEIVES / 2) {
            expect(receiver == near ? left : right, receiver);
        }
    }

    @Override
    public long[] threads(boolean oneThread) {
        return new long[] {Clock.thread("manafold-link-loop"), Thread.currentThread().threadId()};
    }

    double doorbells() {
        return (rings + near.acknowledgements() + far.acknowledgements()) / (double) messages;
    }
}
