package io.manafold.adapter.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.gdma.Status;
import io.manafold.gdma.driver.CommandRefused;
import io.manafold.gdma.driver.EthernetSession;
import io.manafold.gdma.message.CreateDmaRegion;
import io.manafold.gdma.message.GroupShapers;
import io.manafold.gdma.message.SetShaper;
import io.manafold.gdma.message.ShaperValues;
import io.manafold.memory.DmaArena;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What drivers have adapters make, all of it together. */
@Timeout(120)
class ObjectBudgetTest {
    private static final long BYTES = 16L << 20;
    private static final int PAGES = 64 * 1024;

    /** Announces regions of that many pages, whose lists are not sent, until no more are taken. */
    private static void takeAll(EthernetSession session, int pages) {
        for (int region = 0; region < 1000; region++) {
            if (announce(session, pages) == Status.NO_RESOURCES) {
                return;
            }
        }
        throw new AssertionError("never refused");
    }

    private static int announce(EthernetSession session, int pages) {
        try {
            session.call(new CreateDmaRegion((long) pages << 12, 0, 0, pages, new long[0]));
            return Status.SUCCESS;
        } catch (CommandRefused refused) {
            return refused.status();
        }
    }

    @Test
    void eightThatTakeAllTheyCanLeaveTheNinthWhatAnOrdinaryDriverNeeds() {
        ObjectBudget budget = new ObjectBudget(BYTES);
        List<Bench> benches = new ArrayList<>();
        List<DmaArena> memories = new ArrayList<>();
        List<EthernetSession> sessions = new ArrayList<>();
        try {
            for (int i = 0; i < 8; i++) {
                benches.add(new Bench(budget, "hostile" + i));
                memories.add(benches.getLast().memory(2));
                sessions.add(benches.getLast().session(memories.getLast()));
                takeAll(sessions.getLast(), PAGES);
                takeAll(sessions.getLast(), 128);
            }
            assertThat(benches.stream().mapToLong(bench -> bench.adapter.objectBytes()).sum())
                    .isLessThanOrEqualTo(BYTES);
            try (Bench ninth = new Bench(budget, "ninth"); DmaArena memory = ninth.memory(2);
                    EthernetSession session = ninth.session(memory)) {
                assertThat(Status.name(announce(session, 4096))).isEqualTo(Status.name(Status.MORE_ENTRIES));
                assertThat(ninth.adapter.objectBytes()).isGreaterThan(4096 * Long.BYTES);
                assertThat(ninth.adapter.limits().get("object_bytes")).isGreaterThan(100_000L);
            }
            assertThat(benches.getFirst().rejections.all()).anySatisfy(rejection ->
                    assertThat(rejection.toString()).contains("half of the platform's memory", "the region takes"));
        } finally {
            sessions.forEach(EthernetSession::close);
            assertThat(benches).allSatisfy(bench -> assertThat(bench.adapter.objectBytes()).isZero());
            benches.forEach(Bench::close);
            memories.forEach(DmaArena::close);
        }
    }

    @Test
    void whatGoesIsGivenBackToTheByte() {
        ObjectBudget budget = new ObjectBudget(BYTES);
        try (Bench bench = new Bench(budget, "full", "queues", 4); DmaArena memory = bench.memory(2);
                EthernetSession session = bench.session(memory)) {
            long vport = session.vports().getFirst().vport();
            long before = bench.adapter.objectBytes();
            ShaperValues node = new ShaperValues(3, 7, 1, 0, 0, 0, 0, 0, 0, 0);
            List<ShaperValues> leaves = IntStream.range(100, 120)
                    .mapToObj(id -> new ShaperValues(3, id, 3, 7, 0, 0, 0, 0, 0, 0)).toList();
            session.call(new GroupShapers(vport, node, true, leaves));
            assertThat(bench.adapter.objectBytes()).as("leaves of a group that was begun").isGreaterThan(before);
            session.call(new GroupShapers(vport, node, false, List.of()));
            assertThat(bench.adapter.objectBytes()).isEqualTo(before + 21 * 1024);
            assertThatThrownBy(() -> session.call(new SetShaper(vport, new ShaperValues(3, 9, 3, 55, 0, 0, 0, 0,
                    0, 0))))
                    .isInstanceOf(CommandRefused.class);
            assertThat(bench.adapter.objectBytes()).as("what was refused takes nothing").isEqualTo(before + 21 * 1024);
            assertThatThrownBy(() -> session.call(new CreateDmaRegion(4096, 0, 0, 1, new long[] {1})))
                    .isInstanceOf(CommandRefused.class);
            assertThat(bench.adapter.objectBytes()).isEqualTo(before + 21 * 1024);
        }
        try (Bench bench = new Bench(budget, "next")) {
            assertThat(bench.adapter.objectBytes()).isZero();
        }
        assertThat(budget.share().most()).as("all is back").isEqualTo(new ObjectBudget(BYTES).share().most());
    }

    @Test
    void eachHasAPartOfItsOwnAndTheRestIsForWhoAsksFirst() {
        ObjectBudget budget = new ObjectBudget(128L << 20);
        ObjectBudget.Share greedy = budget.share();
        greedy.take("all", greedy.most());
        assertThatThrownBy(() -> greedy.take("more", 1)).isInstanceOf(CommandException.class);
        ObjectBudget.Share other = budget.share();
        other.take("its own", 1 << 20);
        assertThatThrownBy(() -> other.take("more", 1)).isInstanceOf(CommandException.class);
        greedy.clear();
        other.take("more", 1);
        other.clear();
        assertThat(budget.share().most()).isEqualTo(65L << 20);
    }
}
