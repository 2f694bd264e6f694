package io.manafold.packet;

import io.manafold.api.fabric.CaptureStatus;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.osgi.annotation.versioning.ConsumerType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Frames on their way to a file. An agent puts copies into a ring and never waits; a thread of its own writes them.
 * What finds no room in the ring is counted as missed. With as many frames as were asked for the file is completed;
 * when writing fails, it ends after its last whole frame.
 */
public final class Capture implements AutoCloseable {
    /** A frame whose bytes can be copied out of wherever they lie. */
    @ConsumerType
    @FunctionalInterface
    public interface Source {
        /** Copies the frame's first bytes. */
        void copy(byte[] to, int offset, int count);
    }

    private static final Logger LOG = LoggerFactory.getLogger(Capture.class);
    private static final int SMALLEST = 14;
    private static final int LARGEST = 262_144;
    private static final int BUFFER = 256 << 10;
    private static final int AWAKE = 0;
    private static final int RESTING = 1;
    /** Between two looks at a busy ring, so that the agent hardly ever has to wake the writer. */
    private static final long PAUSE_NANOS = 1_000_000;
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Capture.class, "state", int.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final String where;
    private final String link;
    private final Path file;
    private final int snap;
    private final long count;
    private final FileChannel channel;
    private final PcapngWriter writer;
    private final CaptureRing ring = new CaptureRing();
    /** All that entered, and what of it found no room; both counted by the agent. */
    private final AtomicLong offered = new AtomicLong();
    private final AtomicLong missed = new AtomicLong();
    private final AtomicLong frames = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private final CaptureRing.Taker taker = this::write;
    private final Thread thread;
    /** What turns the clock that never jumps into the time of day. */
    private final long epoch;
    /** How many more are taken, on the agent. */
    private long wanted;
    private long whole;
    private long newFrames;
    private long newBytes;
    private int state;
    private volatile boolean ending;
    private volatile boolean complete;
    private volatile String problem;

    private Capture(String where, String link, Path file, int snap, long count, FileChannel channel,
            List<String> jacks) throws IOException {
        this.where = where;
        this.link = link;
        this.file = file;
        this.snap = snap;
        this.count = count;
        wanted = count;
        this.channel = channel;
        writer = new PcapngWriter(channel, "Manafold", BUFFER);
        for (String jack : jacks) {
            writer.addInterface(jack, snap);
        }
        writer.flush();
        whole = channel.position();
        epoch = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()) - System.nanoTime();
        thread = new Thread(null, this::run, "manafold-capture-" + link, 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(null);
    }

    /**
     * Makes a file and begins to wait for frames.
     *
     * @param where for sentences: {@code link net}, {@code mana0}
     * @param link what the status calls it
     * @param snap how many bytes of a frame are kept at most
     * @param count after how many frames it ends by itself
     * @param jacks the places that frames come from, by name
     */
    public static Capture open(String where, String link, Path file, int snap, long count, List<String> jacks) {
        if (snap < SMALLEST || snap > LARGEST) {
            throw new Refusal(Errno.EINVAL, "A capture on " + where + " keeps " + SMALLEST + " to " + LARGEST
                    + " bytes of a frame, not " + snap + ".");
        }
        if (count < 1) {
            throw new Refusal(Errno.EINVAL, "A capture on " + where + " holds at least one frame, not " + count + ".");
        }
        FileChannel channel = create(where, file);
        try {
            Capture capture = new Capture(where, link, file, snap, count, channel, jacks);
            capture.thread.start();
            return capture;
        } catch (IOException failed) {
            discard(channel, file);
            throw new Refusal(Errno.EIO, "No capture on " + where + ": the file " + file + " cannot be written, "
                    + reason(failed) + ".", failed);
        }
    }

    private static FileChannel create(String where, Path file) {
        String start = "No capture on " + where + ": ";
        try {
            return FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE,
                    StandardOpenOption.CREATE_NEW);
        } catch (FileAlreadyExistsException there) {
            throw new Refusal(Errno.EEXIST, start + "the file " + file
                    + " is there already and is not overwritten; remove it or write to another.", there);
        } catch (AccessDeniedException denied) {
            throw new Refusal(Errno.EACCES, start + "the file " + file
                    + " may not be made; choose a folder that you may write to.", denied);
        } catch (NoSuchFileException missing) {
            throw new Refusal(Errno.ENOENT, start + "the folder of " + file + " is not there; make it first.", missing);
        } catch (IOException | RuntimeException failed) {
            throw new Refusal(Errno.EIO, start + "the file " + file + " cannot be made, " + reason(failed) + ".",
                    failed);
        }
    }

    private static void discard(FileChannel channel, Path file) {
        try (channel) {
            Files.deleteIfExists(file);
        } catch (IOException left) {
            LOG.debug("the empty capture {} is left behind", file, left);
        }
    }

    private static String reason(Exception failed) {
        return failed.getMessage() == null ? failed.getClass().getSimpleName() : failed.getMessage();
    }

    /** What it is written to. */
    public Path file() {
        return file;
    }

    public CaptureStatus status() {
        String wrong = problem;
        long held = frames.get();
        return new CaptureStatus(link, file, held, bytes.get(), wrong == null ? missed.get() : offered.get() - held,
                complete, wrong);
    }

    /** A frame has passed; for one thread, which does not wait. What is offered shows after {@link #wake}. */
    public void offer(int place, Source frame, int length) {
        if (wanted == 0) {
            return;
        }
        add(offered, 1);
        if (problem == null) {
            if (ring.offer(place, epoch + System.nanoTime(), frame, length, snap)) {
                wanted--;
            } else {
                add(missed, 1);
            }
        }
    }

    /** Frames have been offered. */
    public void wake() {
        VarHandle.fullFence();
        if ((int) STATE.getOpaque(this) == RESTING && STATE.compareAndSet(this, RESTING, AWAKE)) {
            LockSupport.unpark(thread);
        }
    }

    private static void add(AtomicLong counter, long more) {
        counter.setOpaque(counter.getPlain() + more);
    }

    /** Writes what is left and completes the file; the agent uses this no more. */
    @Override
    public void close() {
        ending = true;
        LockSupport.unpark(thread);
        boolean interrupted = false;
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                if (!thread.join(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())))) {
                    problem = "The capture " + file + " on " + where + " is not complete: the disk has not answered"
                            + " for " + PATIENCE.toSeconds() + " s.";
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

    private void run() {
        try (channel) {
            while (true) {
                boolean last = ending;
                boolean busy = drain();
                if (last || frames.get() == count) {
                    break;
                }
                if (busy) {
                    LockSupport.parkNanos(this, PAUSE_NANOS);
                } else {
                    rest();
                }
            }
        } catch (IOException | RuntimeException failed) {
            fail(failed);
        }
        if (frames.get() == count) {
            complete = true;
            LOG.info("the capture {} on {} is complete: it holds {} frames, as asked for", file, where, count);
        }
    }

    private void rest() {
        STATE.setVolatile(this, RESTING);
        if (ring.isEmpty() && !ending) {
            LockSupport.park(this);
        }
        STATE.setVolatile(this, AWAKE);
    }

    private boolean drain() {
        if (problem != null || ring.isEmpty()) {
            return false;
        }
        try {
            while (ring.poll(taker)) {
                if (newBytes >= BUFFER) {
                    commit();
                }
            }
            commit();
        } catch (IOException failed) {
            fail(failed);
        }
        return true;
    }

    private void write(int place, long time, byte[] from, int offset, int kept, int length) throws IOException {
        newFrames++;
        newBytes += kept;
        writer.frame(place, time, from, offset, kept, length);
    }

    /** What is in the file up to here can be read. */
    private void commit() throws IOException {
        writer.flush();
        whole = channel.position();
        add(frames, newFrames);
        add(bytes, newBytes);
        newFrames = 0;
        newBytes = 0;
    }

    private void fail(Exception failed) {
        String sentence = "The capture " + file + " on " + where + " ended early: " + reason(failed)
                + ". What it holds up to there can be read; start another one where there is room.";
        try {
            PcapngTail tail = PcapngTail.read(channel, whole, channel.position());
            channel.truncate(tail.end());
            add(frames, tail.frames());
            add(bytes, tail.bytes());
        } catch (IOException again) {
            failed.addSuppressed(again);
        }
        problem = sentence;
        LOG.warn("{}", sentence);
    }
}
