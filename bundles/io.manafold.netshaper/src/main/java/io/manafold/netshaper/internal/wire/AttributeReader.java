package io.manafold.netshaper.internal.wire;

import io.manafold.api.refusal.Errno;
import io.manafold.netshaper.internal.family.Attribute;
import io.manafold.netshaper.internal.family.AttributeSet;
import io.manafold.netshaper.internal.family.Operation.Request;
import io.manafold.netshaper.internal.family.Type;
import java.util.List;

/** Reads attributes, strictly: every byte has to be right before anything is done. */
public final class AttributeReader {
    private final byte[] message;

    public AttributeReader(byte[] message) {
        this.message = message;
    }

    /** What a request holds behind its headers. */
    public Attributes request(AttributeSet set, Request rules) {
        return read(set, rules, Netlink.GENERIC_HEADER, message.length, 0);
    }

    /** What a reply holds; numbers that the set does not have are passed over. */
    public static Attributes reply(byte[] message, AttributeSet set) {
        return new AttributeReader(message).read(set, null, Netlink.GENERIC_HEADER, message.length, 0);
    }

    private Attributes read(AttributeSet set, Request rules, int from, int to, int nest) {
        Attributes read = new Attributes(set, nest);
        boolean strict = rules != null;
        int at = from;
        while (to - at >= Netlink.ATTRIBUTE_HEADER) {
            int length = Netlink.get16(message, at);
            if (length < Netlink.ATTRIBUTE_HEADER || length > to - at) {
                break;
            }
            one(read, set, rules, at, length);
            at += Math.min(Netlink.aligned(length), to - at);
        }
        if (at < to && strict) {
            throw Complaint.of(Errno.EINVAL, (to - at) + " bytes are left behind the last attribute; attributes are "
                    + "a header of four bytes and what its length says, aligned to four.");
        }
        return read;
    }

    private void one(Attributes into, AttributeSet set, Request rules, int at, int length) {
        int type = Netlink.get16(message, at + 2);
        int number = type & Netlink.TYPE_MASK;
        Attribute attribute = set.numbered(number);
        boolean strict = rules != null;
        if (strict) {
            if (number == 0 || number > rules.bound()) {
                throw Complaint.at(at, Errno.EINVAL, "The number " + number
                        + " is of no attribute; here they go from 1 to " + rules.bound() + ".");
            }
            if (attribute == null || !rules.takes(attribute)) {
                throw Complaint.at(at, Errno.EINVAL, "The attribute " + (attribute == null ? number
                        : "'" + attribute.name() + "'") + " is not taken here; there is "
                        + String.join(", ", rules.attributes().stream().map(Attribute::name).toList()) + ".");
            }
        } else if (attribute == null) {
            return;
        }
        int payload = length - Netlink.ATTRIBUTE_HEADER;
        if (!fits(attribute, payload)) {
            if (!strict) {
                return;
            }
            throw Complaint.against(attribute, at, Errno.EINVAL, "'" + attribute.name() + "' has " + payload
                    + " bytes of value; it takes " + (attribute.type() == Type.UINT ? "4 or 8." : "4."));
        }
        boolean nested = (type & Netlink.NESTED) != 0;
        if (strict && nested != (attribute.type() == Type.NEST)) {
            throw Complaint.against(attribute, at, Errno.EINVAL, nested
                    ? "'" + attribute.name() + "' is marked as a nest and is none."
                    : "'" + attribute.name() + "' is a nest and is not marked as one (bit 0x8000 of its type).");
        }
        value(into, attribute, strict, at, payload);
    }

    private void value(Attributes into, Attribute attribute, boolean strict, int at, int payload) {
        int value = at + Netlink.ATTRIBUTE_HEADER;
        if (attribute.type() == Type.NEST) {
            if (strict && payload > 0 && payload < Netlink.ATTRIBUTE_HEADER) {
                throw Complaint.against(attribute, at, Errno.ERANGE, "'" + attribute.name()
                        + "' is too short for a nest.");
            }
            AttributeSet inner = attribute.nested();
            Request rules = strict ? new Request(List.copyOf(inner.all()), inner.bound()) : null;
            into.add(attribute, at, 0, read(inner, rules, value, value + payload, at));
            return;
        }
        long number = switch (payload) {
            case 4 -> Integer.toUnsignedLong(Netlink.get32(message, value));
            case 8 -> Netlink.get64(message, value);
            default -> 0;
        };
        if (Long.compareUnsigned(number, attribute.max()) > 0) {
            if (!strict) {
                return;
            }
            throw Complaint.against(attribute, at, Errno.ERANGE, "'" + attribute.name() + "' is "
                    + Long.toUnsignedString(number) + "; it goes from 0 to " + Long.toUnsignedString(attribute.max())
                    + ".");
        }
        into.add(attribute, at, number, null);
    }

    private static boolean fits(Attribute attribute, int payload) {
        return switch (attribute.type()) {
            case U32 -> payload == 4;
            case UINT -> payload == 4 || payload == 8;
            case FLAG -> payload == 0;
            case NEST -> true;
        };
    }
}
