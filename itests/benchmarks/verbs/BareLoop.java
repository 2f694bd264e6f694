package io.manafold.benchmark;

import java.util.List;

/**
 * The same by bare drivers on two adapters of their own, as {@link RdmaLoop} measures it: nothing of our driver is
 * above the rings.
 */
final class BareLoop implements Peer {
    private final RdmaLab lab;
    private final RdmaCase what;
    private final Pairs.Ours bare;

    BareLoop(RdmaCase what, long warmNanos) throws InterruptedException {
        this.what = what;
        lab = new RdmaLab(what, 1);
        bare = what.echo() ? lab.echoes() : lab.traffic(0, 1);
        bare.run(warmNanos, what.oneThread());
    }

    @Override
    public double slice(long millis) throws InterruptedException {
        bare.run(millis * 1_000_000, what.oneThread());
        return bare.cpuNanos() / (double) bare.packets();
    }

    @Override
    public void close() {
        List<Object> wrong = lab.wrong(bare instanceof RdmaTraffic traffic ? traffic.moved() : what.bytes());
        try {
            lab.close();
        } catch (InterruptedException failed) {
            throw new IllegalStateException(failed);
        }
        if (!wrong.isEmpty()) {
            throw new IllegalStateException("the bare loop, " + what + ": " + wrong);
        }
    }
}
