package io.manafold.itests.net;

import io.manafold.api.net.NetDevice;
import io.manafold.api.net.PacketBuffer;
import io.manafold.api.net.PacketPort;
import io.manafold.api.net.PacketUser;
import io.manafold.memory.PacketFlags;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Takes all that arrives at a device of the Ethernet driver, with what is told of it. */
public final class Listener implements PacketUser, AutoCloseable {
    private final BlockingQueue<Heard> heard = new LinkedBlockingQueue<>();
    private final PacketPort port;

    public Listener(NetDevice device) {
        port = device.attach(this);
    }

    /**
     * A frame.
     *
     * @param flags in the words of poll mode
     */
    public record Heard(byte[] bytes, int flags, int hash, int tag) {
    }

    /** The next one; {@code null} if there is none for a minute. */
    public Heard next() throws InterruptedException {
        return heard.poll(1, TimeUnit.MINUTES);
    }

    @Override
    public String name() {
        return "listener";
    }

    @Override
    public void receive(PacketBuffer[] packets, int count) {
        for (int i = 0; i < count; i++) {
            PacketBuffer packet = packets[i];
            byte[] bytes = new byte[packet.length()];
            packet.get(0, bytes, 0, bytes.length);
            int said = packet.flags();
            int flags = bit(said, PacketBuffer.IP_CHECKSUM_GOOD, PacketFlags.IP_GOOD)
                    | bit(said, PacketBuffer.TRANSPORT_CHECKSUM_GOOD, PacketFlags.TRANSPORT_GOOD)
                    | bit(said, PacketBuffer.HASHED, PacketFlags.HASHED)
                    | bit(said, PacketBuffer.TAGGED, PacketFlags.TAGGED | PacketFlags.TAG_STRIPPED);
            heard.add(new Heard(bytes, flags, (said & PacketBuffer.HASHED) != 0 ? packet.hash() : 0,
                    (said & PacketBuffer.TAGGED) != 0 ? packet.tag() : 0));
            packet.release();
        }
    }

    private static int bit(int said, int mask, int flag) {
        return (said & mask) != 0 ? flag : 0;
    }

    @Override
    public void close() {
        port.close();
    }
}
