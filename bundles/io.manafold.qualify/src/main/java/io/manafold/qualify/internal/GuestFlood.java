package io.manafold.qualify.internal;

import io.manafold.api.net.MacAddress;
import io.manafold.api.net.NetDevice;
import io.manafold.api.net.PacketBuffer;
import io.manafold.api.net.PacketPort;
import io.manafold.api.net.PacketUser;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Frames to a station, of an EtherType that is free for experiments and that no host answers. It runs on the thread of
 * the device that sends; what it is to send is said by another.
 */
final class GuestFlood implements PacketUser, AutoCloseable {
    private static final int ETHER_TYPE = 0x88b6;
    private static final int CHECKSUM = 4;
    private static final int MAC = 6;
    private static final int BURST = 32;
    private static final int HEADER = 2 * MAC + 2;
    private static final double NANOS = 1e9;
    /** Behind the header: what a buffer holds from before is for others than the guest. */
    private static final byte[] ZEROS = new byte[1 << 16];

    private final MacAddress from;
    private final MacAddress to;
    private final PacketBuffer[] burst = new PacketBuffer[BURST];
    private final AtomicLong sent = new AtomicLong();
    private PacketPort port;
    private volatile Order order;
    private volatile boolean resting = true;
    /** The length of frames that buffers have not held since the latest begin; 0 for none. */
    private volatile int tooLong;
    /** The order that is carried out, since when, and how much of it is done. */
    private Order current;
    private long since;
    private long done;

    /**
     * What to send.
     *
     * @param length of a frame without its checksum
     * @param rate frames in a second, 0 for as many as go
     */
    private record Order(int length, long rate) {
    }

    private GuestFlood(MacAddress from, MacAddress to) {
        this.from = from;
        this.to = to;
    }

    /** @throws io.manafold.api.refusal.Refusal {@code EBUSY} if the device has such a user already */
    static GuestFlood over(NetDevice device, MacAddress to) {
        GuestFlood flood = new GuestFlood(device.mac(), to);
        flood.port = device.attach(flood, ETHER_TYPE);
        return flood;
    }

    @Override
    public String name() {
        return "qualify";
    }

    /** Begins to send, frames counted with their checksum. */
    void begin(int size, long rate) {
        resting = false;
        tooLong = 0;
        order = new Order(size - CHECKSUM, rate);
        port.wake();
    }

    /** Sends no more, once the device's thread has seen it. */
    void rest() {
        order = null;
        port.wake();
    }

    /** Whether the device's thread has seen that it is to rest. */
    boolean isResting() {
        return resting;
    }

    /** Whether frames of this size, counted with their checksum, have found buffers too short since it began. */
    boolean isTooLong(int size) {
        return tooLong == size - CHECKSUM;
    }

    /** Frames that the device has taken so far. */
    long sent() {
        return sent.getAcquire();
    }

    @Override
    public void receive(PacketBuffer[] packets, int count) {
        // such frames are not answered
        PacketBuffer.release(packets, 0, count);
    }

    @Override
    public int doWork() {
        Order now = order;
        if (now == null) {
            current = null;
            if (!resting) {
                resting = true;
            }
            return 0;
        }
        if (now != current) {
            current = now;
            since = System.nanoTime();
            done = 0;
        }
        int wanted = (int) Math.min(BURST, due(now));
        return wanted <= 0 ? 0 : send(now, wanted);
    }

    private long due(Order now) {
        return now.rate() == 0 ? BURST : (long) ((System.nanoTime() - since) / NANOS * now.rate()) + 1 - done;
    }

    private int send(Order now, int wanted) {
        int count = port.take(burst, 0, wanted);
        int accepted = 0;
        if (isRoom(count, now.length())) {
            fill(count, now.length());
            accepted = port.send(burst, 0, count);
        } else {
            tooLong = now.length();
        }
        if (accepted < count) {
            PacketBuffer.release(burst, accepted, count - accepted);
        }
        done += accepted;
        sent.setRelease(sent.getPlain() + accepted);
        return accepted;
    }

    /** Whether buffers hold such frames, which may end when an administrator lowers the MTU of the device. */
    private boolean isRoom(int count, int length) {
        for (int i = 0; i < count; i++) {
            if (burst[i].capacity() - burst[i].headroom() < length) {
                return false;
            }
        }
        return true;
    }

    private void fill(int count, int length) {
        boolean filled = false;
        try {
            for (int i = 0; i < count; i++) {
                fill(burst[i], length);
            }
            filled = true;
        } finally {
            if (!filled) {
                PacketBuffer.release(burst, 0, count);
            }
        }
    }

    private void fill(PacketBuffer packet, int length) {
        packet.place(packet.headroom(), length);
        packet.put64(0, to.value() << 16 | from.value() >>> 32);
        packet.put32(MAC + 2, (int) from.value());
        packet.put16(2 * MAC, ETHER_TYPE);
        packet.put(HEADER, ZEROS, 0, length - HEADER);
    }

    @Override
    public long restNanos() {
        Order now = order;
        return now == null ? UNTIL_WOKEN : now.rate() == 0 ? 0 : Math.max(0, (long) (done / (double) now.rate() * NANOS)
                - (System.nanoTime() - since));
    }

    @Override
    public void close() {
        rest();
        port.close();
    }
}
