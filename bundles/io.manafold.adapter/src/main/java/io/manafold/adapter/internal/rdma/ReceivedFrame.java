package io.manafold.adapter.internal.rdma;

import io.manafold.api.fabric.Frames;
import io.manafold.memory.DmaBlock;
import io.manafold.memory.RawMemory;
import io.manafold.roce.Icrc;
import io.manafold.roce.Opcode;
import io.manafold.roce.Packet;

/**
 * A frame that has arrived: its head in memory of ours, its payload where the sender has it, or in memory of ours as
 * well if its CRC had to be looked at. A head that an engine has marked is read where it lies, which is memory of ours,
 * too. Belongs to the agent.
 */
final class ReceivedFrame implements AutoCloseable {
    private static final int LONGEST = 9216;
    /** An IPv6 header; one of IPv4 without options has half of it. */
    private static final int HEADER = 40;
    /** The headers of UDP and of the transport. */
    private static final int BEHIND_NETWORK = 8 + 12;

    private final Icrc icrc = new Icrc();
    private DmaBlock memory;
    private long scratch;
    private long head;
    private Frames frames;
    private int frame;
    private boolean copied;
    private int payloadOffset;

    /** Makes what heads are copied to. */
    void open() {
        if (memory == null) {
            memory = new DmaBlock("manafold-roce", LONGEST + HEADER);
            scratch = memory.address();
        }
    }

    @Override
    public void close() {
        if (memory != null) {
            memory.close();
            memory = null;
        }
    }

    /** Reads the head of a frame; answers what {@link Packet#read} does. */
    int read(Frames of, int which, Packet packet) {
        frames = of;
        frame = which;
        copied = false;
        int wrong = isMarked() ? readInPlace(packet) : Packet.TRUNCATED;
        if (wrong == Packet.TRUNCATED) {
            int length = of.length(which);
            int most = Math.min(length, Packet.HEAD);
            head = scratch;
            copy(0, scratch, most);
            wrong = packet.read(scratch, most, length);
        }
        payloadOffset = packet.headerBytes;
        return wrong;
    }

    /** Whether an engine has made it: from memory of its own, and such that cannot vanish. */
    boolean isMarked() {
        return (frames.marks(frame) & Frames.ICRC_GOOD) != 0;
    }

    private int readInPlace(Packet packet) {
        head = frames.address(frame, 0);
        return packet.read(head, Math.min(frames.length(frame, 0), Packet.HEAD), frames.length(frame));
    }

    /** Where 40 bytes lie that say where a datagram came from: an IPv6 header, or 20 zeroes and an IPv4 header. */
    long networkHeader(Packet packet) {
        int length = packet.ipv6 ? HEADER : HEADER / 2;
        int at = packet.headerBytes - Opcode.extensionBytes(packet.opcode) - BEHIND_NETWORK - length;
        long to = scratch + LONGEST;
        RawMemory.clear(to, HEADER);
        RawMemory.copy(head + at, to + HEADER - length, length);
        return to;
    }

    /** Whether the CRC is right; then the payload is the one that was looked at, whatever the sender does. */
    boolean isWhole(Packet packet) {
        if (isMarked()) {
            return true;
        }
        int end = packet.frameBytes();
        int looked = Math.min(frames.length(frame), Packet.HEAD);
        if (end > LONGEST) {
            return false;
        }
        if (end > looked) {
            copy(looked, scratch + looked, end - looked);
        }
        copied = true;
        icrc.begin(scratch, packet.headerBytes);
        icrc.update(scratch + packet.headerBytes, packet.icrcOffset() - packet.headerBytes);
        return icrc.value() == RawMemory.get32(scratch + packet.icrcOffset());
    }

    /** Puts the payload into memory that was chosen. */
    void payloadTo(MemoryAccess target, int length) {
        if (copied) {
            target.put(scratch + payloadOffset, length);
            return;
        }
        long whole = frames.whole(frame);
        if (whole != 0) {
            target.put(whole + payloadOffset, length);
            return;
        }
        int skip = payloadOffset;
        int open = length;
        for (int piece = 0; open > 0; piece++) {
            int its = frames.length(frame, piece);
            if (skip >= its) {
                skip -= its;
                continue;
            }
            int part = Math.min(open, its - skip);
            target.put(frames.address(frame, piece) + skip, part);
            open -= part;
            skip = 0;
        }
    }

    private void copy(int from, long to, int length) {
        int skip = from;
        int done = 0;
        for (int piece = 0; done < length; piece++) {
            int its = frames.length(frame, piece);
            if (skip >= its) {
                skip -= its;
                continue;
            }
            int part = Math.min(length - done, its - skip);
            RawMemory.copy(frames.address(frame, piece) + skip, to + done, part);
            done += part;
            skip = 0;
        }
    }
}
