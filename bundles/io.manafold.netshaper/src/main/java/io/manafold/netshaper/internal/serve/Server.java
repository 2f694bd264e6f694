package io.manafold.netshaper.internal.serve;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.netshaper.internal.family.Family;
import io.manafold.netshaper.internal.family.Operation;
import io.manafold.netshaper.internal.wire.AttributeReader;
import io.manafold.netshaper.internal.wire.Attributes;
import io.manafold.netshaper.internal.wire.Complaint;
import io.manafold.netshaper.internal.wire.MessageWriter;
import io.manafold.netshaper.internal.wire.Netlink;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers messages as a kernel does, byte for byte; only the sentences are our own, and there is always one. */
public final class Server {
    /** The family's number here; a client that asks the controller learns it. */
    public static final int FAMILY_ID = 28;

    private static final Logger LOG = LoggerFactory.getLogger(Server.class);
    /** A dump goes on in another datagram beyond this. */
    private static final int DATAGRAM = 32 * 1024;
    private static final int DO_FLAGS = Netlink.REQUEST | Netlink.ACK | Netlink.ECHO;

    private final Family family = Family.NET_SHAPER;
    private final Controller controller = new Controller(family, FAMILY_ID);
    private final Operations operations;

    public Server(Operations operations) {
        this.operations = operations;
    }

    /** Carries out the requests of a datagram in turn; answers datagrams. What makes no message ends the datagram. */
    public List<byte[]> handle(byte[] datagram, Caller caller) {
        List<byte[]> answers = new ArrayList<>();
        int at = 0;
        while (datagram.length - at >= Netlink.HEADER) {
            int length = Netlink.get32(datagram, at);
            if (length < Netlink.HEADER || length > datagram.length - at) {
                break;
            }
            byte[] message = Arrays.copyOfRange(datagram, at, at + length);
            if ((Netlink.get16(message, 6) & Netlink.REQUEST) != 0 && Netlink.get16(message, 4) >= Netlink.FIRST_TYPE) {
                answer(message, caller, answers);
            } else if ((Netlink.get16(message, 6) & Netlink.ACK) != 0) {
                answers.add(Answers.done(message, caller));
            }
            at += Math.min(Netlink.aligned(length), datagram.length - at);
        }
        return answers;
    }

    private void answer(byte[] message, Caller caller, List<byte[]> answers) {
        try {
            int type = Netlink.get16(message, 4);
            if (type != FAMILY_ID && type != Netlink.CONTROLLER) {
                throw Complaint.of(Errno.ENOENT, "There is no family with the number " + type
                        + "; ask the controller for '" + family.name() + "'.");
            }
            checkHeader(message);
            int flags = Netlink.get16(message, 6);
            boolean dumps = (flags & Netlink.DUMP) == Netlink.DUMP;
            if (type == Netlink.CONTROLLER) {
                introduce(message, caller, dumps, answers);
            } else {
                carryOut(message, caller, dumps, answers);
            }
            if ((flags & Netlink.ACK) != 0 && !dumps) {
                answers.add(Answers.done(message, caller));
            }
        } catch (Refusal refused) {
            answers.add(Answers.refused(message, caller, refused));
        } catch (RuntimeException failed) {
            LOG.error("a request could not be carried out", failed);
            answers.add(Answers.refused(message, caller, Complaint.of(Errno.EIO,
                    "The request failed on a mistake of the platform; the log has more.")));
        }
    }

    private static void checkHeader(byte[] message) {
        if (message.length < Netlink.GENERIC_HEADER) {
            throw Complaint.of(Errno.EINVAL, "The message ends before its command: it has " + message.length
                    + " bytes, and " + Netlink.GENERIC_HEADER + " are headers.");
        }
        if (Netlink.get16(message, 18) != 0) {
            throw Complaint.of(Errno.EINVAL, "The last two bytes of the header are reserved and have to be 0.");
        }
        int flags = Netlink.get16(message, 6);
        int others = (flags & Netlink.DUMP) == Netlink.DUMP ? flags & ~Netlink.DUMP : flags;
        if ((others & ~DO_FLAGS) != 0) {
            throw Complaint.of(Errno.EINVAL, "The flags 0x" + Integer.toHexString(flags) + " hold more than request, "
                    + "acknowledge, echo and dump.");
        }
    }

    private void introduce(byte[] message, Caller caller, boolean dumps, List<byte[]> answers) {
        if (!controller.knows(message[Netlink.HEADER] & 0xff)) {
            throw Complaint.of(Errno.EOPNOTSUPP, "The controller only says which families there are here (command 3).");
        }
        controller.check(message, dumps);
        MessageWriter writer = begin(message, caller, dumps ? Netlink.MULTI : 0);
        controller.write(writer);
        writer.end();
        if (dumps) {
            close(writer, message, caller);
        }
        answers.add(writer.bytes());
    }

    private void carryOut(byte[] message, Caller caller, boolean dumps, List<byte[]> answers) {
        int command = message[Netlink.HEADER] & 0xff;
        Operation operation = family.numbered(command);
        Operation.Request rules = operation == null ? null : operation.request(dumps).orElse(null);
        if (rules == null) {
            throw Complaint.of(Errno.EOPNOTSUPP, operation == null ? "There is no operation with the number " + command
                    + "." : "'" + operation.name() + "' cannot be " + (dumps ? "dumped." : "done."));
        }
        if (operation.admin() && !caller.admin()) {
            throw Complaint.of(Errno.EPERM, "'" + operation.name() + "' is for administrators: only the user whom the "
                    + "platform runs as may change something.");
        }
        Attributes request = new AttributeReader(message).request(operation.set(), rules);
        if (dumps) {
            dump(message, caller, operation, operations.dump(operation, request), answers);
            return;
        }
        Map<String, Object> reply = operations.perform(operation, request);
        if (!reply.isEmpty()) {
            answers.add(begin(message, caller, 0).generic(operation.id(), family.version())
                    .attributes(operation.set(), reply).end().bytes());
        }
    }

    private void dump(byte[] message, Caller caller, Operation operation, List<Map<String, Object>> replies,
            List<byte[]> answers) {
        MessageWriter writer = new MessageWriter();
        for (Map<String, Object> reply : replies) {
            int before = writer.length();
            write(writer, message, caller, operation, reply);
            if (before > 0 && writer.length() > DATAGRAM) {
                writer.cut(before);
                answers.add(writer.bytes());
                writer = new MessageWriter();
                write(writer, message, caller, operation, reply);
            }
        }
        close(writer, message, caller);
        answers.add(writer.bytes());
    }

    private void write(MessageWriter writer, byte[] message, Caller caller, Operation operation,
            Map<String, Object> reply) {
        writer.begin(FAMILY_ID, 0, Netlink.get32(message, 8), caller.port()).generic(operation.id(), family.version())
                .attributes(operation.set(), reply).end();
    }

    private static MessageWriter begin(byte[] message, Caller caller, int flags) {
        return new MessageWriter().begin(Netlink.get16(message, 4), flags, Netlink.get32(message, 8), caller.port());
    }

    private static void close(MessageWriter writer, byte[] message, Caller caller) {
        writer.begin(Netlink.DONE, Netlink.MULTI, Netlink.get32(message, 8), caller.port()).number(0).end();
    }
}
