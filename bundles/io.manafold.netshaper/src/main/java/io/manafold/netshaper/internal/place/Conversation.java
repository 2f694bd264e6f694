package io.manafold.netshaper.internal.place;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.netshaper.internal.family.Attribute;
import io.manafold.netshaper.internal.family.Family;
import io.manafold.netshaper.internal.family.Operation;
import io.manafold.netshaper.internal.serve.Controller;
import io.manafold.netshaper.internal.wire.AttributeReader;
import io.manafold.netshaper.internal.wire.Attributes;
import io.manafold.netshaper.internal.wire.MessageWriter;
import io.manafold.netshaper.internal.wire.Netlink;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** Speaks the family over a line: operations become messages, and answers maps or refusals. */
final class Conversation {
    private final Family family = Family.NET_SHAPER;
    private final Line line;
    private final String who;
    /**
     * Begins anywhere, so that what is meant for another conversation over the same line is not taken for an answer.
     */
    private final AtomicInteger sequence = new AtomicInteger(ThreadLocalRandom.current().nextInt());

    /** @param who answers, for sentences where they give none */
    Conversation(Line line, String who) {
        this.line = line;
        this.who = who;
    }

    /** The number of a family there, or −1 if it is not known. */
    int resolve(String name) {
        byte[] request = new MessageWriter().begin(Netlink.CONTROLLER, Netlink.REQUEST | Netlink.ACK, nextSequence(), 0)
                .generic(Controller.GET_FAMILY, 1).text(Controller.FAMILY_NAME, name).end().bytes();
        for (byte[] message : line.exchange(request)) {
            if (Netlink.get16(message, 4) == Netlink.CONTROLLER) {
                return PlainAttributes.of(message).number(Controller.FAMILY_ID);
            }
        }
        return -1;
    }

    /** Ties an answer to its request. */
    int nextSequence() {
        return sequence.incrementAndGet();
    }

    /** The request as a message. */
    byte[] request(int number, Operation operation, Map<String, Object> attributes, boolean dumps) {
        try {
            return new MessageWriter().begin(number, Netlink.REQUEST | (dumps ? Netlink.DUMP : Netlink.ACK),
                    nextSequence(), 0).generic(operation.id(), family.version())
                    .attributes(operation.set(), attributes).end().bytes();
        } catch (IllegalArgumentException wrong) {
            throw new Refusal(Errno.EINVAL, wrong.getMessage());
        }
    }

    Operation operation(String name) {
        Operation operation = family.named(name);
        if (operation == null) {
            throw new Refusal(Errno.EOPNOTSUPP, "There is no operation '" + name + "'; there is "
                    + String.join(", ", family.operations().stream().map(Operation::name).toList()) + ".");
        }
        return operation;
    }

    List<Map<String, Object>> perform(int number, String name, Map<String, Object> attributes, boolean dumps) {
        Operation operation = operation(name);
        byte[] request = request(number, operation, attributes, dumps);
        List<Map<String, Object>> replies = new ArrayList<>();
        for (byte[] message : line.exchange(request)) {
            int type = Netlink.get16(message, 4);
            if (type == Netlink.ERROR && message.length < Netlink.GENERIC_HEADER) {
                throw new Refusal(Errno.EPROTO, who + " answers '" + name + "' with " + message.length
                        + " bytes, too few to say whether it is done.");
            }
            if (type == Netlink.ERROR && Netlink.get32(message, Netlink.HEADER) != 0) {
                throw refusal(operation, request, message);
            } else if (type == number) {
                replies.add(AttributeReader.reply(message, operation.set()).map());
            }
        }
        return replies;
    }

    private Refusal refusal(Operation operation, byte[] request, byte[] message) {
        int error = -Netlink.get32(message, Netlink.HEADER);
        int flags = Netlink.get16(message, 6);
        String text = "";
        String fault = "";
        if ((flags & Netlink.WITH_ATTRIBUTES) != 0 && message.length >= Netlink.GENERIC_HEADER + Netlink.HEADER) {
            int at = Netlink.GENERIC_HEADER + Netlink.aligned((flags & Netlink.CAPPED) != 0 ? Netlink.HEADER
                    : Netlink.get32(message, Netlink.GENERIC_HEADER));
            while (at >= 0 && message.length - at >= Netlink.ATTRIBUTE_HEADER) {
                int length = Netlink.get16(message, at);
                if (length < Netlink.ATTRIBUTE_HEADER || length > message.length - at) {
                    break;
                }
                int value = at + Netlink.ATTRIBUTE_HEADER;
                switch (Netlink.get16(message, at + 2) & Netlink.TYPE_MASK) {
                    case Netlink.ERROR_TEXT -> text = new String(message, value, length - Netlink.ATTRIBUTE_HEADER,
                            StandardCharsets.UTF_8).replace("\0", "").strip();
                    case Netlink.ERROR_OFFSET -> fault = length < 8 ? "" : path(operation, request,
                            Netlink.get32(message, value));
                    case Netlink.ERROR_MISSING -> fault = length < 8 ? "" : missing(operation,
                            Netlink.get32(message, value), text);
                    default -> { }
                }
                at += Math.min(Netlink.aligned(length), message.length - at);
            }
        }
        return refusal(operation, error, text, fault);
    }

    private Refusal refusal(Operation operation, int error, String text, String fault) {
        Errno errno = Errnos.of(error);
        String sentence = !text.isEmpty() ? text : who + " refuses '" + operation.name() + "': "
                + Errnos.meaning(error);
        boolean ended = sentence.endsWith(".");
        return new Refusal(errno, fault.isEmpty() ? ended ? sentence : sentence + "."
                : (ended ? sentence.substring(0, sentence.length() - 1) : sentence) + " (at " + fault + ").");
    }

    private static String path(Operation operation, byte[] request, int offset) {
        Attributes sent = AttributeReader.reply(request, operation.set());
        return sent.path(offset);
    }

    /** Its name, as far as it can be told: numbers of sets overlap. */
    private static String missing(Operation operation, int number, String text) {
        Attribute attribute = operation.set().numbered(number);
        return attribute == null || text.contains("'") ? "" : "missing ." + attribute.name();
    }
}
