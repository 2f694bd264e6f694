package io.manafold.itests.net;

import io.manafold.api.net.MacAddress;
import io.manafold.api.net.NetDevice;
import io.manafold.api.net.PacketBuffer;
import io.manafold.api.net.PacketPort;
import io.manafold.api.net.PacketUser;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Sends a number of IPv4 packets of one DSCP through a device, as fast as it takes them, and looks at none that arrive.
 */
public final class Marked implements PacketUser, AutoCloseable {
    private static final int BURST = 16;
    private static final int LENGTH = 1000;
    private static final int IP = 14;

    private final PacketBuffer[] burst = new PacketBuffer[BURST];
    private final AtomicInteger open;
    private final MacAddress own;
    private final MacAddress peer;
    private final int dscp;
    private volatile PacketPort port;

    public Marked(NetDevice device, MacAddress peer, int dscp, int packets) {
        this.own = device.mac();
        this.peer = peer;
        this.dscp = dscp;
        this.open = new AtomicInteger(packets);
        PacketPort attached = device.attach(this);
        attached.execute(() -> port = attached);
    }

    /** How many are still to be sent. */
    public int open() {
        return open.get();
    }

    @Override
    public String name() {
        return "marked " + dscp;
    }

    @Override
    public void receive(PacketBuffer[] packets, int count) {
        for (int i = 0; i < count; i++) {
            packets[i].release();
        }
    }

    @Override
    public int doWork() {
        PacketPort now = port;
        if (now == null || open.get() == 0) {
            return 0;
        }
        int taken = now.take(burst, 0, Math.min(BURST, open.get()));
        for (int i = 0; i < taken; i++) {
            fill(burst[i]);
        }
        int sent = taken == 0 ? 0 : now.send(burst, 0, taken);
        for (int i = sent; i < taken; i++) {
            burst[i].release();
        }
        open.addAndGet(-sent);
        return sent;
    }

    private void fill(PacketBuffer packet) {
        packet.place(packet.headroom(), LENGTH);
        packet.put16(0, (int) (peer.value() >>> 32));
        packet.put32(2, (int) peer.value());
        packet.put16(6, (int) (own.value() >>> 32));
        packet.put32(8, (int) own.value());
        packet.put16(12, 0x0800);
        packet.put16(IP, 0x4500 | dscp << 2);
        packet.put16(IP + 2, LENGTH - IP);
        packet.put32(IP + 4, 0);
        // no transport, and a checksum that no driver asks for
        packet.put32(IP + 8, 0x40fd_0000);
        packet.put32(IP + 12, 0x0a4d_0001);
        packet.put32(IP + 16, 0x0a4d_0002);
    }

    @Override
    public long restNanos() {
        return open.get() == 0 ? Long.MAX_VALUE : 200_000;
    }

    @Override
    public void close() {
        port.close();
    }
}
