package io.manafold.adapter.internal;

import io.manafold.adapter.internal.ethernet.EthernetPort;
import io.manafold.adapter.internal.shaping.PortShapers;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.Command;
import io.manafold.gdma.Status;
import io.manafold.gdma.message.DeleteShaper;
import io.manafold.gdma.message.GroupShapers;
import io.manafold.gdma.message.Message;
import io.manafold.gdma.message.NameShaperQueues;
import io.manafold.gdma.message.QueryShaperLimits;
import io.manafold.gdma.message.QueryShaperStatistics;
import io.manafold.gdma.message.SetShaper;
import io.manafold.gdma.message.ShaperValues;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongFunction;

/** The private commands: trees of shapers, for adapters that announce them. */
final class ShaperCommands {
    /** Bits and packets a second, bw-max, burst: the vPort has no siblings to be compared with. */
    private static final int OF_VPORT = 0b0011_0011;
    private static final int ALL = 0b1111_1111;
    private static final long SHAPER_BYTES = 1024;
    private static final long LEAF_BYTES = 112;

    private final WorkObjects works;
    private final LongFunction<EthernetPort> ports;
    private final int queues;
    /** Leaves of groups whose last message has not come yet. */
    private final Map<EthernetPort, List<ShaperValues>> begun = new HashMap<>();
    private final ObjectBudget.Share budget;
    /** Memory that was taken for the shapers of a port. */
    private final Map<EthernetPort, Long> taken = new HashMap<>();

    /** @param ports finds one by the handle of its vPort, or refuses */
    ShaperCommands(WorkObjects works, ObjectBudget.Share budget, LongFunction<EthernetPort> ports, int queues) {
        this.works = works;
        this.budget = budget;
        this.ports = ports;
        this.queues = queues;
    }

    Reply reply(Command command, Message request) {
        return switch (command) {
            case QUERY_SHAPER_LIMITS -> limits(QueryShaperLimits.decode(request));
            case SET_SHAPER -> {
                SetShaper asked = SetShaper.decode(request);
                yield change(port(asked.vport()), 1, shapers -> shapers.set(asked.values()));
            }
            case DELETE_SHAPER -> {
                DeleteShaper asked = DeleteShaper.decode(request);
                yield change(port(asked.vport()), 0,
                        shapers -> shapers.delete(asked.scope(), asked.id()));
            }
            case GROUP_SHAPERS -> group(GroupShapers.decode(request));
            case QUERY_SHAPER_STATISTICS -> statistics(QueryShaperStatistics.decode(request));
            case NAME_SHAPER_QUEUES -> name(NameShaperQueues.decode(request));
            default -> throw new IllegalArgumentException(command.label());
        };
    }

    /** A group that was begun is given up by any other command. */
    private EthernetPort port(long vport) {
        EthernetPort port = ports.apply(vport);
        takeBegun(port);
        return port;
    }

    private List<ShaperValues> takeBegun(EthernetPort port) {
        List<ShaperValues> leaves = begun.remove(port);
        if (leaves == null) {
            return new ArrayList<>();
        }
        budget.give(leaves.size() * LEAF_BYTES);
        return leaves;
    }

    private static Reply limits(int capabilities) {
        return Reply.of(new QueryShaperLimits.Result(capabilities, PortShapers.DEPTH, PortShapers.MOST, 1,
                PortShapers.MOST_RATE, PortShapers.USUAL_BURST_NANOS));
    }

    private Reply limits(QueryShaperLimits asked) {
        port(asked.vport());
        return switch (asked.scope()) {
            case 0 -> limits(0);
            case ShaperValues.NETDEV -> limits(OF_VPORT);
            case ShaperValues.QUEUE, ShaperValues.NODE -> limits(ALL);
            default -> throw CommandException.invalid("scopes are 0 to 3, not "
                    + Integer.toUnsignedString(asked.scope()), "ask for one of those");
        };
    }

    private Reply group(GroupShapers asked) {
        EthernetPort port = ports.apply(asked.vport());
        List<ShaperValues> leaves = takeBegun(port);
        leaves.addAll(asked.leaves());
        if (leaves.size() > PortShapers.MOST) {
            throw CommandException.exhausted("shapers of a vPort", PortShapers.MOST);
        }
        if (asked.more()) {
            budget.take("the list of leaves", leaves.size() * LEAF_BYTES);
            begun.put(port, leaves);
            return Reply.DONE;
        }
        return change(port, leaves.size() + 1, shapers -> shapers.group(asked.node(), leaves));
    }

    private Reply statistics(QueryShaperStatistics asked) {
        EthernetPort port = port(asked.vport());
        return Reply.of(new QueryShaperStatistics.Result(ask(port,
                shapers -> shapers.statistics(asked.scope(), asked.id(), port::waiting))));
    }

    private Reply name(NameShaperQueues asked) {
        EthernetPort port = port(asked.vport());
        int[] numbers = new int[queues];
        Arrays.fill(numbers, -1);
        for (int i = 0; i < asked.objects().size(); i++) {
            WorkObject work = works.work(asked.objects().get(i));
            if (!work.isSend() || work.port() != port || numbers[work.send().slot()] >= 0) {
                throw CommandException.invalid("names are given to send queues of the vPort, once each",
                        "name each queue by its own object");
            }
            numbers[work.send().slot()] = i;
        }
        return change(port, 0, shapers -> shapers.name(numbers));
    }

    @FunctionalInterface
    private interface Change {
        void make(PortShapers shapers);
    }

    /** @param more how many shapers more there may be then */
    private Reply change(EthernetPort port, int more, Change change) {
        long before = taken.getOrDefault(port, 0L);
        long most = Math.max(before, (port.shapers() + more) * SHAPER_BYTES);
        budget.take("what is said of shapers", most - before);
        try {
            ask(port, shapers -> {
                change.make(shapers);
                return shapers;
            });
        } finally {
            long after = port.shapers() * SHAPER_BYTES;
            budget.give(most - after);
            taken.put(port, after);
        }
        return Reply.DONE;
    }

    private static <T> T ask(EthernetPort port, Function<PortShapers, T> question) {
        try {
            return port.shape(question);
        } catch (Refusal refused) {
            throw switch (refused.errno()) {
                case ENOENT -> new CommandException(Status.NOT_FOUND, refused.getMessage(), "name what is there");
                case ENOSPC -> new CommandException(Status.NO_RESOURCES, refused.getMessage(), "do with fewer");
                case EBUSY -> new CommandException(Status.BUSY, refused.getMessage(), "put them elsewhere first");
                case EINVAL -> CommandException.invalid(refused.getMessage(), "keep to that");
                default -> refused;
            };
        }
    }
}
