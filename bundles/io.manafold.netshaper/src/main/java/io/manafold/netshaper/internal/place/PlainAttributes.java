package io.manafold.netshaper.internal.place;

import io.manafold.netshaper.internal.wire.Netlink;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/** Attributes of families that are not described by a file, found by their numbers. */
final class PlainAttributes {
    private final byte[] bytes;

    private PlainAttributes(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Those of a message of generic netlink. */
    static PlainAttributes of(byte[] message) {
        return new PlainAttributes(Arrays.copyOfRange(message, Math.min(Netlink.GENERIC_HEADER, message.length),
                message.length));
    }

    /** The value of the first that has the number. */
    private Optional<byte[]> value(int number) {
        int at = 0;
        while (bytes.length - at >= Netlink.ATTRIBUTE_HEADER) {
            int length = Netlink.get16(bytes, at);
            if (length < Netlink.ATTRIBUTE_HEADER || length > bytes.length - at) {
                break;
            }
            if ((Netlink.get16(bytes, at + 2) & Netlink.TYPE_MASK) == number) {
                return Optional.of(Arrays.copyOfRange(bytes, at + Netlink.ATTRIBUTE_HEADER, at + length));
            }
            at += Math.min(Netlink.aligned(length), bytes.length - at);
        }
        return Optional.empty();
    }

    /** What is in a nest; nothing if there is none. */
    PlainAttributes nest(int number) {
        return new PlainAttributes(value(number).orElse(new byte[0]));
    }

    /** A number of two or four bytes, or −1. */
    int number(int number) {
        byte[] value = value(number).orElse(new byte[0]);
        return switch (value.length) {
            case 2 -> Netlink.get16(value, 0);
            case 4 -> Netlink.get32(value, 0);
            default -> -1;
        };
    }

    /** A text, or an empty one. */
    String text(int number) {
        return value(number).map(value -> new String(value, StandardCharsets.UTF_8).replace("\0", "")).orElse("");
    }
}
