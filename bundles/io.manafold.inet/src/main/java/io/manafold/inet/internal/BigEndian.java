package io.manafold.inet.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Numbers in network order in an array. */
final class BigEndian {
    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private BigEndian() {
    }

    static int get8(byte[] bytes, int at) {
        return bytes[at] & 0xff;
    }

    static int get16(byte[] bytes, int at) {
        return (short) SHORT.get(bytes, at) & 0xffff;
    }

    static int get32(byte[] bytes, int at) {
        return (int) INT.get(bytes, at);
    }

    static long get64(byte[] bytes, int at) {
        return (long) LONG.get(bytes, at);
    }

    /** A MAC address. */
    static long get48(byte[] bytes, int at) {
        return (long) get16(bytes, at) << 32 | get32(bytes, at + 2) & 0xffff_ffffL;
    }

    static void put8(byte[] bytes, int at, int value) {
        bytes[at] = (byte) value;
    }

    static void put16(byte[] bytes, int at, int value) {
        SHORT.set(bytes, at, (short) value);
    }

    static void put32(byte[] bytes, int at, int value) {
        INT.set(bytes, at, value);
    }

    static void put64(byte[] bytes, int at, long value) {
        LONG.set(bytes, at, value);
    }

    static void put48(byte[] bytes, int at, long value) {
        put16(bytes, at, (int) (value >>> 32));
        put32(bytes, at + 2, (int) value);
    }
}
