package io.manafold.lent;

import io.manafold.adapter.internal.TestAdapter;
import io.manafold.api.device.Bar;
import io.manafold.gdma.Doorbell;
import io.manafold.gdma.SharedMemory;
import io.manafold.gdma.SharedMemory.Establish;
import io.manafold.memory.DmaBlock;
import io.manafold.memory.RawMemory;

/** A hardware channel by hand, at the other end of a socket: any bytes go as a message, the answer does not matter. */
final class RawChannel implements AutoCloseable {
    static final int PAGE = 4096;

    private static final int PAGES = 16;
    private static final int SEND = 3;
    private static final int RECEIVE = 2;
    private static final int REQUEST = 4;
    private static final int RESPONSE = 5;
    private static final long BASE = 0x8000_0000L;
    private static final long APERTURE = 0x400;
    private static final long DOORBELLS = 0x100000;
    private static final int NUMBER = 0xff_ffff;

    private final TestAdapter adapter;
    private final Borrowed function;
    private final Bar bar;
    private final DmaBlock block = new DmaBlock("raw", (long) PAGES * PAGE);
    private int sent;
    private int posted;
    private int key;
    private int receiveQueue;
    private int sendQueue;

    RawChannel(TestAdapter adapter, Borrowed function) {
        this.adapter = adapter;
        this.function = function;
        bar = function.bars().getFirst();
        function.dma().map(BASE, block.size(), block.fd(), 0, true);
        establish();
    }

    private long at(int page) {
        return block.address() + (long) page * PAGE;
    }

    static long dma(int page) {
        return BASE + (long) page * PAGE;
    }

    void establish() {
        for (int page = 0; page < 4; page++) {
            RawMemory.clear(at(page), PAGE);
        }
        sent = 0;
        posted = 0;
        int[] words = new Establish(dma(0), dma(1), dma(2), dma(3), 0).encode();
        for (int i = 0; i < words.length; i++) {
            bar.write32(APERTURE + 4L * i, words[i]);
        }
        while (bar.read32(APERTURE + SharedMemory.HEADER) < 0) {
            Thread.onSpinWait();
        }
        adapter.settle();
        receiveQueue = told(2);
        sendQueue = told(3);
        key = told(9);
    }

    /** What the channel said about itself: the event after the first one carries number 1, and so on. */
    private int told(int number) {
        return RawMemory.get32(at(0) + number * 16L) & NUMBER;
    }

    /** Sends a message; on return it has been dealt with. */
    void send(byte[] message) {
        RawMemory.copy(message, 0, at(REQUEST), message.length);
        long at = at(RECEIVE) + (posted & PAGE - 1);
        RawMemory.put32(at, 0);
        RawMemory.put32(at + 4, 0x201);
        RawMemory.put64(at + 0x10, dma(RESPONSE));
        RawMemory.put32(at + 0x18, key);
        RawMemory.put32(at + 0x1c, PAGE);
        posted += 32;
        bar.write64(DOORBELLS + Doorbell.RECEIVE, Doorbell.work(receiveQueue, posted));
        at = at(SEND) + (sent & PAGE - 1);
        RawMemory.put32(at, 0);
        RawMemory.put32(at + 4, 0x601);
        RawMemory.put64(at + 0x20, dma(REQUEST));
        RawMemory.put32(at + 0x28, key);
        RawMemory.put32(at + 0x2c, message.length);
        sent += 64;
        bar.write64(DOORBELLS + Doorbell.SEND, Doorbell.work(sendQueue, sent));
        // a read is answered when all writes before it have been carried out
        bar.read32(APERTURE);
        adapter.settle();
    }

    @Override
    public void close() {
        function.dma().unmap(BASE, block.size()).toCompletableFuture().join();
        block.close();
    }
}
