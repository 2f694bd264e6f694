package io.manafold.netshaper.internal.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Numbers of netlink and of its generic part, and reading of numbers in the order of this machine. */
public final class Netlink {
    public static final int HEADER = 16;
    /** With the generic part. */
    public static final int GENERIC_HEADER = 20;
    public static final int ATTRIBUTE_HEADER = 4;

    public static final int REQUEST = 1;
    public static final int MULTI = 2;
    public static final int ACK = 4;
    public static final int ECHO = 8;
    public static final int DUMP = 0x300;
    public static final int CAPPED = 0x100;
    public static final int WITH_ATTRIBUTES = 0x200;

    public static final int ERROR = 2;
    public static final int DONE = 3;
    /** Types below this are netlink's own. */
    public static final int FIRST_TYPE = 0x10;
    public static final int CONTROLLER = 0x10;

    public static final int NESTED = 0x8000;
    public static final int TYPE_MASK = 0x3fff;

    /** What a refusal says beyond its number. */
    public static final int ERROR_TEXT = 1;
    public static final int ERROR_OFFSET = 2;
    public static final int ERROR_RULE = 4;
    public static final int ERROR_MISSING = 5;
    public static final int ERROR_MISSING_IN = 6;

    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.nativeOrder());
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private Netlink() {
    }

    public static int aligned(int length) {
        return length + 3 & ~3;
    }

    public static int get16(byte[] from, int at) {
        return (short) SHORT.get(from, at) & 0xffff;
    }

    public static int get32(byte[] from, int at) {
        return (int) INT.get(from, at);
    }

    public static long get64(byte[] from, int at) {
        return (long) LONG.get(from, at);
    }

    public static void put16(byte[] into, int at, int value) {
        SHORT.set(into, at, (short) value);
    }

    public static void put32(byte[] into, int at, int value) {
        INT.set(into, at, value);
    }

    public static void put64(byte[] into, int at, long value) {
        LONG.set(into, at, value);
    }
}
