package io.manafold.netdev;

import io.manafold.api.net.PacketBuffer;
import io.manafold.api.net.PacketWatcher;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.Arrays;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Those who see packets of a device. They come and go on any thread. */
public final class PacketWatchers {
    private static final Logger LOG = LoggerFactory.getLogger(PacketWatchers.class);
    private static final int MOST = 4;

    private volatile PacketWatcher[] all = {};

    /** Adds one; what is returned takes it away. */
    public synchronized AutoCloseable add(String device, PacketWatcher watcher) {
        if (all.length == MOST) {
            throw new Refusal(Errno.EBUSY, device + " is watched by " + MOST + " already; end one of the captures.");
        }
        PacketWatcher[] more = Arrays.copyOf(all, all.length + 1);
        more[all.length] = watcher;
        all = more;
        return () -> remove(watcher);
    }

    private synchronized void remove(PacketWatcher watcher) {
        PacketWatcher[] now = all;
        for (int i = 0; i < now.length; i++) {
            if (now[i] == watcher) {
                PacketWatcher[] fewer = Arrays.copyOf(now, now.length - 1);
                System.arraycopy(now, i + 1, fewer, i, fewer.length - i);
                all = fewer;
                return;
            }
        }
    }

    public boolean isEmpty() {
        return all.length == 0;
    }

    /** On the device's thread. A watcher that throws is not asked again. */
    public void show(PacketBuffer packet, boolean incoming) {
        PacketWatcher[] now = all;
        for (PacketWatcher watcher : now) {
            try {
                watcher.packet(packet, incoming);
            } catch (Throwable mistake) {
                remove(watcher);
                Complaint.log(LOG, "a watcher, which is taken off,", mistake);
            }
        }
    }
}
