package io.manafold.benchmark;

/** The same with one queue pair, between slices of many. Nanoseconds are of processor time. */
record OnePair(RdmaTraffic traffic) implements Peer {
    @Override
    public double slice(long millis) throws InterruptedException {
        traffic.run(millis * 1_000_000, true);
        return traffic.cpuNanos() / (double) traffic.packets();
    }

    @Override
    public void close() {
        // the lab closes all
    }
}
