package io.manafold.inet.internal;

import io.manafold.api.inet.TapStatus;
import io.manafold.api.net.MacAddress;
import io.manafold.api.net.PacketBuffer;
import io.manafold.api.net.PacketPort;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.linux.EventFd;
import io.manafold.linux.InterfaceControl;
import io.manafold.linux.Linux;
import io.manafold.linux.Poll;
import io.manafold.linux.SystemCallException;
import io.manafold.linux.Tap;
import io.manafold.memory.RawMemory;
import io.manafold.packet.FrameRing;
import io.manafold.packet.Headers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The kernel behind a device: what arrives at the device is written to a tap interface, what the kernel sends there is
 * read by a thread of its own and sent by the device's. Each frame is copied once on either way.
 */
final class TapEnd implements PacketHandler {
    private static final Logger LOG = LoggerFactory.getLogger(TapEnd.class);
    private static final int BURST = 64;
    private static final int TAG_TYPE = 0x8100;
    private static final long FULL_NANOS = 100_000;
    private static final long TROUBLE_NANOS = 100_000_000;
    /** How long frames wait for a device that sends nothing. */
    private static final long STALE_NANOS = 100_000_000;
    private static final long NOT_FULL = 0;
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final String device;
    private final Tap tap;
    private final EventFd stop;
    private final Runnable wake;
    private final FrameRing ring;
    private final PacketBuffer[] burst = new PacketBuffer[1];
    private final Thread thread;
    private final AtomicLong toKernel = new AtomicLong();
    private final AtomicLong toKernelBytes = new AtomicLong();
    private final AtomicLong fromKernel = new AtomicLong();
    private final AtomicLong fromKernelBytes = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();
    /** Frames that were read while there was no device to send them. */
    private final LongAdder unattended = new LongAdder();
    /** Whether there is a device that sends what is read. */
    private volatile boolean attended;
    private volatile boolean closing;
    private volatile String problem;
    private volatile String settings;
    private long mac;
    private int mtu;
    /** Whether the device took no frame lately, and since when; the device's thread's. */
    private boolean full;
    private long fullSince = NOT_FULL;

    private TapEnd(String device, Tap tap, EventFd stop, FrameRing ring, Runnable wake) {
        this.device = device;
        this.tap = tap;
        this.stop = stop;
        this.ring = ring;
        this.wake = wake;
        thread = new Thread(null, this::read, "manafold-tap-" + tap.name(), 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(null);
    }

    /**
     * Opens the interface.
     *
     * @param wake wakes the device's thread
     * @throws Refusal what the kernel says, and what to do
     */
    static TapEnd open(String device, String name, Runnable wake) {
        Tap tap = null;
        EventFd stop = null;
        FrameRing ring = null;
        try {
            tap = Tap.open(name);
            stop = EventFd.create();
            ring = new FrameRing();
            TapEnd end = new TapEnd(device, tap, stop, ring, wake);
            end.thread.start();
            return end;
        } catch (SystemCallException failed) {
            giveBack(tap, stop, ring);
            throw refusal(device, name, failed);
        } catch (OutOfMemoryError none) {
            giveBack(tap, stop, ring);
            throw new Refusal(Errno.ENOMEM, "The kernel is not behind " + device + " by the tap " + name
                    + ": there is no memory or no thread for it (" + none.getMessage()
                    + "); end what needs much of either.", none);
        } catch (RuntimeException | Error failed) {
            giveBack(tap, stop, ring);
            throw failed;
        }
    }

    /** What an end that did not come about has taken. */
    private static void giveBack(Tap tap, EventFd stop, FrameRing ring) {
        if (tap != null) {
            tap.close();
        }
        if (stop != null) {
            stop.close();
        }
        if (ring != null) {
            ring.close();
        }
    }

    private static Refusal refusal(String device, String name, SystemCallException failed) {
        Errno errno = Errno.EIO;
        for (Errno candidate : Errno.values()) {
            errno = candidate.number() == failed.errno() ? candidate : errno;
        }
        String advice = switch (errno) {
            case EPERM, EACCES -> "an administrator can make it for you: ip tuntap add dev " + name
                    + " mode tap user $USER";
            case EBUSY -> "another program uses it: end that, or choose another name";
            case ENODEV, ENXIO, ENOENT -> "the kernel's module tun is needed: modprobe tun";
            case EINVAL -> "an interface of that name is there and is no tap; choose another name";
            default -> "ip link show dev " + name + " tells more";
        };
        return new Refusal(errno, "The kernel is not behind " + device + " by the tap " + name + ": "
                + failed.getMessage() + "; " + advice + ".", failed);
    }

    String name() {
        return tap.name();
    }

    /** Gives the kernel's interface the device's MAC address and MTU, and sets it up, as far as we may. */
    synchronized void follow(DeviceSnapshot facts) {
        if (facts.mac() == 0 || facts.mac() == mac && facts.mtu() == mtu) {
            return;
        }
        mac = facts.mac();
        mtu = facts.mtu();
        byte[] address = new byte[6];
        BigEndian.put48(address, 0, mac);
        try {
            InterfaceControl.hardwareAddress(name(), address);
            InterfaceControl.mtu(name(), mtu);
            InterfaceControl.up(name(), true);
            settings = null;
        } catch (SystemCallException notAllowed) {
            settings = "The tap " + name() + " is not as its device is: " + notAllowed.getMessage()
                    + "; an administrator sets it: ip link set " + name() + " address "
                    + new MacAddress(mac) + " mtu " + mtu + " up.";
        }
    }

    TapStatus status() {
        String wrong = problem != null ? problem : settings;
        return new TapStatus(name(), problem == null, Optional.ofNullable(wrong), toKernel.get(), toKernelBytes.get(),
                fromKernel.get(), fromKernelBytes.get(), dropped.get() + unattended.sum());
    }

    @Override
    public void receive(PacketPort port, PacketBuffer[] packets, int count) {
        for (int i = 0; i < count; i++) {
            PacketBuffer packet = packets[i];
            packets[i] = null;
            try {
                if ((packet.flags() & PacketBuffer.TAGGED) != 0) {
                    putTagBack(packet);
                }
                int length = packet.length();
                if (tap.write(packet.address(), length) == length) {
                    add(toKernel, 1);
                    add(toKernelBytes, length);
                } else {
                    add(dropped, 1);
                }
            } finally {
                packet.release();
            }
        }
    }

    private static void putTagBack(PacketBuffer packet) {
        if (packet.headroom() < Headers.TAG || packet.length() < Headers.ETHERNET) {
            return;
        }
        long first = packet.get64(0);
        int second = packet.get32(8);
        packet.pull(-Headers.TAG);
        packet.put64(0, first);
        packet.put32(8, second);
        packet.put16(12, TAG_TYPE);
        packet.put16(14, packet.tag());
    }

    private static void add(AtomicLong counter, long more) {
        counter.setOpaque(counter.getPlain() + more);
    }

    @Override
    public int doWork(PacketPort port) {
        int done = 0;
        while (done < BURST && !ring.isEmpty()) {
            int length = ring.length();
            if (send(port, length)) {
                add(fromKernel, 1);
                add(fromKernelBytes, length);
            } else if (waits()) {
                return done;
            } else {
                add(dropped, 1);
            }
            ring.free(1);
            done++;
        }
        return done;
    }

    /** Sends the oldest frame; if the device does not take it, it is {@link #full} or the frame is none for it. */
    private boolean send(PacketPort port, int length) {
        full = port.take(burst, 0, 1) == 0;
        if (full) {
            return false;
        }
        PacketBuffer packet = burst[0];
        int headroom = packet.headroom();
        boolean fits = length >= Headers.ETHERNET && length <= packet.capacity() - headroom;
        if (fits) {
            packet.place(headroom, length);
            RawMemory.copy(ring.address(), packet.address(), length);
            full = port.send(burst, 0, 1) == 0;
        }
        burst[0] = null;
        if (!fits || full) {
            packet.release();
        } else {
            fullSince = NOT_FULL;
        }
        return fits && !full;
    }

    /** Whether a frame that was not sent stays where it is, so that the kernel slows down; not for ever. */
    private boolean waits() {
        if (!full) {
            return false;
        }
        long now = System.nanoTime();
        if (fullSince == NOT_FULL) {
            fullSince = now == NOT_FULL ? 1 : now;
        }
        return now - fullSince < STALE_NANOS;
    }

    @Override
    public long restNanos() {
        return ring.isEmpty() ? NeighbourTable.NEVER : full ? FULL_NANOS : 0;
    }

    @Override
    public void drop() {
        while (!ring.isEmpty()) {
            ring.free(1);
            unattended.increment();
        }
    }

    /** A device is about to come: what the kernel has sent to the one before is too old. */
    void attend() {
        drop();
        attended = true;
    }

    /** The device has gone, and uses this no more. */
    void leave() {
        attended = false;
        drop();
    }

    private void read() {
        MemorySegment nowhere = Arena.ofAuto().allocate(FrameRing.LONGEST);
        Poll poll = new Poll(2);
        poll.add(tap.descriptor(), Poll.READABLE);
        poll.add(stop.descriptor(), Poll.READABLE);
        try {
            while (!closing) {
                boolean away = !attended;
                long at = away ? nowhere.address() : ring.reserve();
                if (at == 0) {
                    // what comes meanwhile waits in the kernel's own queue, or is dropped and counted there
                    wake.run();
                    LockSupport.parkNanos(this, FULL_NANOS);
                    continue;
                }
                int length = tap.read(at, FrameRing.LONGEST);
                if (length > 0) {
                    if (away) {
                        unattended.increment();
                    } else {
                        ring.commit(length);
                        wake.run();
                    }
                    problem = null;
                } else if (length == -Linux.WOULD_BLOCK) {
                    poll.await(-1);
                } else {
                    problem = "The tap " + name() + " gives nothing: " + new SystemCallException("read", -length)
                            .getMessage() + "; it is tried again until it does.";
                    LockSupport.parkNanos(this, TROUBLE_NANOS);
                }
            }
        } catch (SystemCallException | RuntimeException | Error mistake) {
            LOG.error("nothing is read from the tap {} of {} any more", name(), device, mistake);
            problem = "Nothing is read from the tap " + name() + " any more: " + mistake
                    + "; take it away from the device and set it again.";
        } finally {
            // its address alone was in use
            Reference.reachabilityFence(nowhere);
        }
    }

    /**
     * No call of the device's thread begins any more.
     *
     * @param whenOut has something done once none is under way
     */
    void close(Executor whenOut) {
        closing = true;
        stop.signal();
        LockSupport.unpark(thread);
        boolean interrupted = false;
        boolean ended = false;
        while (!ended) {
            try {
                ended = thread.join(PATIENCE);
                if (!ended) {
                    LOG.error("the thread that reads from the tap {} has not ended", name());
                    break;
                }
            } catch (InterruptedException later) {
                interrupted = true;
            }
        }
        boolean free = ended;
        whenOut.execute(() -> {
            tap.close();
            stop.close();
            if (free) {
                ring.close();
            }
        });
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
