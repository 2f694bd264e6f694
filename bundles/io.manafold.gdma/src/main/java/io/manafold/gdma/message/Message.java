package io.manafold.gdma.message;

import io.manafold.api.net.MacAddress;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.Gid;
import io.manafold.gdma.Limits;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The bytes of one request or response, a copy of one's own: little-endian fields by offset from the start of the
 * message. Reading or writing past its length is refused with {@code EPROTO}. Not for more than one thread.
 */
public final class Message {
    private static final VarHandle SHORT =
            MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final byte[] bytes;
    private int length;

    /** An empty message with room for {@link Limits#MESSAGE} bytes. */
    public Message() {
        this(new byte[Limits.MESSAGE], 0);
    }

    /** A message over the first {@code length} bytes of an array, which it then uses. */
    public Message(byte[] bytes, int length) {
        this.bytes = bytes;
        resize(length);
    }

    /** The array, also beyond the length. */
    public byte[] bytes() {
        return bytes;
    }

    public int length() {
        return length;
    }

    /** Makes it longer or shorter without touching what is in it. */
    public Message resize(int newLength) {
        if (newLength < 0 || newLength > bytes.length) {
            throw new Refusal(Errno.EPROTO, "A message of " + newLength + " bytes does not fit into " + bytes.length
                    + "; split the list or ask for less.");
        }
        length = newLength;
        return this;
    }

    /** Starts anew: zeros of this length. */
    public Message clear(int newLength) {
        resize(newLength);
        Arrays.fill(bytes, 0, newLength, (byte) 0);
        return this;
    }

    /** Refuses a message shorter than this; {@code what} names it in the sentence. */
    public Message require(int size, Object what) {
        if (length < size) {
            throw new Refusal(Errno.EPROTO, "The message " + what + " has " + length + " bytes and needs " + size
                    + "; send all of its fields.");
        }
        return this;
    }

    private int check(int offset, int width) {
        if (offset < 0 || width < 0 || offset > length - width) {
            throw new Refusal(Errno.EPROTO, "A field of " + width + " bytes at 0x" + Integer.toHexString(offset)
                    + " lies outside its message of " + length + " bytes; send all of its fields.");
        }
        return offset;
    }

    public int u8(int offset) {
        return bytes[check(offset, 1)] & 0xff;
    }

    public int u16(int offset) {
        return (short) SHORT.get(bytes, check(offset, 2)) & 0xffff;
    }

    public int i32(int offset) {
        return (int) INT.get(bytes, check(offset, 4));
    }

    public long i64(int offset) {
        return (long) LONG.get(bytes, check(offset, 8));
    }

    public Message put8(int offset, int value) {
        bytes[check(offset, 1)] = (byte) value;
        return this;
    }

    public Message put16(int offset, int value) {
        SHORT.set(bytes, check(offset, 2), (short) value);
        return this;
    }

    public Message put32(int offset, int value) {
        INT.set(bytes, check(offset, 4), value);
        return this;
    }

    public Message put64(int offset, long value) {
        LONG.set(bytes, check(offset, 8), value);
        return this;
    }

    /** A copy of some bytes. */
    public byte[] bytes(int offset, int count) {
        check(offset, count);
        return Arrays.copyOfRange(bytes, offset, offset + count);
    }

    public Message put(int offset, byte[] value) {
        check(offset, value.length);
        System.arraycopy(value, 0, bytes, offset, value.length);
        return this;
    }

    /** The six bytes of an address as they go over the wire. */
    public MacAddress mac(int offset) {
        check(offset, 6);
        long value = 0;
        for (int i = 0; i < 6; i++) {
            value = value << 8 | bytes[offset + i] & 0xff;
        }
        return new MacAddress(value);
    }

    public Message putMac(int offset, MacAddress mac) {
        check(offset, 6);
        for (int i = 0; i < 6; i++) {
            bytes[offset + i] = (byte) (mac.value() >>> 40 - 8 * i);
        }
        return this;
    }

    /** An address that the commands of the RDMA device carry last byte first. */
    public MacAddress reversedMac(int offset) {
        return new MacAddress(i32(offset) & 0xffff_ffffL | (long) u16(offset + 4) << 32);
    }

    public Message putReversedMac(int offset, MacAddress mac) {
        return put32(offset, (int) mac.value()).put16(offset + 4, (int) (mac.value() >>> 32));
    }

    /** A GID, of which messages carry all 16 bytes last byte first. */
    public Gid reversedGid(int offset) {
        return new Gid(i64(offset + 8), i64(offset));
    }

    public Message putReversedGid(int offset, Gid gid) {
        return put64(offset, gid.low()).put64(offset + 8, gid.high());
    }

    /** Longs that follow each other; refused before anything is allocated if they do not lie in the message. */
    public long[] longs(int offset, int count) {
        if (count < 0 || count > length >>> 3 || offset < 0 || offset > length - (count << 3)) {
            throw new Refusal(Errno.EPROTO, "A list of " + Integer.toUnsignedString(count) + " entries of 8 bytes at 0x"
                    + Integer.toHexString(offset) + " lies outside its message of " + length
                    + " bytes; send the entries that the message counts.");
        }
        long[] list = new long[count];
        for (int i = 0; i < count; i++) {
            list[i] = (long) LONG.get(bytes, offset + (i << 3));
        }
        return list;
    }

    public Message put(int offset, long[] list) {
        check(offset, list.length << 3);
        for (int i = 0; i < list.length; i++) {
            LONG.set(bytes, offset + (i << 3), list[i]);
        }
        return this;
    }

    /** Text in a field of fixed size: up to its first zero byte, never its last; a dot for what cannot be printed. */
    public String text(int offset, int size) {
        check(offset, size);
        StringBuilder text = new StringBuilder();
        for (int i = offset; i < offset + size - 1 && bytes[i] != 0; i++) {
            text.append(bytes[i] >= ' ' && bytes[i] < 0x7f ? (char) bytes[i] : '.');
        }
        return text.toString();
    }

    /** Text into a field of fixed size, cut so that a zero byte ends it. */
    public Message putText(int offset, int size, String text) {
        check(offset, size);
        byte[] ascii = text.getBytes(StandardCharsets.US_ASCII);
        int count = Math.min(ascii.length, size - 1);
        System.arraycopy(ascii, 0, bytes, offset, count);
        Arrays.fill(bytes, offset + count, offset + size, (byte) 0);
        return this;
    }
}
