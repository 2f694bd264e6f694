package io.manafold.adapter.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.gdma.Status;
import io.manafold.gdma.driver.CommandRefused;
import io.manafold.gdma.driver.EthernetSession;
import io.manafold.gdma.message.DeleteShaper;
import io.manafold.gdma.message.GroupShapers;
import io.manafold.gdma.message.NameShaperQueues;
import io.manafold.gdma.message.QueryShaperLimits;
import io.manafold.gdma.message.QueryShaperStatistics;
import io.manafold.gdma.message.Request;
import io.manafold.gdma.message.SetShaper;
import io.manafold.gdma.message.ShaperValues;
import io.manafold.memory.DmaArena;
import io.manafold.testkit.PortSession;
import io.manafold.testkit.PortSettings;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Trees of shapers, as a driver says them. */
@Timeout(300)
class ShaperCommandsTest {
    private static final ShaperValues DEVICE = new ShaperValues(1, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    private static ShaperValues queue(int id) {
        return new ShaperValues(2, id, 1, 0, 0, 0, 0, 0, 1_000_000, 0);
    }

    private static ShaperValues node(int id, int parent) {
        return new ShaperValues(3, id, parent < 0 ? 1 : 3, Math.max(parent, 0), 0, 0, 0, 0, 0, 0);
    }

    private static void refused(int status, EthernetSession session, Request<?> request) {
        assertThatThrownBy(() -> session.call(request)).isInstanceOfSatisfying(CommandRefused.class,
                refused -> assertThat(Status.name(refused.status())).isEqualTo(Status.name(status)));
    }

    @Test
    void withParityTheyAreUnknown() {
        try (Bench bench = new Bench("linux", "shapers", "parity"); DmaArena memory = bench.memory(2);
                EthernetSession session = bench.session(memory)) {
            long vport = session.vports().getFirst().vport();
            assertThat(session.function().hasShaperTrees()).isFalse();
            assertThat(bench.adapter.shapers()).isEqualTo("parity");
            for (Request<?> one : List.of(new QueryShaperLimits(vport, 1), new SetShaper(vport, DEVICE),
                    new DeleteShaper(vport, 1, 0), new GroupShapers(vport, DEVICE, false, List.of()),
                    new QueryShaperStatistics(vport, 0, 0), new NameShaperQueues(vport, List.of()))) {
                refused(Status.UNSUPPORTED, session, one);
            }
        }
    }

    @Test
    void whatCannotBeIsRefusedAndChangesNothing() {
        try (Bench bench = new Bench("full", "queues", 4); DmaArena memory = bench.memory(2);
                EthernetSession session = bench.session(memory)) {
            long vport = session.vports().getFirst().vport();
            assertThat(session.function().hasShaperTrees()).isTrue();
            assertThat(session.call(new QueryShaperLimits(vport, 2)).capabilities()).isEqualTo(0xff);
            assertThat(session.call(new QueryShaperLimits(vport, 0)).capabilities()).isZero();
            session.call(new SetShaper(vport, queue(1)));
            session.call(new SetShaper(vport, node(7, -1)));
            refused(Status.NOT_FOUND, session, new SetShaper(vport + 9, DEVICE));
            refused(Status.INVALID_PARAMETER, session, new QueryShaperLimits(vport, 4));
            refused(Status.NOT_FOUND, session, new SetShaper(vport, queue(4)));
            refused(Status.NOT_FOUND, session, new SetShaper(vport, queue(-1)));
            refused(Status.INVALID_PARAMETER, session, new SetShaper(vport,
                    new ShaperValues(2, 0, 1, 0, 2, 0, 0, 0, 0, 0)));
            refused(Status.INVALID_PARAMETER, session, new SetShaper(vport,
                    new ShaperValues(2, 0, 2, 0, 0, 0, 0, 0, 0, 0)));
            refused(Status.INVALID_PARAMETER, session, new SetShaper(vport,
                    new ShaperValues(4, 0, 1, 0, 0, 0, 0, 0, 0, 0)));
            refused(Status.INVALID_PARAMETER, session, new SetShaper(vport, node(1 << 26, -1)));
            refused(Status.NOT_FOUND, session, new SetShaper(vport, node(8, 9)));
            refused(Status.INVALID_PARAMETER, session, new SetShaper(vport, node(7, 7)));
            refused(Status.NOT_FOUND, session, new DeleteShaper(vport, 2, 0));
            refused(Status.INVALID_PARAMETER, session, new GroupShapers(vport, queue(0), false, List.of()));
            refused(Status.NOT_FOUND, session, new GroupShapers(vport, node(8, -1), false,
                    List.of(queue(0), queue(5))));
            refused(Status.INVALID_PARAMETER, session, new GroupShapers(vport, node(8, 7), false,
                    List.of(node(7, -1))));
            assertThat(session.call(new QueryShaperStatistics(vport, 0, 0)).entries()).hasSize(2);
            assertThat(bench.adapter.usage()).containsEntry("shapers", 2L);
            session.call(new GroupShapers(vport, node(8, -1), true, List.of(node(7, -1))));
            session.call(new GroupShapers(vport, node(8, -1), false, List.of(queue(2))));
            refused(Status.BUSY, session, new DeleteShaper(vport, 3, 8));
            refused(Status.INVALID_PARAMETER, session, new SetShaper(vport, node(8, 7)));
            assertThat(session.call(new QueryShaperStatistics(vport, 2, 2)).entries())
                    .extracting(one -> one.scope() + ":" + one.id()).containsExactly("2:2", "3:7", "3:8");
        }
    }

    @Test
    void treesAreBounded() {
        try (Bench bench = new Bench("deep"); DmaArena memory = bench.memory(2);
                EthernetSession session = bench.session(memory)) {
            long vport = session.vports().getFirst().vport();
            for (int i = 0; i < 16; i++) {
                session.call(new SetShaper(vport, node(i, i - 1)));
            }
            refused(Status.NO_RESOURCES, session, new SetShaper(vport, node(16, 15)));
            session.call(new GroupShapers(vport, node(15, 14), false, List.of(queue(0))));
            session.call(new SetShaper(vport, node(100, -1)));
            refused(Status.NO_RESOURCES, session, new GroupShapers(vport, node(100, -1), false, List.of(node(0, -1))));
            int id = 1000;
            for (int i = 0; i < 228; i++) {
                int first = id;
                session.call(new GroupShapers(vport, DEVICE, true, IntStream.range(first,
                        first + GroupShapers.MOST_LEAVES).mapToObj(one -> node(one, -1)).toList()));
                id += GroupShapers.MOST_LEAVES;
            }
            session.call(new GroupShapers(vport, DEVICE, false, List.of()));
            for (int i = id - 1000 + 19; i < 16384; i++) {
                session.call(new SetShaper(vport, node(id++, -1)));
            }
            refused(Status.NO_RESOURCES, session, new SetShaper(vport, node(id, -1)));
            session.call(new SetShaper(vport, node(5, 4)));
        }
    }

    @Test
    void queuesAreNamedByTheirObjects() {
        try (Bench bench = new Bench("named", "ports", 2); DmaArena memory = bench.memory(16);
                EthernetSession session = bench.session(memory);
                PortSession port = new PortSession(session, 0, PortSettings.small(2), (at, length, flags, hash) -> { });
                PortSession other = new PortSession(session, 1, PortSettings.small(1),
                        (at, length, flags, hash) -> { })) {
            long vport = session.vports().getFirst().vport();
            long first = port.send(0).pair().object();
            long second = port.send(1).pair().object();
            session.call(new SetShaper(vport, queue(0)));
            session.call(new NameShaperQueues(vport, List.of(second, first)));
            send(port, 1, 3);
            assertThat(session.call(new QueryShaperStatistics(vport, 0, 0)).entries().getFirst().packets())
                    .isEqualTo(3);
            send(port, 0, 2);
            session.call(new NameShaperQueues(vport, List.of(first)));
            send(port, 0, 5);
            assertThat(session.call(new QueryShaperStatistics(vport, 0, 0)).entries().getFirst().packets())
                    .isEqualTo(8);
            refused(Status.INVALID_PARAMETER, session, new NameShaperQueues(vport, List.of(first, first)));
            refused(Status.INVALID_PARAMETER, session, new NameShaperQueues(vport,
                    List.of(other.send(0).pair().object())));
            refused(Status.INVALID_PARAMETER, session, new NameShaperQueues(vport,
                    List.of(port.receive(0).pair().object())));
            refused(Status.NOT_FOUND, session, new NameShaperQueues(vport, List.of(77L)));
        }
    }

    private static void send(PortSession port, int queue, int frames) {
        for (int i = 0; i < frames; i++) {
            port.send(queue).send(new byte[60], 60);
        }
        port.send(queue).ring();
        while (port.send(queue).outstanding() > 0) {
            port.poll();
        }
    }

    @Test
    void aResetForgetsThem() {
        try (Bench bench = new Bench("again"); DmaArena memory = bench.memory(2)) {
            try (EthernetSession session = bench.session(memory)) {
                session.call(new SetShaper(session.vports().getFirst().vport(), queue(0)));
                session.call(new SetShaper(session.vports().getFirst().vport(), DEVICE));
            }
            try (EthernetSession session = bench.session(memory)) {
                assertThat(session.call(new QueryShaperStatistics(session.vports().getFirst().vport(), 0, 0))
                        .entries()).isEmpty();
                assertThat(bench.adapter.usage()).doesNotContainKey("shapers");
            }
        }
    }
}
