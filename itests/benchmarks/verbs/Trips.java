package io.manafold.benchmark;

/**
 * What has to be waited for: so many questions on the channel with their answers, and so many messages from end to end.
 */
final class Trips implements Peer {
    private final VerbsLab lab;
    private final VerbsEchoes echoes;
    private final int calls;
    private final int messages;

    Trips(RdmaCase what, int calls, int messages) throws Exception {
        this.calls = calls;
        this.messages = messages;
        lab = new VerbsLab(new RdmaCase(RdmaCase.Kind.PARKED, 64, what.mtu(), 1, false, what.lent()));
        echoes = messages == 0 ? null : lab.echoes();
    }

    @Override
    public double slice(long millis) throws InterruptedException {
        long begin = System.nanoTime();
        long nanos;
        long count = 0;
        do {
            lab.left.verbs.ask();
            count++;
            nanos = System.nanoTime() - begin;
        } while (nanos < millis * 500_000);
        double all = calls * (nanos / (double) count);
        if (messages > 0) {
            echoes.run(millis * 500_000, false);
            all += messages * (echoes.wallNanos() / (double) echoes.packets());
        }
        return all;
    }

    @Override
    public void close() {
        try {
            if (echoes != null) {
                echoes.close();
            }
            lab.close();
        } catch (InterruptedException failed) {
            throw new IllegalStateException(failed);
        }
    }
}
