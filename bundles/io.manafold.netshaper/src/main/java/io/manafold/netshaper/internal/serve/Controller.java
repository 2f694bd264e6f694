package io.manafold.netshaper.internal.serve;

import io.manafold.api.refusal.Errno;
import io.manafold.netshaper.internal.family.Family;
import io.manafold.netshaper.internal.family.Operation;
import io.manafold.netshaper.internal.wire.Complaint;
import io.manafold.netshaper.internal.wire.MessageWriter;
import io.manafold.netshaper.internal.wire.Netlink;
import java.nio.charset.StandardCharsets;

/** The family that knows the others: asked for one by name, it answers with its number and operations. */
public final class Controller {
    public static final int GET_FAMILY = 3;
    public static final int NEW_FAMILY = 1;
    public static final int VERSION = 2;
    public static final int FAMILY_ID = 1;
    public static final int FAMILY_NAME = 2;
    private static final int FAMILY_VERSION = 3;
    private static final int HEADER_SIZE = 4;
    private static final int MOST_ATTRIBUTE = 5;
    private static final int OPERATIONS = 6;
    private static final int OPERATION_ID = 1;
    private static final int OPERATION_FLAGS = 2;

    private final Family family;
    private final int id;

    Controller(Family family, int id) {
        this.family = family;
        this.id = id;
    }

    boolean knows(int command) {
        return command == GET_FAMILY;
    }

    /** Whether the request means the family here; one that names none does in a dump. */
    void check(byte[] request, boolean dumps) {
        boolean named = false;
        int at = Netlink.GENERIC_HEADER;
        while (request.length - at >= Netlink.ATTRIBUTE_HEADER) {
            int length = Netlink.get16(request, at);
            if (length < Netlink.ATTRIBUTE_HEADER || length > request.length - at) {
                break;
            }
            int value = at + Netlink.ATTRIBUTE_HEADER;
            int size = length - Netlink.ATTRIBUTE_HEADER;
            switch (Netlink.get16(request, at + 2) & Netlink.TYPE_MASK) {
                case FAMILY_NAME -> {
                    named = true;
                    String name = new String(request, value, size, StandardCharsets.UTF_8).replace("\0", "");
                    unless(name.equals(family.name()));
                }
                case FAMILY_ID -> {
                    named = true;
                    unless(size == 2 && Netlink.get16(request, value) == id);
                }
                default -> { }
            }
            at += Math.min(Netlink.aligned(length), request.length - at);
        }
        if (!named && !dumps) {
            throw Complaint.of(Errno.EINVAL, "Which family? Name it, or its number.");
        }
    }

    private void unless(boolean ours) {
        if (!ours) {
            throw Complaint.of(Errno.ENOENT, "There is no such family here; there is " + family.name() + ".");
        }
    }

    void write(MessageWriter into) {
        into.generic(NEW_FAMILY, VERSION).text(FAMILY_NAME, family.name()).u16(FAMILY_ID, id)
                .u32(FAMILY_VERSION, family.version()).u32(HEADER_SIZE, 0).u32(MOST_ATTRIBUTE, 0);
        int list = into.nest(OPERATIONS);
        int number = 1;
        for (Operation operation : family.operations()) {
            int nest = into.nest(number++);
            into.u32(OPERATION_ID, operation.id()).u32(OPERATION_FLAGS, operation.flags()).endNest(nest);
        }
        into.endNest(list);
    }
}
