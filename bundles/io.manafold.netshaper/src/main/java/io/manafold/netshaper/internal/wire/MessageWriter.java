package io.manafold.netshaper.internal.wire;

import io.manafold.netshaper.internal.family.Attribute;
import io.manafold.netshaper.internal.family.AttributeSet;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Writes messages one after the other into bytes that grow. */
public final class MessageWriter {
    private byte[] bytes = new byte[256];
    private int length;
    private int start;

    /** Begins a message; what comes is in it until {@link #end}. */
    public MessageWriter begin(int type, int flags, int sequence, int port) {
        start = length;
        room(Netlink.HEADER);
        Netlink.put16(bytes, start + 4, type);
        Netlink.put16(bytes, start + 6, flags);
        Netlink.put32(bytes, start + 8, sequence);
        Netlink.put32(bytes, start + 12, port);
        return this;
    }

    /** The generic part of a header. */
    public MessageWriter generic(int command, int version) {
        int at = room(4);
        bytes[at] = (byte) command;
        bytes[at + 1] = (byte) version;
        return this;
    }

    public MessageWriter end() {
        Netlink.put32(bytes, start, length - start);
        return this;
    }

    /** A plain number outside attributes. */
    public MessageWriter number(int value) {
        int at = room(4);
        Netlink.put32(bytes, at, value);
        return this;
    }

    public MessageWriter raw(byte[] from, int offset, int count) {
        int at = room(Netlink.aligned(count));
        System.arraycopy(from, offset, bytes, at, count);
        return this;
    }

    public MessageWriter u16(int type, int value) {
        int at = attribute(type, 2);
        Netlink.put16(bytes, at, value);
        return this;
    }

    public MessageWriter u32(int type, int value) {
        int at = attribute(type, 4);
        Netlink.put32(bytes, at, value);
        return this;
    }

    public MessageWriter u64(int type, long value) {
        int at = attribute(type, 8);
        Netlink.put64(bytes, at, value);
        return this;
    }

    /** As many bytes as the value needs, four or eight. */
    public MessageWriter uint(int type, long value) {
        return value >>> 32 == 0 ? u32(type, (int) value) : u64(type, value);
    }

    public MessageWriter text(int type, String value) {
        byte[] utf = value.getBytes(StandardCharsets.UTF_8);
        int at = attribute(type, utf.length + 1);
        System.arraycopy(utf, 0, bytes, at, utf.length);
        return this;
    }

    /** Begins a nest; its type carries the mark of nests if it is to. */
    public int nest(int type) {
        return attribute(type, 0) - Netlink.ATTRIBUTE_HEADER;
    }

    public MessageWriter endNest(int nest) {
        Netlink.put16(bytes, nest, length - nest);
        return this;
    }

    /**
     * Attributes by their names, in the order of the map.
     *
     * @throws IllegalArgumentException for a name or value that the set does not have, with a sentence about it
     */
    public MessageWriter attributes(AttributeSet set, Map<?, ?> values) {
        values.forEach((name, value) -> {
            Attribute attribute = set.named(String.valueOf(name));
            if (attribute == null) {
                throw new IllegalArgumentException("There is no attribute '" + name + "' here; there is "
                        + String.join(", ", set.all().stream().map(Attribute::name).toList()) + ".");
            }
            if (attribute.repeated() && value instanceof List<?> list) {
                list.forEach(one -> attribute(attribute, one));
            } else {
                attribute(attribute, value);
            }
        });
        return this;
    }

    private void attribute(Attribute attribute, Object value) {
        switch (attribute.type()) {
            case FLAG -> {
                if (Boolean.TRUE.equals(value)) {
                    attribute(attribute.id(), 0);
                }
            }
            case U32 -> u32(attribute.id(), (int) number(attribute, value));
            case UINT -> uint(attribute.id(), number(attribute, value));
            case NEST -> {
                if (!(value instanceof Map<?, ?> map)) {
                    throw wrong(attribute, value, "attributes of its own");
                }
                int nest = nest(attribute.id() | Netlink.NESTED);
                attributes(attribute.nested(), map);
                endNest(nest);
            }
        }
    }

    private static long number(Attribute attribute, Object value) {
        if (value instanceof Number number && !(value instanceof Double) && !(value instanceof Float)) {
            return number.longValue();
        }
        if (value instanceof String word && attribute.words().contains(word)) {
            return attribute.words().indexOf(word);
        }
        throw wrong(attribute, value, attribute.words().isEmpty() ? "a whole number"
                : "one of " + String.join(", ", attribute.words()));
    }

    private static IllegalArgumentException wrong(Attribute attribute, Object value, String wanted) {
        return new IllegalArgumentException(attribute.name() + " is " + wanted + ", not '" + value + "'.");
    }

    private int attribute(int type, int payload) {
        int at = room(Netlink.ATTRIBUTE_HEADER + Netlink.aligned(payload));
        Netlink.put16(bytes, at, Netlink.ATTRIBUTE_HEADER + payload);
        Netlink.put16(bytes, at + 2, type);
        return at + Netlink.ATTRIBUTE_HEADER;
    }

    /** Zeros for what comes; answers where they begin. It may put all into another array. */
    private int room(int count) {
        int at = length;
        length += count;
        if (length > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(length, 2 * bytes.length));
        }
        return at;
    }

    public int length() {
        return length;
    }

    /** Forgets what was written behind this length. */
    public void cut(int to) {
        Arrays.fill(bytes, to, length, (byte) 0);
        length = to;
    }

    public byte[] bytes() {
        return Arrays.copyOf(bytes, length);
    }
}
