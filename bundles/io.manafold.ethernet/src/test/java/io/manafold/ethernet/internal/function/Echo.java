package io.manafold.ethernet.internal.function;

import io.manafold.api.net.NetDevice;
import io.manafold.api.net.PacketBuffer;
import io.manafold.api.net.PacketPort;
import io.manafold.api.net.PacketUser;
import java.util.ArrayDeque;

/** A user that sends every packet back to where it came from, in the buffer that it came in. Allocates nothing. */
final class Echo implements PacketUser, AutoCloseable {
    final NetDevice device;
    final PacketPort port;
    /** What was not accepted yet. */
    private final ArrayDeque<PacketBuffer> waiting = new ArrayDeque<>(4096);
    private final PacketBuffer[] one = new PacketBuffer[1];
    volatile long received;
    volatile boolean collecting;
    private final int[] seen = new int[256];
    private volatile int collected;

    Echo(NetDevice device) {
        this.device = device;
        port = device.attach(this);
    }

    @Override
    public String name() {
        return "echo";
    }

    @Override
    public void receive(PacketBuffer[] packets, int count) {
        received = received + count;
        for (int i = 0; i < count; i++) {
            PacketBuffer packet = packets[i];
            if (collecting) {
                seen[packet.get8(14)]++;
                collected = collected + 1;
                packet.release();
                continue;
            }
            for (int k = 0; k < 6; k++) {
                int mine = packet.get8(k);
                packet.put8(k, packet.get8(6 + k));
                packet.put8(6 + k, mine);
            }
            packet.flags(0);
            waiting.add(packet);
        }
    }

    @Override
    public int doWork() {
        int work = 0;
        while (!waiting.isEmpty()) {
            one[0] = waiting.peek();
            if (port.send(one, 0, 1) == 0) {
                break;
            }
            waiting.poll();
            work++;
        }
        return work;
    }

    /** Starts packets on their way to the other device, numbered from a start. */
    void launch(NetDevice to, int first, int count, int length) {
        port.execute(() -> {
            PacketBuffer[] some = new PacketBuffer[count];
            int taken = port.take(some, 0, count);
            for (int i = 0; i < taken; i++) {
                PacketBuffer packet = some[i];
                packet.place(packet.headroom(), length);
                for (int k = 0; k < 6; k++) {
                    packet.put8(k, (int) (to.mac().value() >>> 40 - 8 * k));
                    packet.put8(6 + k, (int) (device.mac().value() >>> 40 - 8 * k));
                }
                packet.put16(12, 0x88b5);
                packet.put8(14, first + i);
                waiting.add(packet);
            }
        });
        port.wake();
    }

    int collected() {
        return collected;
    }

    /** How often a number came home; to be asked when all is quiet. */
    int seen(int number) {
        return seen[number];
    }

    @Override
    public void close() {
        port.close();
        while (!waiting.isEmpty()) {
            waiting.poll().release();
        }
    }
}
