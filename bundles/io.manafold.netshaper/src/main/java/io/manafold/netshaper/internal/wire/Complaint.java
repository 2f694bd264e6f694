package io.manafold.netshaper.internal.wire;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.netshaper.internal.family.Attribute;
import io.manafold.netshaper.internal.family.Type;

/** A refusal that names what in the request was wrong: an attribute by its place, or one that is missing. */
public final class Complaint extends Refusal {
    private static final long serialVersionUID = 1L;
    private static final int NONE = -1;
    private static final int LEAST = 4;
    private static final int GREATEST = 5;
    private static final int TYPE = 1;

    private final int offset;
    private final int missing;
    private final int missingIn;
    private final transient Attribute rule;

    private Complaint(Errno errno, String sentence, int offset, int missing, int missingIn, Attribute rule) {
        super(errno, sentence);
        this.offset = offset;
        this.missing = missing;
        this.missingIn = missingIn;
        this.rule = rule;
    }

    public static Complaint of(Errno errno, String sentence) {
        return new Complaint(errno, sentence, NONE, NONE, NONE, null);
    }

    /** @param offset of the attribute, from the beginning of the request */
    public static Complaint at(int offset, Errno errno, String sentence) {
        return new Complaint(errno, sentence, offset, NONE, NONE, null);
    }

    /** @param rule the attribute whose rule was broken */
    public static Complaint against(Attribute rule, int offset, Errno errno, String sentence) {
        return new Complaint(errno, sentence, offset, NONE, NONE, rule);
    }

    public static Complaint missing(Attribute attribute) {
        return new Complaint(Errno.EINVAL, "The attribute '" + attribute.name() + "' is missing: "
                + attribute.about() + ".", NONE, attribute.id(), NONE, null);
    }

    /** @param nest the offset of the nest in which it is missing */
    public static Complaint missing(Attribute attribute, int nest) {
        return new Complaint(Errno.EINVAL, "The attribute '" + attribute.name() + "' is missing: "
                + attribute.about() + ".", NONE, attribute.id(), nest, null);
    }

    /** Writes what there is beyond number and sentence, as attributes of a refusal. */
    public void write(MessageWriter into) {
        if (offset != NONE) {
            into.u32(Netlink.ERROR_OFFSET, offset);
        }
        if (rule != null) {
            int nest = into.nest(Netlink.ERROR_RULE | Netlink.NESTED);
            if (rule.type() == Type.U32 || rule.type() == Type.UINT) {
                into.u64(LEAST, 0).u64(GREATEST, rule.max());
            }
            into.u32(TYPE, rule.type().number()).endNest(nest);
        }
        if (missing != NONE) {
            into.u32(Netlink.ERROR_MISSING, missing);
        }
        if (missingIn != NONE) {
            into.u32(Netlink.ERROR_MISSING_IN, missingIn);
        }
    }
}
