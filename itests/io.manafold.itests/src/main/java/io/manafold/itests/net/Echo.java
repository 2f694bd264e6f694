package io.manafold.itests.net;

import io.manafold.api.net.NetDevice;
import io.manafold.api.net.PacketBuffer;
import io.manafold.api.net.PacketPort;
import io.manafold.api.net.PacketUser;

/** Sends each frame of one type back to where it came from. */
public final class Echo implements PacketUser {
    public static final int ETHER_TYPE = 0x88b6;

    private volatile PacketPort port;

    /** Goes on above a device, the former one's successor. */
    public void attach(NetDevice device) {
        PacketPort now = device.attach(this, ETHER_TYPE);
        now.execute(() -> port = now);
    }

    public void detach() {
        PacketPort now = port;
        port = null;
        if (now != null) {
            now.close();
        }
    }

    @Override
    public String name() {
        return "echo";
    }

    @Override
    public void receive(PacketBuffer[] packets, int count) {
        for (int i = 0; i < count; i++) {
            PacketBuffer packet = packets[i];
            int high = packet.get16(0);
            int low = packet.get32(2);
            packet.put16(0, packet.get16(6));
            packet.put32(2, packet.get32(8));
            packet.put16(6, high);
            packet.put32(8, low);
        }
        PacketPort now = port;
        int sent = now == null ? 0 : now.send(packets, 0, count);
        for (int i = sent; i < count; i++) {
            packets[i].release();
        }
    }

    @Override
    public int doWork() {
        return 0;
    }
}
