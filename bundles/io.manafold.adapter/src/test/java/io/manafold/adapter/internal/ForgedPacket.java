package io.manafold.adapter.internal;

import io.manafold.memory.DmaBlock;
import io.manafold.memory.RawMemory;
import io.manafold.roce.Icrc;
import io.manafold.roce.Opcode;
import io.manafold.roce.Packet;
import io.manafold.testkit.RawPort;
import java.util.Arrays;

/** A packet of RoCEv2 that no engine made: a port sends it as any other frame. Its fields are there to be changed. */
final class ForgedPacket implements AutoCloseable {
    private static final int SHORTEST = 60;

    private static final int IPV4 = 14;
    private static final int IPV4_SUM = IPV4 + 10;

    final Packet packet = new Packet();
    /** Words of options that the IP header claims to have. */
    int options;
    private final DmaBlock memory = new DmaBlock("forged", 8192);

    /** An empty message from one end to a queue pair of another. */
    ForgedPacket(RdmaEnd from, RdmaEnd to, int queuePair, int psn) {
        packet.sourceMac = from.rdma.mac().value();
        packet.destinationMac = to.rdma.mac().value();
        packet.sourceHigh = from.gid.high();
        packet.sourceLow = from.gid.low();
        packet.destinationHigh = to.gid.high();
        packet.destinationLow = to.gid.low();
        packet.hopLimit = 64;
        packet.sourcePort = 0xc123;
        packet.opcode = Opcode.SEND_ONLY;
        packet.queuePair = queuePair;
        packet.psn = psn;
    }

    /** Where its bytes lie, with a right CRC. */
    long write() {
        long at = memory.address();
        int head = packet.write(at);
        if (options > 0) {
            // the checksum is one's complement
            RawMemory.put8(at + IPV4, 0x45 + options);
            int sum = RawMemory.getBig16(at + IPV4_SUM) - (options << 8);
            RawMemory.putBig16(at + IPV4_SUM, sum < 0 ? sum + 0xffff : sum);
        }
        RawMemory.clear(at + head, packet.payloadBytes + packet.pad);
        Icrc icrc = new Icrc();
        icrc.begin(at, head);
        icrc.update(at + head, packet.payloadBytes + packet.pad);
        RawMemory.put32(at + packet.icrcOffset(), icrc.value());
        return at;
    }

    byte[] bytes() {
        write();
        byte[] bytes = new byte[packet.frameBytes()];
        RawMemory.copy(memory.address(), bytes, 0, bytes.length);
        return bytes;
    }

    /** Sends it as it is. */
    static void send(RawPort wire, byte[] bytes) {
        byte[] frame = Arrays.copyOf(bytes, Math.max(SHORTEST, bytes.length));
        RdmaEnd.until(() -> {
            wire.poll((pointer, length, flags, hash) -> { });
            return wire.send(frame, frame.length);
        });
        wire.ring();
    }

    @Override
    public void close() {
        memory.close();
    }
}
