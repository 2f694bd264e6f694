package io.manafold.benchmark;

import io.manafold.gdma.driver.CommandRefused;
import io.manafold.gdma.driver.EthernetSession;
import io.manafold.gdma.message.GroupShapers;
import io.manafold.gdma.message.ShaperValues;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

/**
 * A driver that has as many shapers as it may, and puts them all below one node, then below another; also the same one
 * many times.
 */
final class Hostile {
    private static final int FIRST = 1000;

    private final EthernetSession session;
    private final long vport;
    private final int leaves;
    private long messages;

    Hostile(EthernetSession session, int leaves) {
        this.session = session;
        this.vport = session.vports().getFirst().vport();
        this.leaves = leaves;
        // half of them are below the other half
        IntStream.range(0, leaves / 2).forEach(id -> call(new GroupShapers(vport, node(FIRST + id), false,
                List.of(node(FIRST + leaves / 2 + id)))));
    }

    private static ShaperValues node(int id) {
        return new ShaperValues(ShaperValues.NODE, id, ShaperValues.NETDEV, 0, 0, 0, 1, 0, 1_000_000, 0);
    }

    long messages() {
        return messages;
    }

    void run(AtomicBoolean end) {
        for (int top = 0; !end.get(); top ^= 1) {
            int now = top;
            group(end, now, IntStream.range(0, leaves / 2).mapToObj(id -> node(FIRST + id)).toList());
            group(end, now, IntStream.range(0, leaves).mapToObj(id -> node(FIRST)).toList());
        }
    }

    private void group(AtomicBoolean end, int top, List<ShaperValues> all) {
        for (int from = 0; from < all.size() && !end.get(); from += GroupShapers.MOST_LEAVES) {
            int to = Math.min(all.size(), from + GroupShapers.MOST_LEAVES);
            call(new GroupShapers(vport, node(top), to < all.size(), all.subList(from, to)));
        }
        if (end.get()) {
            // what was begun is given up
            call(new GroupShapers(vport, node(top), false, List.of()));
        }
    }

    private void call(GroupShapers message) {
        messages++;
        try {
            session.call(message);
        } catch (CommandRefused refused) {
            // doubles are
        }
    }
}
