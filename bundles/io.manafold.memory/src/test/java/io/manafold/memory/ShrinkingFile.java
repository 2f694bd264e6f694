package io.manafold.memory;

import io.manafold.linux.Linux;
import io.manafold.linux.Memfd;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Runs in a virtual machine of its own: touches memory of a file that another thread shortens and lengthens without
 * pause, in every way {@link RawMemory} offers, and says how often it was told of a fault. Dying is the failure.
 */
final class ShrinkingFile {
    private static final int PAGES = 16;
    private static final int LENGTH = PAGES * RawMemory.PAGE;
    private static final int FAULTS = 10;

    private static volatile boolean over;
    private static long sink;

    private final long shared;
    private final long own;
    private final byte[] array = new byte[LENGTH];

    private ShrinkingFile(long shared, long own) {
        this.shared = shared;
        this.own = own;
    }

    public static void main(String[] arguments) throws Exception {
        DmaBlock own = new DmaBlock("own", LENGTH);
        Memfd file = Memfd.create("shared", LENGTH);
        long shared = Linux.map(file.descriptor().number(), 0, LENGTH, true);
        ShrinkingFile program = new ShrinkingFile(shared, own.address());
        Map<String, Runnable> ways = program.ways();
        ways.values().forEach(ShrinkingFile::warmUp);

        Thread shrinker = new Thread(() -> shrinkAndGrow(file));
        shrinker.start();
        for (Map.Entry<String, Runnable> way : ways.entrySet()) {
            System.out.println(way.getKey() + " " + faults(way.getValue()));
        }
        over = true;
        shrinker.join();
        // the sum is told so that no compiler finds it unused
        System.out.println("alive " + (sink | 1));
    }

    private static void warmUp(Runnable way) {
        long until = System.nanoTime() + 40_000_000;
        while (System.nanoTime() - until < 0) {
            way.run();
        }
    }

    private static void shrinkAndGrow(Memfd file) {
        try {
            while (!over) {
                file.truncate(0);
                Thread.onSpinWait();
                file.truncate(LENGTH);
                Thread.onSpinWait();
            }
        } catch (java.io.IOException failed) {
            throw new java.io.UncheckedIOException(failed);
        }
    }

    /** Repeats until enough faults were reported, or enough time has gone by. */
    private static int faults(Runnable way) {
        int faults = 0;
        long until = System.nanoTime() + 60_000_000_000L;
        while (faults < FAULTS && System.nanoTime() - until < 0) {
            try {
                way.run();
            } catch (InternalError fault) {
                faults++;
            }
        }
        return faults;
    }

    private Map<String, Runnable> ways() {
        Map<String, Runnable> ways = new LinkedHashMap<>();
        ways.put("get8", this::sum8);
        ways.put("get16", this::sum16);
        ways.put("get32", this::sum32);
        ways.put("get64", this::sum64);
        ways.put("getBig16", this::sumBig16);
        ways.put("getBig32", this::sumBig32);
        ways.put("getBig64", this::sumBig64);
        ways.put("getAcquire32", this::sumAcquire32);
        ways.put("getAcquire64", this::sumAcquire64);
        ways.put("mix", this::mix);
        ways.put("shift", this::shift);
        ways.put("compare", this::compare);
        ways.put("assemble", this::assemble);
        ways.put("intoArray", this::intoArray);
        ways.put("put8", this::put8);
        ways.put("put16", this::put16);
        ways.put("put32", this::put32);
        ways.put("put64", this::put64);
        ways.put("putBig32", this::putBig32);
        ways.put("putRelease32", this::putRelease32);
        ways.put("putRelease64", this::putRelease64);
        ways.put("putPieces", this::putPieces);
        ways.put("increment", this::increment);
        ways.put("clear", () -> RawMemory.clear(shared, LENGTH));
        ways.put("clearShort", () -> pieces(60, (at, length) -> RawMemory.clear(shared + at, length)));
        ways.put("copyFrom", () -> RawMemory.copy(shared, own, LENGTH));
        ways.put("copyTo", () -> RawMemory.copy(own, shared, LENGTH));
        ways.put("copyWithin", () -> RawMemory.copy(shared, shared + 4096, LENGTH - 4096));
        for (int size : new int[] {3, 14, 40, 64, 100, 200, 600, 1500}) {
            ways.put("copyFrom" + size,
                    () -> pieces(size, (at, length) -> RawMemory.copy(shared + at, own + at, length)));
            ways.put("copyTo" + size,
                    () -> pieces(size, (at, length) -> RawMemory.copy(own + at, shared + at, length)));
            ways.put("toArray" + size,
                    () -> pieces(size, (at, length) -> RawMemory.copy(shared + at, array, at, length)));
            ways.put("fromArray" + size,
                    () -> pieces(size, (at, length) -> RawMemory.copy(array, at, shared + at, length)));
        }
        ways.put("copyConstant64", this::copyConstant64);
        ways.put("toArray", () -> RawMemory.copy(shared, array, 0, LENGTH));
        ways.put("fromArray", () -> RawMemory.copy(array, 0, shared, LENGTH));
        ways.put("readable", this::readable);
        return ways;
    }

    private interface Piece {
        void at(int offset, int length);
    }

    private static void pieces(int size, Piece piece) {
        for (int at = 0; at + size <= LENGTH; at += size) {
            piece.at(at, size);
        }
    }

    private void copyConstant64() {
        for (int at = 0; at < LENGTH; at += 64) {
            RawMemory.copy(shared + at, own + at, 64);
        }
    }

    private void sum8() {
        int sum = 0;
        for (int at = 0; at < LENGTH; at++) {
            sum += RawMemory.get8(shared + at);
        }
        sink += sum;
    }

    private void sum16() {
        int sum = 0;
        for (int at = 0; at < LENGTH; at += 2) {
            sum += RawMemory.get16(shared + at);
        }
        sink += sum;
    }

    private void sum32() {
        int sum = 0;
        for (int at = 0; at < LENGTH; at += 4) {
            sum += RawMemory.get32(shared + at);
        }
        sink += sum;
    }

    private void sum64() {
        long sum = 0;
        for (int at = 0; at < LENGTH; at += 8) {
            sum += RawMemory.get64(shared + at);
        }
        sink += sum;
    }

    private void sumBig16() {
        int sum = 0;
        for (int at = 0; at < LENGTH; at += 2) {
            sum += RawMemory.getBig16(shared + at);
        }
        sink += sum;
    }

    private void sumBig32() {
        int sum = 0;
        for (int at = 0; at < LENGTH; at += 4) {
            sum += RawMemory.getBig32(shared + at);
        }
        sink += sum;
    }

    private void sumBig64() {
        long sum = 0;
        for (int at = 0; at < LENGTH; at += 8) {
            sum += RawMemory.getBig64(shared + at);
        }
        sink += sum;
    }

    private void sumAcquire32() {
        int sum = 0;
        for (int at = 0; at < LENGTH; at += 4) {
            sum += RawMemory.getAcquire32(shared + at);
        }
        sink += sum;
    }

    private void sumAcquire64() {
        long sum = 0;
        for (int at = 0; at < LENGTH; at += 8) {
            sum += RawMemory.getAcquire64(shared + at);
        }
        sink += sum;
    }

    private void mix() {
        long sum = 0;
        for (int at = 0; at < LENGTH; at += 16) {
            long a = RawMemory.get64(shared + at);
            long b = RawMemory.get64(shared + at + 8);
            sum ^= ~a & b;
            sum += a * b;
            sum ^= Long.bitCount(a) + Long.numberOfTrailingZeros(b) + Long.numberOfLeadingZeros(a);
            sum += Math.multiplyHigh(a, b) + Math.min(a, b);
            sum ^= (a - 1 & a) + (-b & b) + (b ^ b - 1);
        }
        sink += sum;
    }

    private void shift() {
        long sum = 1;
        for (int at = 0; at < LENGTH; at += 8) {
            sum += RawMemory.get64(shared + at) >>> sum;
            sum += RawMemory.get64(shared + at) << sum;
            sum ^= RawMemory.get32(shared + at) >> (int) sum;
            sum ^= Long.rotateRight(RawMemory.get64(shared + at), 13);
            sum += RawMemory.get32(shared + at) >>> 7 & 0x1ff;
        }
        sink += sum;
    }

    private void compare() {
        int equal = 0;
        for (int at = 0; at < LENGTH; at += 8) {
            if (RawMemory.get32(shared + at) == 0x1234) {
                equal++;
            }
            if ((RawMemory.get8(shared + at + 4) & 0x10) != 0) {
                equal++;
            }
            if (RawMemory.get64(shared + at) < RawMemory.get64(own + at)) {
                equal++;
            }
        }
        sink += equal;
    }

    private void assemble() {
        long sum = 0;
        for (int at = 0; at < LENGTH; at += 8) {
            long base = shared + at;
            // a sign or its absence must not reach the load either: the machine dies at a load that widens four bytes
            sum += RawMemory.get8(base) | RawMemory.get8(base + 1) << 8 | RawMemory.get8(base + 2) << 16
                    | (long) RawMemory.get8(base + 3) << 24 | RawMemory.getUnsigned32(base + 4) << 32;
        }
        sink += sum;
    }

    private void intoArray() {
        for (int at = 0; at < LENGTH; at++) {
            array[at] = (byte) RawMemory.get8(shared + at);
        }
    }

    private void put8() {
        for (int at = 0; at < LENGTH; at++) {
            RawMemory.put8(shared + at, at);
        }
    }

    private void put16() {
        for (int at = 0; at < LENGTH; at += 2) {
            RawMemory.put16(shared + at, at);
        }
    }

    private void put32() {
        for (int at = 0; at < LENGTH; at += 4) {
            RawMemory.put32(shared + at, at);
        }
    }

    private void put64() {
        for (int at = 0; at < LENGTH; at += 8) {
            RawMemory.put64(shared + at, at);
        }
    }

    private void putBig32() {
        for (int at = 0; at < LENGTH; at += 4) {
            RawMemory.putBig32(shared + at, at);
        }
    }

    private void putRelease32() {
        for (int at = 0; at < LENGTH; at += 4) {
            RawMemory.putRelease32(shared + at, at);
        }
    }

    private void putRelease64() {
        for (int at = 0; at < LENGTH; at += 8) {
            RawMemory.putRelease64(shared + at, at);
        }
    }

    private void putPieces() {
        for (int at = 0; at < LENGTH; at += 64) {
            long base = shared + at;
            RawMemory.put8(base, 1);
            RawMemory.put8(base + 1, 2);
            RawMemory.put8(base + 2, at);
            RawMemory.put8(base + 3, at >> 8);
            RawMemory.put32(base + 4, 0);
            for (int i = 8; i < 64; i += 8) {
                RawMemory.put64(base + i, 0);
            }
        }
    }

    private void increment() {
        for (int at = 0; at < LENGTH; at += 8) {
            RawMemory.put64(shared + at, RawMemory.get64(shared + at) + 1);
        }
    }

    private void readable() {
        if (!RawMemory.readable(shared, LENGTH)) {
            throw new InternalError("told, not touched");
        }
    }
}
