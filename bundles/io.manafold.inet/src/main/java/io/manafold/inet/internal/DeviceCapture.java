package io.manafold.inet.internal;

import io.manafold.api.fabric.CaptureStatus;
import io.manafold.api.net.NetDevice;
import io.manafold.api.net.PacketBuffer;
import io.manafold.packet.Capture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What passes one device, on its way to a file. */
final class DeviceCapture {
    private static final Logger LOG = LoggerFactory.getLogger(DeviceCapture.class);

    private final String device;
    private final Path file;
    private final Capture capture;
    private NetDevice watched;
    private AutoCloseable watch;

    DeviceCapture(String device, Path file, int snap, long count) {
        this.device = device;
        this.file = file;
        capture = Capture.open(device, device, file, snap, count, List.of(device));
    }

    String device() {
        return device;
    }

    CaptureStatus status() {
        return capture.status();
    }

    synchronized void watch(NetDevice at) {
        if (watched == at) {
            return;
        }
        unwatch();
        watch = at.watch(new Watcher(capture)::packet);
        watched = at;
    }

    synchronized void leave(NetDevice gone) {
        if (watched == gone) {
            unwatch();
        }
    }

    private void unwatch() {
        AutoCloseable last = watch;
        watch = null;
        watched = null;
        if (last != null) {
            try {
                last.close();
            } catch (Exception mistake) {
                LOG.warn("{} does not let go of a capture", device, mistake);
            }
        }
    }

    /** The file is complete on return. */
    void close() {
        synchronized (this) {
            unwatch();
        }
        capture.close();
    }

    /** It never began. */
    void discard() {
        close();
        try {
            Files.deleteIfExists(file);
        } catch (IOException left) {
            LOG.debug("the empty capture {} is left behind", file, left);
        }
    }

    /** Sees the packets of one device, on that device's thread: two devices of a name never share one. */
    private static final class Watcher {
        private final Capture capture;
        private final Capture.Source source = this::copy;
        private PacketBuffer packet;

        Watcher(Capture capture) {
            this.capture = capture;
        }

        void packet(PacketBuffer passing, boolean incoming) {
            packet = passing;
            capture.offer(0, source, passing.length());
            packet = null;
            capture.wake();
        }

        private void copy(byte[] to, int offset, int count) {
            packet.get(0, to, offset, count);
        }
    }
}
