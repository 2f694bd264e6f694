package io.manafold.benchmark;

import java.io.IOException;
import java.util.List;

/**
 * A device of DPDK that is memory alone, in one thread: a floor, since no byte of a packet is copied. Nanoseconds are
 * of processor time.
 */
final class Vdev implements Peer {
    private final Testpmd testpmd;
    private final boolean first;

    /** @param first whether packets have to be sent before any come */
    Vdev(String device, String mode, int frame, int burst, int[] cores, boolean first) throws IOException {
        this.first = first;
        testpmd = new Testpmd(device.substring(0, device.length() - 1), mode, cores, frame, burst,
                List.of(device + (device.startsWith("net_null") ? ",size=" + frame : "")));
    }

    @Override
    public double slice(long millis) throws IOException {
        long before = testpmd.nanos();
        testpmd.tell(first ? "start tx_first" : "start");
        Memif.pause(millis);
        long packets = testpmd.stop();
        return (testpmd.nanos() - before) / (double) packets;
    }

    @Override
    public void close() {
        testpmd.close();
    }
}
