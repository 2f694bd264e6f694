package io.manafold.testkit;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.CompletionEntry;
import io.manafold.gdma.QueueType;
import io.manafold.gdma.ReceiveCompletion;
import io.manafold.gdma.WorkRequest;
import io.manafold.gdma.driver.ClientSession;
import io.manafold.gdma.driver.QueuePair;
import io.manafold.memory.DmaArena;
import io.manafold.memory.DmaPiece;
import io.manafold.memory.RawMemory;

/**
 * Receives packets of one queue of a port into buffers of its own, which are posted again when a packet has been
 * handled. For one thread. Nothing is allocated per packet.
 */
public final class ReceiveQueue {
    private static final int HEADER = 14;

    private final QueuePair pair;
    private final DmaPiece buffers;
    private final int entries;
    private final int stride;
    private final int size;
    private final int key;
    private int next;
    private long packets;
    private long truncated;
    private long unknown;
    private long coalesced;
    private volatile int fences;

    private ReceiveQueue(QueuePair pair, DmaPiece buffers, int entries, int size, int key) {
        this.pair = pair;
        this.buffers = buffers;
        this.entries = entries;
        this.size = size;
        this.key = key;
        stride = stride(size);
        for (int i = 0; i < entries; i++) {
            post(i);
        }
        pair.work().ring();
    }

    static ReceiveQueue open(ClientSession client, long vport, PortSettings settings, int eventQueue) {
        int entries = settings.receiveEntries();
        int size = settings.mtu() + HEADER;
        DmaPiece buffers = client.memory().allocate(entries * stride(size));
        try {
            // twice as many completions: one more than buffers for the fence, and a power of two
            QueuePair pair = QueuePair.create(client, new QueuePair.Shape(client.rights(), vport, QueueType.RECEIVE,
                    entries * WorkRequest.UNIT, 2 * entries * CompletionEntry.SIZE, eventQueue));
            return new ReceiveQueue(pair, buffers, entries, size, client.rights().memoryKey());
        } catch (RuntimeException refused) {
            client.memory().free(buffers);
            throw refused;
        }
    }

    private static int stride(int size) {
        return size + 63 & -64;
    }

    private void post(int buffer) {
        pair.work().commitPlain(0, buffers.dma() + (long) buffer * stride, key, size);
    }

    /** Hands packets over. Returns how many completions there were. */
    public int poll(PacketHandler handler) {
        int count = 0;
        boolean posted = false;
        for (long entry = pair.next(); entry != 0; entry = pair.next()) {
            int type = CompletionEntry.type(RawMemory.get32(entry + ReceiveCompletion.FIRST));
            int flags = RawMemory.get32(entry + ReceiveCompletion.FLAGS);
            switch (type) {
                case ReceiveCompletion.OK -> packet(entry, 0, false, flags, handler);
                case ReceiveCompletion.COALESCED -> {
                    coalesced++;
                    posted |= packets(entry, ReceiveCompletion.MAX_PACKETS, false, flags, handler);
                }
                case ReceiveCompletion.COALESCED_8 -> {
                    coalesced++;
                    posted |= packets(entry, ReceiveCompletion.MOST_PACKETS, true, flags, handler);
                }
                case ReceiveCompletion.TRUNCATED -> {
                    truncated++;
                    again();
                }
                case ReceiveCompletion.FENCE -> fences++;
                default -> unknown++;
            }
            posted |= type != ReceiveCompletion.FENCE;
            pair.completions().consume();
            count++;
        }
        if (posted) {
            pair.work().ring();
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

    private boolean packets(long entry, int most, boolean paired, int flags, PacketHandler handler) {
        int k = 0;
        while (k < most && packet(entry, k, paired, flags, handler)) {
            k++;
        }
        return k > 0;
    }

    private boolean packet(long entry, int k, boolean paired, int flags, PacketHandler handler) {
        int length = RawMemory.get16(entry
                + (paired ? ReceiveCompletion.pairedLengthAt(k) : ReceiveCompletion.lengthAt(k)));
        if (length == 0) {
            return false;
        }
        if (length <= size) {
            packets++;
            handler.packet(buffers.pointer() + (long) next * stride, length, flags,
                    RawMemory.get32(entry
                            + (paired ? ReceiveCompletion.pairedHashAt(k) : ReceiveCompletion.hashAt(k))));
        } else {
            truncated++;
        }
        again();
        return true;
    }

    private void again() {
        pair.work().complete(WorkRequest.UNIT);
        post(next);
        next = next + 1 == entries ? 0 : next + 1;
    }

    /** Asks for an event when something arrives. */
    public void arm() {
        // also if it has been asked for: what an event told of has been read
        pair.completions().disarm(pair.completions().id());
        pair.completions().arm();
    }

    public long packets() {
        return packets;
    }

    /** Packets that were longer than their buffer. */
    public long truncated() {
        return truncated;
    }

    /** Completions of a type that does not exist. */
    public long unknown() {
        return unknown;
    }

    /** Completions that stood for several packets. */
    public long coalesced() {
        return coalesced;
    }

    /** Fences seen. */
    public int fences() {
        return fences;
    }

    public QueuePair pair() {
        return pair;
    }

    void destroy(DmaArena memory) {
        try {
            pair.destroy();
        } finally {
            memory.free(buffers);
        }
    }
}
