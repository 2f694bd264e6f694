package io.manafold.adapter.internal.ethernet;

import io.manafold.adapter.internal.queue.CompletionQueue;
import io.manafold.adapter.internal.queue.EventQueue;
import io.manafold.adapter.internal.queue.KeyedMemory;
import io.manafold.adapter.internal.queue.QueueMemory;
import io.manafold.adapter.internal.queue.Rejections;
import io.manafold.api.net.MacAddress;
import io.manafold.linux.Linux;
import io.manafold.linux.Memfd;
import io.manafold.memory.DmaBlock;
import io.manafold.memory.DmaTable;
import io.manafold.memory.RawMemory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A driver's view of a port, written from the contract alone: memory, rings, doorbells, completions. */
final class Guest implements AutoCloseable {
    static final int PD = 0x11;
    static final int KEY = 0x222;
    static final long DMA = 0x4000_0000L;
    static final long FILE_DMA = 0x9000_0000L;
    static final int MTU_FRAME = 1514;

    final MacAddress mac;
    final DmaTable table = new DmaTable();
    final DmaBlock block;
    final List<String> rejected = new ArrayList<>();
    final UnpluggedPortAgent spare;
    final EthernetPort port;
    final Rejections rejections =
            (where, bytes, rule, right, consequence) -> {
                synchronized (rejected) {
                    rejected.add(where + ": " + rule);
                }
            };
    /** What the next look at a key ends in. */
    volatile Error raised;
    private long free = DMA;
    private Memfd file;
    private long fileAt;
    private long fileFree;
    private boolean completionsInFile;

    Guest(String name, long mac) {
        this(name, mac, 16 << 20, MTU_FRAME);
    }

    Guest(String name, long mac, int bytes, int mtuFrame) {
        this.mac = new MacAddress(mac);
        block = new DmaBlock(name, bytes);
        table.map(DMA, block.size(), block.fd(), 0, true);
        spare = new UnpluggedPortAgent(name);
        port = new EthernetPort(name + "/1", this.mac, 16, 200_000_000_000L, mtuFrame, rejections, spare);
    }

    /** From here on memory comes from a file that can be shortened. */
    void useFile(int bytes) throws IOException {
        file = Memfd.create("short", bytes);
        fileAt = Linux.map(file.descriptor().number(), 0, bytes, true);
        table.map(FILE_DMA, bytes, file.descriptor().number(), 0, true);
        fileFree = FILE_DMA;
    }

    /** From here on completions, and nothing else, come from a file that can be shortened. */
    void useFileForCompletions(int bytes) throws IOException {
        useFile(bytes);
        completionsInFile = true;
    }

    /** From here on memory comes from where it came before. */
    void useBlock() {
        fileFree = 0;
        completionsInFile = false;
    }

    void shorten() throws IOException {
        length(0);
    }

    void length(int bytes) throws IOException {
        file.truncate(bytes);
    }

    /** Memory of the driver's, from a page border on. */
    long take(int bytes) {
        return fileFree != 0 && !completionsInFile ? takeOfFile(bytes) : takeOfBlock(bytes);
    }

    private long takeOfFile(int bytes) {
        long at = fileFree;
        fileFree += bytes + 4095 & -4096;
        return at;
    }

    private long takeOfBlock(int bytes) {
        long at = free;
        free += bytes + 4095 & -4096;
        if (free > DMA + block.size()) {
            throw new IllegalStateException("no memory left");
        }
        return at;
    }

    /** Where the driver itself sees memory of the device's address. */
    long raw(long dma) {
        return dma >= FILE_DMA ? fileAt + dma - FILE_DMA : block.address() + dma - DMA;
    }

    byte[] bytes(long dma, int length) {
        byte[] bytes = new byte[length];
        RawMemory.copy(raw(dma), bytes, 0, length);
        return bytes;
    }

    long put(byte[] bytes) {
        long at = take(bytes.length);
        put(at, bytes);
        return at;
    }

    void put(long dma, byte[] bytes) {
        RawMemory.copy(bytes, 0, raw(dma), bytes.length);
    }

    QueueMemory queueMemory(long dma, int bytes) {
        long[] pages = new long[bytes / 4096];
        for (int i = 0; i < pages.length; i++) {
            pages[i] = dma + i * 4096L;
        }
        return new QueueMemory(table, pages, bytes);
    }

    KeyedMemory find(int key, int pd, int right) {
        Error error = raised;
        raised = null;
        if (error != null) {
            throw error;
        }
        return key == KEY && pd == PD ? KeyedMemory.WHOLE : null;
    }

    Completions completions(int id, int entries) {
        return new Completions(this, id, entries);
    }

    GuestSender sender(int id, int ringBytes) {
        return new GuestSender(this, id, ringBytes);
    }

    GuestReceiver receiver(int id, int ringBytes) {
        return new GuestReceiver(this, id, ringBytes);
    }

    @Override
    public void close() {
        port.close();
        spare.close();
        table.close();
        block.close();
    }

    /** A completion queue with an event queue of its own, seen by the driver. */
    static final class Completions {
        private static final int EVENTS = 256;

        final CompletionQueue queue;
        final int entries;
        private final Guest guest;
        private final long at;
        private final long eventsAt;
        private final EventQueue events;
        private int eventIndex = EVENTS;
        int vectors;
        int index;

        Completions(Guest guest, int id, int entries) {
            this.guest = guest;
            this.entries = entries;
            at = guest.completionsInFile ? guest.takeOfFile(entries * 64) : guest.takeOfBlock(entries * 64);
            eventsAt = guest.takeOfBlock(4096);
            events = new EventQueue(id + 1000, guest.queueMemory(eventsAt, 4096),
                    () -> vectors++, guest.rejections);
            queue = new CompletionQueue(id, guest.queueMemory(at, entries * 64), events, false);
            index = entries;
        }

        /** The next completion, or null if there is none yet. */
        byte[] poll() {
            long entry = at + (long) (index % entries) * 64;
            int last = RawMemory.getAcquire32(guest.raw(entry) + 60);
            if (last >>> 29 != (index / entries & 7)) {
                return null;
            }
            index++;
            return guest.bytes(entry, 64);
        }

        /** Moves on without looking; for counting. */
        int drain() {
            int count = 0;
            while (true) {
                long entry = guest.raw(at) + (long) (index % entries) * 64;
                if (RawMemory.getAcquire32(entry + 60) >>> 29 != (index / entries & 7)) {
                    return count;
                }
                index++;
                count++;
            }
        }

        /** As a driver does at the end of a pass: events first, then both doorbells. */
        void arm() {
            while (RawMemory.getAcquire32(guest.raw(eventsAt) + eventIndex % EVENTS * 16L + 12) >>> 29
                    == (eventIndex / EVENTS & 7)) {
                eventIndex++;
            }
            events.doorbell(eventIndex % (8 * EVENTS), true);
            queue.doorbell(index % (8 * entries), true);
        }
    }
}
