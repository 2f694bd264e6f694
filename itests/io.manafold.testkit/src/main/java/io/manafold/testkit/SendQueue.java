package io.manafold.testkit;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.CompletionEntry;
import io.manafold.gdma.QueueType;
import io.manafold.gdma.SendCompletion;
import io.manafold.gdma.SendRequest;
import io.manafold.gdma.WorkRequest;
import io.manafold.gdma.driver.ClientSession;
import io.manafold.gdma.driver.QueuePair;
import io.manafold.gdma.driver.WorkQueue;
import io.manafold.memory.DmaArena;
import io.manafold.memory.DmaPiece;
import io.manafold.memory.RawMemory;

/**
 * Sends frames of one queue of a port, from memory of its own that frames are copied to. For one thread. Nothing is
 * allocated per frame.
 */
public final class SendQueue {
    /** No tag. */
    public static final int UNTAGGED = -1;

    private static final int SHORT_OFFSETS = 255;

    private final QueuePair pair;
    private final DmaPiece buffer;
    private final int key;
    private final int vportOffset;
    private final int[] requestBytes;
    private final long[] bufferEnds;
    private int head;
    private int tail;
    private long filled;
    private long freed;
    private long sent;
    private long failed;
    private int lastFailure;

    private SendQueue(QueuePair pair, DmaPiece buffer, int key, int vportOffset) {
        this.pair = pair;
        this.buffer = buffer;
        this.key = key;
        this.vportOffset = vportOffset;
        int slots = pair.work().bytes() / WorkRequest.UNIT;
        requestBytes = new int[slots];
        bufferEnds = new long[slots];
    }

    /** Sends a frame as it is. Returns false if there is no room; poll then. */
    public boolean send(byte[] frame, int length) {
        return send(frame, length, 0, 0, UNTAGGED, 0, 0);
    }

    /**
     * Sends a frame; it goes out with {@link #ring}.
     *
     * @param flags checksums wanted, of {@link SendRequest}
     * @param transportOffset where TCP begins; 0 for UDP
     * @param tag to be put in by the device, or {@link #UNTAGGED}
     * @param headerBytes with segmentation how much of the frame is headers, else 0
     * @param segment with segmentation the payload of each segment, else 0
     */
    public boolean send(byte[] frame, int length, int flags, int transportOffset, int tag, int headerBytes,
            int segment) {
        boolean wide = tag != UNTAGGED || vportOffset > SHORT_OFFSETS;
        boolean segmented = headerBytes > 0;
        int pieces = segmented ? 2 : 1;
        int inline = wide ? WorkRequest.INLINE_LONG : WorkRequest.INLINE_SHORT;
        WorkQueue work = pair.work();
        long at = filled % buffer.bytes() + length <= buffer.bytes() ? filled
                : filled + buffer.bytes() - filled % buffer.bytes();
        if (work.free() < WorkRequest.size(pieces, inline) || at + length - freed > buffer.bytes()) {
            return false;
        }
        int place = (int) (at % buffer.bytes());
        RawMemory.copy(frame, 0, buffer.pointer() + place, length);
        work.begin(WorkRequest.word0(headerBytes), WorkRequest.word1(pieces, inline, segmented, segment));
        work.put32(SendRequest.FLAGS, SendRequest.flags(flags | (wide ? SendRequest.LONG_FORM : 0),
                pair.completions().id()));
        work.put32(SendRequest.PLACE, SendRequest.place(transportOffset, work.id(), vportOffset));
        if (wide) {
            work.put32(SendRequest.TAG, tag == UNTAGGED ? 0 : SendRequest.tag(tag));
            work.put32(SendRequest.WIDE, SendRequest.wide(vportOffset));
            work.put32(SendRequest.WIDE + 4, 0);
            work.put32(SendRequest.WIDE + 8, 0);
        }
        long dma = buffer.dma() + place;
        if (segmented) {
            work.piece(0, dma, key, headerBytes);
            work.piece(1, dma + headerBytes, key, length - headerBytes);
        } else {
            work.piece(0, dma, key, length);
        }
        filled = at + length;
        int slot = head++ & requestBytes.length - 1;
        requestBytes[slot] = work.commit();
        bufferEnds[slot] = filled;
        return true;
    }

    /** Tells the device of all that was sent since. */
    public void ring() {
        pair.work().ring();
    }

    /** Takes completions. Returns how many. */
    public int poll() {
        int count = 0;
        for (long entry = pair.next(); entry != 0; entry = pair.next()) {
            int type = CompletionEntry.type(RawMemory.get32(entry + SendCompletion.FIRST));
            pair.completions().consume();
            int slot = tail++ & requestBytes.length - 1;
            pair.work().complete(requestBytes[slot]);
            freed = bufferEnds[slot];
            if (type == SendCompletion.OK) {
                sent++;
            } else {
                failed++;
                lastFailure = type;
            }
            count++;
        }
        ended(count);
        return count;
    }

    private void ended(int count) {
        pair.completions().polled(count);
        if (pair.completions().failure() != null) {
            throw new Refusal(Errno.EPROTO, pair.completions().failure() + " Reset the function.");
        }
    }

    /** Asks for an event when something completes. */
    public void arm() {
        // also if it has been asked for: what an event told of has been read
        pair.completions().disarm(pair.completions().id());
        pair.completions().arm();
    }

    /** Frames not complete yet. */
    public int outstanding() {
        return head - tail;
    }

    /** Frames that completed well. */
    public long sent() {
        return sent;
    }

    /** Frames that completed otherwise. */
    public long failed() {
        return failed;
    }

    /** How the last of these ended, of {@link SendCompletion}. */
    public int lastFailure() {
        return lastFailure;
    }

    public QueuePair pair() {
        return pair;
    }

    static SendQueue open(ClientSession client, long vport, PortSettings settings, int eventQueue,
            int vportOffset) {
        DmaPiece buffer = client.memory().allocate(settings.sendBuffer());
        try {
            int entries = settings.sendEntries();
            QueuePair pair = QueuePair.create(client, new QueuePair.Shape(client.rights(), vport, QueueType.SEND,
                    entries * WorkRequest.UNIT, entries * CompletionEntry.SIZE, eventQueue));
            return new SendQueue(pair, buffer, client.rights().memoryKey(), vportOffset);
        } catch (RuntimeException refused) {
            client.memory().free(buffer);
            throw refused;
        }
    }

    void destroy(DmaArena memory) {
        try {
            pair.destroy();
        } finally {
            memory.free(buffer);
        }
    }
}
