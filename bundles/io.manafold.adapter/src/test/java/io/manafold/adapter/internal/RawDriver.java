package io.manafold.adapter.internal;

import io.manafold.api.device.Bar;
import io.manafold.gdma.Doorbell;
import io.manafold.gdma.SharedMemory;
import io.manafold.gdma.SharedMemory.Establish;
import io.manafold.memory.DmaBlock;
import io.manafold.memory.RawMemory;
import java.util.Arrays;

/** A driver that writes bytes where it likes: the channel's pages by hand, good or bad. */
final class RawDriver implements AutoCloseable {
    static final int PAGE = 4096;
    static final int PAGES = 64;
    static final int REQUEST = 4;
    static final int RESPONSE = 5;
    private static final long APERTURE = 0x400;
    private static final long DOORBELLS = 0x100000;

    final Bench bench;
    final Bar bar;
    final DmaBlock block = new DmaBlock("raw", (long) PAGES * PAGE);
    int sent;
    int posted;
    int key;
    int consumed;

    RawDriver(Bench bench) {
        this.bench = bench;
        this.bar = bench.function.bars().get(0);
        bench.function.dma().map(Bench.BASE, block.size(), block.fd(), 0, true);
    }

    long at(int page) {
        return block.address() + (long) page * PAGE;
    }

    static long dma(int page) {
        return Bench.BASE + (long) page * PAGE;
    }

    /** Until the control agent has done what it was woken for before. */
    void settle() {
        Session session;
        do {
            bench.function.control().await(() -> { });
            session = bench.function.session();
        } while (bar.read32(APERTURE + SharedMemory.HEADER) < 0 || session != null && !session.channel().isIdle());
        bench.function.control().await(() -> { });
    }

    /** Writes the aperture and answers what the adapter says. */
    int ask(int[] words) {
        for (int i = 0; i < words.length; i++) {
            bar.write32(APERTURE + 4L * i, words[i]);
        }
        settle();
        return bar.read32(APERTURE + SharedMemory.HEADER);
    }

    int establish() {
        for (int page = 0; page < 4; page++) {
            RawMemory.clear(at(page), PAGE);
        }
        sent = 0;
        posted = 0;
        consumed = 64;
        int answer = ask(new Establish(dma(0), dma(1), dma(2), dma(3), 0).encode());
        key = RawMemory.get32(at(0) + 9 * 16) & 0xff_ffff;
        return answer;
    }

    int destroy() {
        bar.write32(APERTURE + SharedMemory.HEADER, SharedMemory.request(SharedMemory.DESTROY));
        settle();
        return bar.read32(APERTURE + SharedMemory.HEADER);
    }

    void ring(int page, int slot, long word) {
        bar.write64(DOORBELLS + (long) page * PAGE + slot, word);
    }

    void post() {
        long at = at(2) + (posted & PAGE - 1);
        RawMemory.put32(at, 0);
        RawMemory.put32(at + 4, 0x201);
        RawMemory.put64(at + 0x10, dma(RESPONSE));
        RawMemory.put32(at + 0x18, key);
        RawMemory.put32(at + 0x1c, PAGE);
        posted += 32;
        ring(0, Doorbell.RECEIVE, Doorbell.work(Channel.RECEIVE_QUEUE, posted));
    }

    void send(int length) {
        long at = at(3) + (sent & PAGE - 1);
        RawMemory.put32(at, 0);
        RawMemory.put32(at + 4, 0x601);
        RawMemory.put64(at + 0x20, dma(REQUEST));
        RawMemory.put32(at + 0x28, key);
        RawMemory.put32(at + 0x2c, length);
        sent += 64;
        ring(0, Doorbell.SEND, Doorbell.work(Channel.SEND_QUEUE, sent));
    }

    /** Sends a message and answers the response; {@code null} if there was none. */
    byte[] call(byte[] message) {
        RawMemory.copy(message, 0, at(REQUEST), message.length);
        post();
        send(message.length);
        settle();
        byte[] response = null;
        while (true) {
            long entry = at(1) + (consumed & 63) * 64L;
            int last = RawMemory.getAcquire32(entry + 60);
            if (last >>> 29 != (consumed >>> 6 & 7)) {
                return response;
            }
            consumed++;
            if ((last & 1 << 24) == 0) {
                response = new byte[RawMemory.get32(entry + 0x18)];
                RawMemory.copy(at(RESPONSE), response, 0, response.length);
            }
        }
    }

    /** The bytes of something the adapter wrote. */
    byte[] bytes(int page, int offset, int length) {
        byte[] bytes = new byte[length];
        RawMemory.copy(at(page) + offset, bytes, 0, length);
        return bytes;
    }

    boolean isUntouched(int page) {
        return Arrays.equals(bytes(page, 0, PAGE), new byte[PAGE]);
    }

    @Override
    public void close() {
        bench.function.dma().clear();
        block.close();
    }
}
