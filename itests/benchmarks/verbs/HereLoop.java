package io.manafold.benchmark;

/** The same with the adapters in this process. */
final class HereLoop implements Peer {
    private final VerbsLab lab;
    private final VerbsEchoes echoes;
    private final Pairs.Ours ours;

    HereLoop(RdmaCase what, long warmNanos) throws Exception {
        lab = new VerbsLab(what.here());
        echoes = what.echo() ? lab.echoes() : null;
        ours = echoes != null ? echoes : lab.traffic();
        ours.run(warmNanos, what.here().oneThread());
    }

    @Override
    public double slice(long millis) throws InterruptedException {
        ours.run(millis * 1_000_000, true);
        return ours.wallNanos() / (double) ours.packets();
    }

    @Override
    public boolean isByTheClock() {
        return true;
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
