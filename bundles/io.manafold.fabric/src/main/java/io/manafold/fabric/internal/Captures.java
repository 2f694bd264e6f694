package io.manafold.fabric.internal;

import io.manafold.api.fabric.CaptureStatus;
import io.manafold.api.fabric.Frames;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.memory.RawMemory;
import io.manafold.packet.Capture;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The captures under way on a link. */
final class Captures {
    private static final int MOST = 8;
    private static final Capture[] NONE = {};

    private final String link;
    private final List<String> jacks;
    private final Counters counters;
    private final List<Capture> all = new ArrayList<>();
    /** What the agent writes to. */
    private Capture[] current = NONE;
    /** The frame that is being copied, on the agent. */
    private Frames frames;
    private int frame;
    private final Capture.Source source = this::copy;

    Captures(String link, List<String> jacks, Counters counters) {
        this.link = link;
        this.jacks = jacks;
        this.counters = counters;
    }

    /** Frames have entered at a jack; on the agent. */
    void take(Jack from, Frames burst, int count) {
        if (current.length == 0) {
            return;
        }
        burst.complete(0, count);
        for (Capture capture : current) {
            try {
                frames = burst;
                for (frame = 0; frame < count; frame++) {
                    capture.offer(from.place, source, burst.length(frame));
                }
                // a fault of the sender's memory comes here, and not where the capture's thread is woken
                RawMemory.settle();
            } catch (InternalError gone) {
                counters.vanished.add(1);
            } finally {
                frames = null;
                capture.wake();
            }
        }
    }

    private void copy(byte[] to, int offset, int count) {
        int copied = 0;
        int pieces = frames.pieces(frame);
        for (int piece = 0; piece < pieces && copied < count; piece++) {
            int part = Math.min(frames.length(frame, piece), count - copied);
            RawMemory.copy(frames.address(frame, piece), to, offset + copied, part);
            copied += part;
        }
    }

    /** What the agent writes to from now on; on the agent. */
    void use(Capture[] captures) {
        current = captures;
    }

    /** Opens a file and begins to listen for frames, which come once {@link #use} was told. */
    synchronized Capture open(Path file, int snap, long count) {
        if (all.size() >= MOST) {
            throw new Refusal(Errno.EBUSY, "Link " + link + " has " + MOST + " captures already; stop one of them.");
        }
        Capture capture = Capture.open("link " + link, link, file, snap, count, jacks);
        all.add(capture);
        return capture;
    }

    /** Takes a capture off the list; it still has to be closed once the agent uses it no more. */
    synchronized Capture remove(Path file) {
        Path wanted = file.toAbsolutePath().normalize();
        for (Capture capture : all) {
            if (capture.file().toAbsolutePath().normalize().equals(wanted)) {
                all.remove(capture);
                return capture;
            }
        }
        throw new Refusal(Errno.ENOENT, "Link " + link + " writes no capture to " + file
                + (all.isEmpty() ? "; there is none under way." : "; captures go to "
                        + String.join(", ", all.stream().map(c -> c.file().toString()).toList()) + "."));
    }

    synchronized Capture[] array() {
        return all.toArray(NONE);
    }

    synchronized List<CaptureStatus> status() {
        return all.stream().map(Capture::status).toList();
    }

    /** Ends all; the agent has ended. */
    void close() {
        Capture[] left;
        synchronized (this) {
            left = array();
            all.clear();
        }
        for (Capture capture : left) {
            capture.close();
        }
    }
}
