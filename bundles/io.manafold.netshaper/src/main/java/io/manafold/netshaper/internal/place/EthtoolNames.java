package io.manafold.netshaper.internal.place;

import io.manafold.netshaper.internal.wire.MessageWriter;
import io.manafold.netshaper.internal.wire.Netlink;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * The interfaces at the other end of a line, as the family {@code ethtool} tells them: it is generic netlink as well,
 * so the same line leads there. A number is taken for itself; where there is no such family, nothing else is known.
 */
final class EthtoolNames implements Names {
    private static final String FAMILY = "ethtool";
    private static final int VERSION = 1;
    /** The state of the link: every interface has one, and it is short. */
    private static final int LINK_STATE = 6;
    private static final int HEADER = 1;
    private static final int HEADER_INDEX = 1;
    private static final int HEADER_NAME = 2;

    private final Line line;
    private final Conversation conversation;

    EthtoolNames(Line line, Conversation conversation) {
        this.line = line;
        this.conversation = conversation;
    }

    private Map<String, Integer> numbers() {
        Map<String, Integer> numbers = new TreeMap<>();
        int family = conversation.resolve(FAMILY);
        if (family < 0) {
            return numbers;
        }
        byte[] request = new MessageWriter().begin(family, Netlink.REQUEST | Netlink.DUMP, conversation.nextSequence(),
                0).generic(LINK_STATE, VERSION).end().bytes();
        for (byte[] message : line.exchange(request)) {
            PlainAttributes header = PlainAttributes.of(message).nest(HEADER);
            if (Netlink.get16(message, 4) == family && !header.text(HEADER_NAME).isEmpty()) {
                numbers.put(header.text(HEADER_NAME), header.number(HEADER_INDEX));
            }
        }
        return numbers;
    }

    @Override
    public List<String> all() {
        return List.copyOf(numbers().keySet());
    }

    @Override
    public OptionalInt number(String name) {
        Integer number = numbers().get(name);
        return number != null ? OptionalInt.of(number)
                : name.matches("[1-9][0-9]{0,8}") ? OptionalInt.of(Integer.parseInt(name)) : OptionalInt.empty();
    }
}
