package io.manafold.memory;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import io.manafold.linux.Linux;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The only place where a number becomes a pointer. Addresses come from {@link DmaTable#pointer} or {@link DmaBlock};
 * nothing is checked here, and numbers in memory are little-endian unless the name says otherwise.
 *
 * <p>The memory may be a file that a guest or another process shortens at any moment. A touch beyond the new end then
 * raises {@link InternalError}: in compiled code a little later than the access, which meanwhile has answered anything.
 * So what has been read is judged as if a stranger had written it; and the error is caught around the whole cycle, or
 * before that where {@link #settle} has been called.
 *
 * <p>The virtual machine survives the fault only at plain loads and stores. Every getter therefore passes its value
 * through a number that is always zero and that no compiler can know, so that the load stays a plain one; and
 * whatever computes over many bytes copies them to memory of its own first.
 */
public final class RawMemory {
    /** Where pages end. */
    public static final int PAGE = 4096;

    @SuppressWarnings("restricted")
    private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private static final VarHandle SHORT = at(JAVA_SHORT);
    private static final VarHandle INT = at(JAVA_INT);
    private static final VarHandle LONG = at(JAVA_LONG);
    private static final VarHandle BYTES1 = at(JAVA_BYTE);
    private static final VarHandle BYTES2 = at(JAVA_SHORT_UNALIGNED);
    private static final VarHandle BYTES4 = at(JAVA_INT_UNALIGNED);
    private static final VarHandle BYTES8 = at(JAVA_LONG_UNALIGNED);

    private static final int ADVICE_POPULATE_READ = 22;
    private static final int ADVICE_POPULATE_WRITE = 23;

    /** Always 0. Not final, so that the compiler has to look. */
    private static long opaqueZero;

    private RawMemory() {
    }

    /** All memory by address: fewer calls deep than a segment, and compilers inline only so deep. */
    private static VarHandle at(ValueLayout layout) {
        return MethodHandles.insertCoordinates(layout.varHandle(), 0, ALL);
    }

    /** Memory as others may have it: they cannot reach beyond. */
    static MemorySegment segment(long address, long length) {
        return ALL.asSlice(address, length);
    }

    /** As {@link #segment(long, long)}, but only until the arena is closed. */
    @SuppressWarnings("restricted")
    static MemorySegment segment(long address, long length, Arena arena) {
        return MemorySegment.ofAddress(address).reinterpret(length, arena, null);
    }

    /** A byte, 0 to 255. */
    public static int get8(long address) {
        return ((byte) BYTES1.get(address) | (int) opaqueZero) & 0xff;
    }

    /** Two bytes, 0 to 65535. */
    public static int get16(long address) {
        return ((short) BYTES2.get(address) | (int) opaqueZero) & 0xffff;
    }

    /** Four bytes. */
    public static int get32(long address) {
        return (int) BYTES4.get(address) | (int) opaqueZero;
    }

    /** Four bytes without a sign. */
    public static long getUnsigned32(long address) {
        return get32(address) & 0xffff_ffffL;
    }

    /** Eight bytes. */
    public static long get64(long address) {
        return (long) BYTES8.get(address) | opaqueZero;
    }

    /** Eight bytes of memory that no process can make shorter, this one neither: what is read needs no detour. */
    static long getSealed64(long address) {
        return (long) BYTES8.get(address);
    }

    /** Two bytes in network order, 0 to 65535. */
    public static int getBig16(long address) {
        return Short.toUnsignedInt(Short.reverseBytes((short) get16(address)));
    }

    /** Four bytes in network order. */
    public static int getBig32(long address) {
        return Integer.reverseBytes(get32(address));
    }

    /** Eight bytes in network order. */
    public static long getBig64(long address) {
        return Long.reverseBytes(get64(address));
    }

    /** Four bytes at a multiple of four, read before everything that is read later. */
    public static int getAcquire32(long address) {
        return (int) INT.getAcquire(address) | (int) opaqueZero;
    }

    /** Eight bytes at a multiple of eight, read before everything that is read later. */
    public static long getAcquire64(long address) {
        return (long) LONG.getAcquire(address) | opaqueZero;
    }

    /** Writes eight bytes at a multiple of eight, of memory that is sealed, if they still are what they were. */
    static boolean replaceSealed64(long address, long before, long value) {
        return LONG.compareAndSet(address, before, value);
    }

    public static void put8(long address, int value) {
        BYTES1.set(address, (byte) value);
    }

    public static void put16(long address, int value) {
        BYTES2.set(address, (short) value);
    }

    public static void put32(long address, int value) {
        BYTES4.set(address, value);
    }

    public static void put64(long address, long value) {
        BYTES8.set(address, value);
    }

    public static void putBig16(long address, int value) {
        put16(address, Short.reverseBytes((short) value));
    }

    public static void putBig32(long address, int value) {
        put32(address, Integer.reverseBytes(value));
    }

    public static void putBig64(long address, long value) {
        put64(address, Long.reverseBytes(value));
    }

    /** Two bytes at a multiple of two, written after everything that was written before. */
    public static void putRelease16(long address, int value) {
        SHORT.setRelease(address, (short) value);
    }

    /** Four bytes at a multiple of four, written after everything that was written before. */
    public static void putRelease32(long address, int value) {
        INT.setRelease(address, value);
    }

    /** Eight bytes at a multiple of eight, written after everything that was written before. */
    public static void putRelease64(long address, long value) {
        LONG.setRelease(address, value);
    }

    /** Copies bytes; the two may overlap. */
    public static void copy(long from, long to, long length) {
        MemorySegment.copy(ALL, from, ALL, to, length);
    }

    /** Copies bytes to an array. */
    public static void copy(long from, byte[] to, int offset, int length) {
        MemorySegment.copy(ALL, JAVA_BYTE, from, to, offset, length);
    }

    /** Copies bytes from an array. */
    public static void copy(byte[] from, int offset, long to, int length) {
        MemorySegment.copy(from, offset, ALL, JAVA_BYTE, to, length);
    }

    /** Writes zeroes. */
    public static void clear(long address, long length) {
        long end = address + length;
        long at = address;
        while (end - at >= 8) {
            put64(at, 0);
            at += 8;
        }
        while (at < end) {
            put8(at++, 0);
        }
    }

    /**
     * Raises the error of a fault that has happened on this thread, if it is still to come. At the end of a {@code try}
     * it makes sure that the error is caught there and nowhere later; it costs as much as copying a short frame.
     */
    public static void settle() {
        Linux.callNothing();
    }

    /**
     * Whether every page of a range can be read at this moment, asked of the kernel and not by touching. A guest may
     * shorten the file right after.
     */
    public static boolean readable(long address, long length) {
        return reachable(address, length, ADVICE_POPULATE_READ);
    }

    /** As {@link #readable}, for writing. */
    public static boolean writable(long address, long length) {
        return reachable(address, length, ADVICE_POPULATE_WRITE);
    }

    private static boolean reachable(long address, long length, int advice) {
        if (length <= 0) {
            return length == 0;
        }
        long first = address & -PAGE;
        long end = address + length + PAGE - 1 & -PAGE;
        int answer = Linux.advise(first, end - first, advice);
        // kernels before 5.14 know neither advice
        return answer == 0 || answer == -Kernel.EINVAL && Linux.advise(first, 0, advice) == -Kernel.EINVAL
                && Kernel.readableByWriting(address, length);
    }
}
