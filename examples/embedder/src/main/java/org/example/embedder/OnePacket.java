package org.example.embedder;

import io.manafold.api.net.NetDevice;
import io.manafold.api.net.PacketBuffer;
import io.manafold.api.net.PacketPort;
import io.manafold.api.net.PacketUser;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Takes packets of one EtherType from devices, beside the device's host, who does not see them. */
final class OnePacket implements PacketUser {
    /** Free for local experiments, says IEEE 802. */
    private static final int EXPERIMENT = 0x88b5;
    private static final int HEADER = 14;
    private static final int SHORTEST = 60;
    private static final int HEADROOM = 64;

    private final CompletableFuture<String> received = new CompletableFuture<>();

    /** Sends a short text from one device to another, and returns what has arrived. */
    static String move(NetDevice from, NetDevice to, String text)
            throws InterruptedException, ExecutionException, TimeoutException {
        OnePacket sender = new OnePacket();
        OnePacket receiver = new OnePacket();
        try (PacketPort out = from.attach(sender, EXPERIMENT); PacketPort _ = to.attach(receiver, EXPERIMENT)) {
            CompletableFuture<Integer> sent = new CompletableFuture<>();
            // packets are moved on the device's own thread
            out.execute(() -> sent.complete(send(out, from, to, text.getBytes(StandardCharsets.UTF_8))));
            if (sent.get(10, TimeUnit.SECONDS) != 1) {
                throw new IllegalStateException(from.name() + " takes no packet; is it up?");
            }
            return receiver.received.get(10, TimeUnit.SECONDS);
        }
    }

    private static int send(PacketPort out, NetDevice from, NetDevice to, byte[] text) {
        PacketBuffer[] packet = new PacketBuffer[1];
        if (out.take(packet, 0, 1) == 0) {
            return 0;
        }
        packet[0].place(HEADROOM, Math.max(SHORTEST, HEADER + 1 + text.length));
        putAddress(packet[0], 0, to.mac().value());
        putAddress(packet[0], 6, from.mac().value());
        packet[0].put16(12, EXPERIMENT);
        packet[0].put8(HEADER, text.length);
        packet[0].put(HEADER + 1, text, 0, text.length);
        int sent = out.send(packet, 0, 1);
        if (sent == 0) {
            packet[0].release();
        }
        return sent;
    }

    private static void putAddress(PacketBuffer packet, int at, long address) {
        packet.put16(at, (int) (address >>> 32));
        packet.put32(at + 2, (int) address);
    }

    @Override
    public String name() {
        return "first embedder";
    }

    /** Each packet is ours until it is released. */
    @Override
    public void receive(PacketBuffer[] packets, int count) {
        for (int i = 0; i < count; i++) {
            byte[] text = new byte[packets[i].get8(HEADER)];
            packets[i].get(HEADER + 1, text, 0, text.length);
            received.complete(new String(text, StandardCharsets.UTF_8));
            packets[i].release();
        }
    }
}
