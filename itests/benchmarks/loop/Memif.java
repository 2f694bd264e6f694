package io.manafold.benchmark;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Two ends of a shared-memory interface in one thread, which sends on one what it has received on the other: a packet
 * is copied into shared memory and out of it. Nanoseconds are of processor time.
 */
final class Memif implements Peer {
    private static final int TRIES = 100;

    private final Testpmd testpmd;

    Memif(int frame, int burst, int[] cores, Path folder) throws IOException {
        String both = ",id=0,socket=" + folder.resolve("memif-" + frame + "-" + burst)
                + ",socket-abstract=no,rsize=10,bsize=2048";
        testpmd = new Testpmd("memif", "io", cores, frame, burst,
                List.of("net_memif0,role=server" + both, "net_memif1,role=client" + both));
        // frames that are sent before the two ends have found each other are lost
        long packets = 0;
        for (int i = 0; packets == 0; i++) {
            if (i == TRIES) {
                close();
                throw new IllegalStateException("no frame arrives");
            }
            testpmd.tell("start tx_first");
            pause(50);
            packets = testpmd.stop();
        }
    }

    @Override
    public double slice(long millis) throws IOException {
        long before = testpmd.nanos();
        testpmd.tell("start");
        pause(millis);
        long packets = testpmd.stop();
        return (testpmd.nanos() - before) / (double) packets;
    }

    static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException hurried) {
            throw new IllegalStateException(hurried);
        }
    }

    @Override
    public void close() {
        testpmd.close();
    }
}
