package io.manafold.fabric.internal;

import io.manafold.api.agent.DutyCycle;
import io.manafold.api.fabric.Frames;
import io.manafold.api.fabric.LinkStatus.QueueStatus;
import io.manafold.api.fabric.Queueing;
import io.manafold.memory.RawMemory;
import io.manafold.packet.FrameBurst;
import io.manafold.packet.PauseFrame;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * The queues of a link that has a rate, one in front of each port: frames are copied there, marked if it has become
 * long, and delivered at the rate. Used by the agent alone, except for {@link #status}.
 */
final class OutputQueues implements Forwarding.Delivery, AutoCloseable {
    private static final int BURST = 64;
    /** The link's own address is not that of any port: locally administered, the jack's number at its end. */
    private static final long OWN_ADDRESS = 0x024d_4600_0000L;

    private final Jack[] jacks;
    private final Core core;
    private final Counters counters;
    private final LongSupplier nanoTime;
    private final OutputQueue[] queues;
    private final RedMarker[] markers;
    private final PauseControl pauses;
    private final Arena arena = Arena.ofShared();
    private final Codepoint codepoint = new Codepoint();
    private final FrameBurst out = new FrameBurst(BURST, BURST);
    private final FrameBurst pause = new FrameBurst(1, 1);
    private final byte[] pauseBytes = new byte[PauseFrame.LENGTH];
    private final long pauseAt;
    private final PauseControl.Teller teller = this::tell;

    /** @param ports how many of the jacks, from the first on, are those of ports, which can be asked to stop */
    OutputQueues(Jack[] jacks, int ports, Queueing queueing, Core core, Counters counters, LongSupplier nanoTime) {
        this.jacks = jacks;
        this.core = core;
        this.counters = counters;
        this.nanoTime = nanoTime;
        queues = new OutputQueue[jacks.length];
        markers = new RedMarker[jacks.length];
        pauses = queueing.pauseClasses() == 0 ? null : new PauseControl(queueing, ports);
        long now = nanoTime.getAsLong();
        int each = OutputQueue.memory(queueing);
        long base = arena.allocate((long) each * jacks.length + PauseFrame.LENGTH, OutputQueue.SHORTEST).address();
        for (int place = 0; place < jacks.length; place++) {
            queues[place] = new OutputQueue(base + (long) each * place, queueing, now);
            markers[place] = queueing.marks() ? new RedMarker(queueing) : null;
        }
        pauseAt = base + (long) each * jacks.length;
    }

    /** The random numbers begin anew. */
    void start(long seed) {
        for (int place = 0; place < markers.length; place++) {
            if (markers[place] != null) {
                // places behind those of the jacks, whose dice are thrown for what enters
                markers[place].start(seed, jacks.length + place);
            }
        }
    }

    @Override
    public void deliver(Jack from, Jack to, Frames frames, int begin, int end) {
        if (!to.isPlugged()) {
            counters.undelivered.add(end - begin);
            return;
        }
        OutputQueue queue = queues[to.place];
        frames.complete(begin, end);
        try {
            int room = 0;
            for (int frame = begin; frame < end; frame++) {
                room += queue.stage(frames, frame) ? 1 : 0;
            }
            // what is kept counts from here on: an error that comes late must not come in the middle of that
            RawMemory.settle();
            queue.drop(end - begin - room);
        } catch (InternalError gone) {
            queue.takeBack();
            counters.vanished.add(end - begin);
            return;
        }
        counters.copied.add(queue.staged());
        keep(from, queue, markers[to.place]);
    }

    private void keep(Jack from, OutputQueue queue, RedMarker marker) {
        long now = nanoTime.getAsLong();
        while (queue.staged() > 0) {
            int owner = from.place * PauseFrame.CLASSES;
            int size = OutputQueue.size(queue.stagedLength());
            if (marker != null || pauses != null) {
                codepoint.look(queue.stagedAddress(), queue.stagedLength());
                owner += codepoint.trafficClass();
                if (marker != null && codepoint.isCapable() && marker.marks(queue.waiting())) {
                    codepoint.mark();
                    queue.mark();
                }
            }
            queue.keep(owner, now);
            if (pauses != null) {
                pauses.arrived(owner, size);
            }
        }
    }

    /** Tells ports to stop or go on, and delivers what has left by now; how many frames that was. */
    int release() {
        long now = nanoTime.getAsLong();
        int released = pauses == null ? 0 : pauses.tell(teller, now);
        for (Jack jack : jacks) {
            OutputQueue queue = queues[jack.place];
            if (!queue.isEmpty()) {
                released += release(jack, queue, now);
            }
        }
        return released;
    }

    private int release(Jack to, OutputQueue queue, long now) {
        queue.fill(out, now);
        int frames = out.count();
        if (frames == 0) {
            return 0;
        }
        try {
            core.deliver(to, to, out, 0, frames);
        } finally {
            for (int i = 0; i < frames; i++) {
                int owner = queue.owner();
                int size = queue.free();
                if (pauses != null) {
                    pauses.left(owner, size);
                }
            }
        }
        return frames;
    }

    /** A port has come, which is asked in this cycle for what the one before it was asked for. */
    void plugged(Jack jack) {
        if (pauses != null) {
            pauses.plugged(jack.place);
        }
    }

    private boolean tell(int place, int stop, int go) {
        Jack jack = jacks[place];
        if (jack.connection == null) {
            return false;
        }
        PauseFrame.write(pauseBytes, 0, OWN_ADDRESS + place, stop, go);
        for (int i = 0; i < PauseFrame.LENGTH; i++) {
            // too rare for a compiler: a copy of all would make objects on its way
            RawMemory.put8(pauseAt + i, pauseBytes[i]);
        }
        pause.clear();
        pause.addWhole(Frames.PAUSE, pauseAt, PauseFrame.LENGTH);
        core.emit(jack, pause);
        return true;
    }

    /** How long until a frame has left or a port has to be told something. */
    long restNanos() {
        long now = nanoTime.getAsLong();
        long rest = pauses == null ? DutyCycle.UNTIL_WOKEN : pauses.restNanos(now);
        for (OutputQueue queue : queues) {
            if (!queue.isEmpty()) {
                rest = Math.min(rest, Math.max(0, queue.due() - now));
            }
        }
        return rest;
    }

    /** Any thread. */
    List<QueueStatus> status() {
        List<QueueStatus> all = new ArrayList<>(jacks.length);
        for (Jack jack : jacks) {
            all.add(queues[jack.place].status(jack.name, pauses == null ? 0 : pauses.sent(jack.place)));
        }
        return all;
    }

    /** To be called when the agent has ended. */
    @Override
    public void close() {
        arena.close();
    }
}
