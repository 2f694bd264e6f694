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
    /** How many files are being opened, each of which has a place. */
    private int opening;
    /** The same as an array, which the agent takes without waiting for anybody. */
    private volatile Capture[] listed = NONE;
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

    /** From now on the agent writes to what is on the list; on the agent. */
    void use() {
        current = listed;
    }

    /**
     * Opens a file, with nothing held, for that may take long, and begins to listen for frames, which come once
     * {@link #use} was told.
     */
    Capture open(Path file, int snap, long count) {
        synchronized (this) {
            if (all.size() + opening >= MOST) {
                throw new Refusal(Errno.EBUSY, "Link " + link + " has " + MOST
                        + " captures already; stop one of them.");
            }
            opening++;
        }
        Capture capture = null;
        try {
            capture = Capture.open("link " + link, link, file, snap, count, jacks);
        } finally {
            opened(capture);
        }
        return capture;
    }

    /** @param capture {@code null} if there is none */
    private synchronized void opened(Capture capture) {
        opening--;
        if (capture != null) {
            all.add(capture);
            list();
        }
    }

    private void list() {
        listed = all.toArray(NONE);
    }

    /** Takes a capture off the list; it still has to be closed once the agent uses it no more. */
    synchronized Capture remove(Path file) {
        Path wanted = file.toAbsolutePath().normalize();
        for (Capture capture : all) {
            if (capture.file().toAbsolutePath().normalize().equals(wanted)) {
                all.remove(capture);
                list();
                return capture;
            }
        }
        throw new Refusal(Errno.ENOENT, "Link " + link + " writes no capture to " + file
                + (all.isEmpty() ? "; there is none under way." : "; captures go to "
                        + String.join(", ", all.stream().map(c -> c.file().toString()).toList()) + "."));
    }

    synchronized List<CaptureStatus> status() {
        return all.stream().map(Capture::status).toList();
    }

    /** Ends all; the agent has ended. */
    void close() {
        Capture[] left;
        synchronized (this) {
            left = all.toArray(NONE);
            all.clear();
            list();
        }
        for (Capture capture : left) {
            capture.close();
        }
    }
}
