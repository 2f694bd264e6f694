package io.manafold.benchmark;

/**
 * The same adapter, driver and traffic in one thread, with RDMA open and idle at the first port: what that costs
 * Ethernet.
 */
final class IdleRdma implements Peer {
    static final String NAME = "rdma-idle";

    private final DriverLab lab;

    IdleRdma(DriverCase what, long warmUpNanos) {
        lab = new DriverLab(what, "idle", "first");
        lab.traffic().run(warmUpNanos, true);
    }

    @Override
    public double slice(long millis) {
        DriverTraffic traffic = lab.traffic();
        traffic.run(millis * 1_000_000, true);
        if (!traffic.isComplete() || !lab.refused().isEmpty()) {
            throw new IllegalStateException(traffic + " " + lab.refused());
        }
        return traffic.cpuNanos() / (double) traffic.packets();
    }

    @Override
    public void close() {
        lab.close();
    }
}
