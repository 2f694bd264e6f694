package io.manafold.benchmark;

/** The same packets by the Ethernet driver, on the same threads. */
final class EthernetPeer implements Peer {
    private final DriverLab lab;
    private final boolean oneThread;

    EthernetPeer(PmdCase what, long warmUp) {
        oneThread = what.oneThread();
        lab = new DriverLab(new DriverCase(oneThread, what.frame(), what.burst()));
        lab.traffic().run(warmUp, oneThread);
    }

    @Override
    public double slice(long millis) {
        DriverTraffic traffic = lab.traffic();
        traffic.run(millis * 1_000_000, oneThread);
        return (oneThread ? traffic.cpuNanos() : traffic.wallNanos()) / (double) traffic.packets();
    }

    @Override
    public void close() {
        lab.close();
    }
}
