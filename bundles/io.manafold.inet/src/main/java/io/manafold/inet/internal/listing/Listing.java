package io.manafold.inet.internal.listing;

import io.manafold.api.inet.PacketListing;
import io.manafold.api.inet.PassingPacket;
import io.manafold.api.net.NetDevice;
import io.manafold.api.net.PacketBuffer;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.packet.Capture;
import io.manafold.packet.CaptureRing;
import io.manafold.packet.Headers;
import io.manafold.packet.PcapngWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Packets of a device, copied on its thread and taken on another. */
public final class Listing implements PacketListing {
    private static final Logger LOG = LoggerFactory.getLogger(Listing.class);
    private static final int INCOMING = 0;
    private static final int OUTGOING = 1;
    private static final int BUFFER = 64 << 10;
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    /** Between two looks at a ring that is empty; the device's thread wakes nothing. */
    private static final long GLANCE_NANOS = 10_000_000;

    private final Supplier<NetDevice> device;
    private final int snap;
    private final PcapngWriter writer;
    private final CaptureRing.Taker taker = this::take;
    private final AtomicLong missed = new AtomicLong();
    /** What turns the clock that never jumps into the time of day. */
    private final long epoch = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()) - System.nanoTime();
    private NetDevice watched;
    private AutoCloseable watch;
    private CaptureRing ring = new CaptureRing();
    private PassingPacket taken;

    private record Passed(Instant time, boolean incoming, int length, byte[] first) implements PassingPacket {
        @Override
        public String text(boolean withLink) {
            return new PacketLine(withLink).of(new PacketBytes(first, 0, first.length), length);
        }
    }

    /**
     * A stream that belongs to its session: an interrupt neither closes it nor leaves half a packet in it, as it would
     * with {@link java.nio.channels.Channels#newChannel}.
     */
    private static final class Output implements WritableByteChannel {
        private final OutputStream stream;
        private final byte[] bytes = new byte[BUFFER];

        Output(OutputStream stream) {
            this.stream = stream;
        }

        @Override
        public int write(ByteBuffer from) throws IOException {
            int count = Math.min(from.remaining(), bytes.length);
            from.get(bytes, 0, count);
            stream.write(bytes, 0, count);
            return count;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() throws IOException {
            stream.flush();
        }
    }

    /**
     * @param name what its packets are written as coming from
     * @param device the device of that name at the moment, {@code null} while there is none
     * @param snap how many bytes of a packet are kept at most
     * @param copy where packets that are taken are written to as pcapng; {@code null} for nowhere
     */
    public Listing(String name, Supplier<NetDevice> device, int snap, OutputStream copy) {
        this.device = device;
        this.snap = snap;
        look();
        try {
            writer = copy == null ? null : new PcapngWriter(new Output(copy), "Manafold", BUFFER);
            if (writer != null) {
                writer.addInterface(name, snap);
            }
        } catch (IOException failed) {
            close();
            throw refused(failed);
        }
    }

    private static Refusal refused(IOException failed) {
        return new Refusal(Errno.EIO, "The packets cannot be written: " + failed.getMessage()
                + ". Write them to where there is room.", failed);
    }

    @Override
    public Optional<PassingPacket> next(Duration limit) throws InterruptedException {
        // while there are packets nothing here waits
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        long deadline = System.nanoTime() + limit.toNanos();
        taken = null;
        try {
            while (!ring.poll(taker)) {
                look();
                if (writer != null) {
                    writer.flush();
                }
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    break;
                }
                TimeUnit.NANOSECONDS.sleep(Math.min(left, GLANCE_NANOS));
            }
        } catch (IOException failed) {
            throw refused(failed);
        }
        return Optional.ofNullable(taken);
    }

    private void take(int place, long time, byte[] bytes, int offset, int kept, int length) throws IOException {
        taken = new Passed(Instant.ofEpochSecond(time / SECOND, time % SECOND), place == INCOMING, length,
                Arrays.copyOfRange(bytes, offset, offset + Math.min(kept, Headers.WORTH)));
        if (writer != null) {
            writer.frame(0, time, bytes, offset, kept, length);
        }
    }

    private void look() {
        NetDevice now = device.get();
        if (now != watched) {
            unwatch();
            watched = now;
            if (now != null) {
                begin(now);
            }
        }
    }

    private void begin(NetDevice now) {
        if (!now.claimant().isEmpty()) {
            throw new Refusal(Errno.EBUSY, "Nothing passes " + now.name() + ": " + now.claimant()
                    + " has its port. 'capture start' at the link that the port is on shows its packets.");
        }
        // a device that went may still be at its last packet: each has a ring of its own
        ring = new CaptureRing();
        watch = now.watch(new Watcher(ring)::packet);
    }

    @Override
    public long missed() {
        return missed.get();
    }

    @Override
    public void close() {
        unwatch();
        if (writer != null) {
            try {
                writer.flush();
            } catch (IOException gone) {
                LOG.debug("the last packets of a listing were not written", gone);
            }
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
                LOG.warn("a device does not let go of a listing", mistake);
            }
        }
    }

    /** On the device's thread. */
    private final class Watcher {
        private final CaptureRing to;
        private final Capture.Source source = this::copy;
        private PacketBuffer packet;

        Watcher(CaptureRing to) {
            this.to = to;
        }

        void packet(PacketBuffer passing, boolean incoming) {
            packet = passing;
            if (!to.offer(incoming ? INCOMING : OUTGOING, epoch + System.nanoTime(), source, passing.length(), snap)) {
                missed.lazySet(missed.getPlain() + 1);
            }
            packet = null;
        }

        private void copy(byte[] bytes, int offset, int count) {
            packet.get(0, bytes, offset, count);
        }
    }
}
