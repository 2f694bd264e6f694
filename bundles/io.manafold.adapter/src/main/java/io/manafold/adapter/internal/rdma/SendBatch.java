package io.manafold.adapter.internal.rdma;

import io.manafold.adapter.internal.queue.Pieces;
import io.manafold.api.fabric.Wire;
import io.manafold.memory.DmaBlock;
import io.manafold.memory.RawMemory;
import io.manafold.packet.FrameBurst;
import io.manafold.roce.Icrc;
import io.manafold.roce.Opcode;
import io.manafold.roce.Packet;

/**
 * Packets on their way out, handed to the link in bursts: headers and invariant CRC in memory of ours, and the payload
 * where it lies, unless a guest may shorten that while the CRC is computed; then it is copied first. Belongs to the
 * agent.
 */
final class SendBatch implements AutoCloseable {
    private static final int BURST = 64;

    private static final int HEAD = 128;
    private static final int MOST_PAYLOAD = 4096;
    /** Headers, payload, CRC. */
    private static final int PIECES = 1 + MemoryAccess.FEW + 1;
    /** Ethernet, IP, UDP and transport. */
    private static final int HEADERS_IPV4 = 14 + 20 + 8 + 12;
    private static final int HEADERS_IPV6 = 14 + 40 + 8 + 12;
    /** A packet's place, an odd number of cache lines long so that neighbours do not fall into the same sets. */
    private static final int PLACE = HEAD + MOST_PAYLOAD + 64;

    private final RdmaCounters counters;
    private final Packet packet = new Packet();
    private final PacketBurst burst = new PacketBurst(BURST, PIECES);
    /** Packets to queue pairs of the same port: a switch never returns a frame to where it came from. */
    private final PacketBurst own = new PacketBurst(BURST, PIECES);
    private DmaBlock memory;
    private int used;
    private int bytes;
    private int frames;

    SendBatch(RdmaCounters counters) {
        this.counters = counters;
    }

    /** Makes what packets lie in. */
    void open() {
        if (memory == null) {
            memory = new DmaBlock("manafold-roce", (long) BURST * PLACE);
        }
    }

    @Override
    public void close() {
        if (memory != null) {
            memory.close();
            memory = null;
        }
    }

    boolean isFull() {
        return used == BURST;
    }

    boolean hasRoom(int packets) {
        return BURST - used >= packets;
    }

    /** The packet to be sent next; it is the same object each time. */
    Packet packet() {
        return packet;
    }

    /** Where the payload of the next packet is put, of at most 4096 bytes. */
    long payload() {
        return place() + HEAD;
    }

    private long place() {
        return memory.address() + (long) used * PLACE;
    }

    /** Sends the packet, with the payload that was found for it. */
    void send(MemoryAccess source) {
        if (packet.payloadBytes == 0 || !source.isSteady()) {
            if (packet.payloadBytes > 0) {
                source.copyTo(payload());
            }
            send();
            return;
        }
        long behind = payload();
        int head = writeHead(behind);
        PacketBurst to = target();
        to.begin(behind - head, head);
        Pieces pieces = source.pieces();
        for (int i = 0; i < pieces.count; i++) {
            to.add(pieces.address[i], pieces.length[i]);
        }
        RawMemory.put32(behind, 0);
        to.add(behind, packet.pad + Icrc.BYTES);
        sent();
    }

    private int writeHead(long end) {
        int head = headBytes();
        int written = packet.write(end - head);
        if (written != head) {
            throw new IllegalStateException("headers of " + written + " bytes where " + head + " were expected");
        }
        return head;
    }

    private PacketBurst target() {
        return packet.destinationMac == packet.sourceMac ? own : burst;
    }

    private void sent() {
        int length = packet.frameBytes();
        used++;
        frames++;
        bytes += length;
        counters.sent(length);
    }

    /** Sends the packet, with the payload that was put in its place. */
    void send() {
        long payload = payload();
        int head = writeHead(payload);
        RawMemory.put32(payload + packet.payloadBytes, 0);
        target().addWhole(payload - head, head, packet.frameBytes());
        sent();
    }

    private int headBytes() {
        return (packet.ipv6 ? HEADERS_IPV6 : HEADERS_IPV4) + Opcode.extensionBytes(packet.opcode);
    }

    /** Packets since the last {@link #begin}. */
    int frames() {
        return frames;
    }

    int bytes() {
        return bytes;
    }

    /** A cycle begins. */
    void begin() {
        frames = 0;
        bytes = 0;
    }

    /** Hands all over: to the link, and to the engine what is for the port itself. */
    void flush(Wire wire, boolean isLinked, RdmaEngine engine) {
        if (used == 0) {
            return;
        }
        if (!burst.isEmpty() && isLinked) {
            wire.send(burst.frames());
        }
        if (!own.isEmpty()) {
            FrameBurst frames = own.frames();
            for (int frame = 0; frame < frames.count(); frame++) {
                counters.hairpin++;
                engine.receive(frames, frame);
            }
        }
        burst.clear();
        own.clear();
        used = 0;
    }
}
