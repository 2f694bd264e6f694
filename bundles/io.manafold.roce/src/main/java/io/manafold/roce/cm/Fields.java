package io.manafold.roce.cm;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** A message's fields by their place behind the header of its datagram. */
final class Fields {
    private final byte[] mad;
    private final ByteBuffer bytes;

    private Fields(byte[] mad) {
        this.mad = mad;
        bytes = ByteBuffer.wrap(mad, Mad.HEADER, Mad.BYTES - Mad.HEADER).slice();
    }

    /** Of a datagram that must be of this kind. */
    static Fields of(byte[] mad, int attribute) {
        Mad.expect(mad, attribute);
        return new Fields(mad);
    }

    /** Of a new one. */
    static Fields create(int attribute, long transaction) {
        return new Fields(new Mad(attribute, transaction).encode());
    }

    byte[] mad() {
        return mad;
    }

    int get8(int at) {
        return bytes.get(at) & 0xff;
    }

    int get16(int at) {
        return bytes.getShort(at) & 0xffff;
    }

    int get24(int at) {
        return bytes.getInt(at) >>> 8;
    }

    int get32(int at) {
        return bytes.getInt(at);
    }

    long get64(int at) {
        return bytes.getLong(at);
    }

    byte[] get(int at, int length) {
        return Arrays.copyOfRange(mad, Mad.HEADER + at, Mad.HEADER + at + length);
    }

    Fields put8(int at, int value) {
        bytes.put(at, (byte) value);
        return this;
    }

    Fields put16(int at, int value) {
        bytes.putShort(at, (short) value);
        return this;
    }

    Fields put24(int at, int value) {
        return put16(at, value >>> 8).put8(at + 2, value);
    }

    Fields put32(int at, int value) {
        bytes.putInt(at, value);
        return this;
    }

    Fields put64(int at, long value) {
        bytes.putLong(at, value);
        return this;
    }

    /** Data of a length that the message leaves open; the rest is zero. */
    Fields put(int at, byte[] data, int most) {
        if (data.length > most) {
            throw new Refusal(Errno.EINVAL, "the message has room for %d bytes of data, not %d".formatted(most,
                    data.length));
        }
        bytes.put(at, data);
        return this;
    }
}
