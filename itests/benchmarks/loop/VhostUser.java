package io.manafold.benchmark;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A guest's side of a virtual queue in one process, which sends, and the host's side in another, which copies and
 * receives, each with a processor of its own. Nanoseconds are of the clock.
 */
final class VhostUser implements Peer {
    private static final int TRIES = 100;
    private static final int MOMENT = 30;

    private final Testpmd host;
    private final Testpmd guest;

    VhostUser(int frame, int burst, int[] cores, Path folder) throws IOException {
        String socket = folder.resolve("vhost-" + frame + "-" + burst).toString();
        host = new Testpmd("host", "rxonly", new int[] {cores[0], cores[0]}, frame, burst,
                List.of("net_vhost0,iface=" + socket + ",queues=1"));
        try {
            guest = new Testpmd("guest", "txonly", new int[] {cores[1], cores[1]}, frame, burst,
                    List.of("net_virtio_user0,path=" + socket + ",queues=1,queue_size=1024,in_order=1"));
        } catch (IOException | RuntimeException failed) {
            host.close();
            throw failed;
        }
        for (int i = 0; Double.isInfinite(slice(50)); i++) {
            if (i == TRIES) {
                close();
                throw new IllegalStateException("no frame arrives");
            }
        }
    }

    @Override
    public double slice(long millis) {
        host.tell("start");
        guest.tell("start");
        Memif.pause(MOMENT);
        host.received();
        Memif.pause(millis);
        double perSecond = host.received();
        guest.stop();
        host.stop();
        return 1e9 / perSecond;
    }

    @Override
    public void close() {
        guest.close();
        host.close();
    }
}
