package io.manafold.fabric.internal;

import io.manafold.api.fabric.Frames;
import io.manafold.api.fabric.Plug;
import io.manafold.api.fabric.Wire;
import io.manafold.linux.EventFd;
import io.manafold.linux.InterfaceControl;
import io.manafold.linux.Linux;
import io.manafold.linux.Poll;
import io.manafold.linux.SystemCallException;
import io.manafold.memory.RawMemory;
import io.manafold.packet.FrameBurst;
import io.manafold.packet.FrameRing;
import io.manafold.packet.PauseFrame;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The host's interface as the far end of a cable: a plug as every other one. A thread of its own waits for frames of
 * the host and reads them into a ring, from where the agent sends them; what arrives, the agent writes.
 */
final class HostEnd implements Plug, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HostEnd.class);
    private static final int BURST = 64;
    private static final int SHORTEST = 14;
    /** What a port takes at most, and a tag. */
    private static final int LONGEST = 9018;
    private static final long FULL_NANOS = 100_000;
    private static final long TROUBLE_NANOS = 100_000_000;
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final String name;
    private final HostDevice device;
    private final FrameRing ring;
    private final FrameBurst burst = new FrameBurst(BURST, BURST);
    private final Arena arena;
    private final long scratch;
    private final Counter refused = new Counter();
    private final Counter overlong = new Counter();
    private final Counter filtered = new Counter();
    private final Counter vanished = new Counter();
    private final EventFd stop;
    private final Thread thread;
    private volatile Wire wire;
    private volatile boolean closing;
    private volatile String problem;

    private HostEnd(String name, HostDevice device, EventFd stop, FrameRing ring, Arena arena) {
        this.name = name;
        this.device = device;
        this.stop = stop;
        this.ring = ring;
        this.arena = arena;
        scratch = arena.allocate(FrameRing.LONGEST, Long.BYTES).address();
        thread = new Thread(null, this::read, "manafold-host-" + name, 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(null);
    }

    /** Opens the host's interface that a plan names. */
    static HostEnd open(LinkPlan plan) {
        HostDevice device = HostDevice.open(plan);
        Arena arena = Arena.ofShared();
        EventFd stop = null;
        FrameRing ring = null;
        try {
            stop = EventFd.create();
            ring = new FrameRing();
            return new HostEnd(plan.hostInterface(), device, stop, ring, arena);
        } catch (SystemCallException failed) {
            giveBack(device, arena, stop, ring);
            throw HostDevice.refusal(plan, failed);
        } catch (RuntimeException | Error failed) {
            giveBack(device, arena, stop, ring);
            throw failed;
        }
    }

    /** What an end that did not come about has taken. */
    private static void giveBack(HostDevice device, Arena arena, EventFd stop, FrameRing ring) {
        device.close();
        arena.close();
        if (stop != null) {
            stop.close();
        }
        if (ring != null) {
            ring.close();
        }
    }

    void start(Wire ownWire) {
        wire = ownWire;
        thread.start();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int doWork() {
        Wire to = wire;
        if (to == null) {
            return 0;
        }
        ring.fill(burst);
        int frames = burst.count();
        if (frames > 0) {
            try {
                to.send(burst);
            } finally {
                ring.free(frames);
            }
        }
        return frames;
    }

    @Override
    public void receive(Frames frames, int from, int to) {
        for (int frame = from; frame < to; frame++) {
            int length = frames.length(frame);
            if (length < SHORTEST || length > FrameRing.LONGEST) {
                refused.add(1);
                continue;
            }
            try {
                Pieces.copy(frames, frame, scratch, length);
            } catch (InternalError gone) {
                vanished.add(1);
                continue;
            }
            if (RawMemory.getBig64(scratch) >>> 16 == PauseFrame.DESTINATION
                    && (frames.marks(frame) & Frames.PAUSE) == 0) {
                // its sender may have made it one after the link had looked at it
                filtered.add(1);
                continue;
            }
            if (device.write(scratch, length) < 0) {
                refused.add(1);
            }
        }
    }

    private void read() {
        Poll poll = new Poll(2);
        int there = poll.add(device.descriptor(), Poll.READABLE);
        poll.add(stop.descriptor(), Poll.READABLE);
        try {
            while (!closing) {
                long at = ring.reserve();
                if (at == 0) {
                    // what comes meanwhile waits in the host's own queue, or is dropped and counted there
                    LockSupport.parkNanos(this, FULL_NANOS);
                    continue;
                }
                int length = device.read(at, FrameRing.LONGEST);
                if (length > LONGEST) {
                    overlong.add(1);
                } else if (length > 0) {
                    ring.commit(length);
                    wire.wake();
                    if (problem != null) {
                        problem = null;
                    }
                } else if (length == -Linux.WOULD_BLOCK) {
                    await(poll, there);
                } else {
                    problem(new SystemCallException("read", -length));
                }
            }
        } catch (SystemCallException | RuntimeException | Error mistake) {
            LOG.error("nothing is read from the host's interface {} any more", name, mistake);
            problem = "Nothing is read from the host's interface " + name + " any more: " + mistake
                    + "; take the link down and up.";
        }
    }

    private void await(Poll poll, int there) throws SystemCallException {
        poll.await(-1);
        int ready = poll.ready(there);
        if (ready != 0 && (ready & Poll.READABLE) == 0) {
            LockSupport.parkNanos(this, TROUBLE_NANOS);
        }
    }

    private void problem(SystemCallException failed) {
        problem = "The host's interface " + name + " gives nothing, " + failed.getMessage()
                + "; it is tried again until it does. If it was removed, take the link down and up.";
        LockSupport.parkNanos(this, TROUBLE_NANOS);
    }

    void list(Map<String, Long> counters) {
        counters.put("host.refused", refused.get());
        counters.put("host.overlong", overlong.get());
        counters.merge("filtered", filtered.get(), Long::sum);
        counters.merge("vanished", vanished.get(), Long::sum);
    }

    void problems(List<String> into) {
        String now = problem;
        if (now != null) {
            into.add(now);
        }
        try {
            if (!InterfaceControl.isUp(name)) {
                into.add("The host's interface " + name + " is down; an administrator sets it up: ip link set " + name
                        + " up.");
            }
        } catch (SystemCallException elsewhere) {
            // it may have been moved to another network namespace, where it is no business of this link
            LOG.debug("nothing is known of the host's interface {}", name, elsewhere);
        }
        if (overlong.get() > 0) {
            into.add("The host sent " + overlong.get() + " frames of more than " + LONGEST + " bytes on " + name
                    + ", which no port takes; let the host cut them: ethtool -K " + name + " gro off gso off tso off.");
        }
    }

    /** Reads no more; what is written is still written. */
    @Override
    public void close() {
        closing = true;
        stop.signal();
        LockSupport.unpark(thread);
        if (thread.getState() == Thread.State.NEW) {
            return;
        }
        boolean interrupted = false;
        while (true) {
            try {
                if (!thread.join(PATIENCE)) {
                    LOG.error("the thread that reads from the host's interface {} has not ended", name);
                }
                break;
            } catch (InterruptedException later) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Gives the interface back; a write that comes later fails, and does no harm. */
    void leave() {
        device.close();
        stop.close();
    }

    /** Gives the memory back; the agent has ended. */
    void free() {
        if (!thread.isAlive()) {
            ring.close();
            arena.close();
        }
    }
}
