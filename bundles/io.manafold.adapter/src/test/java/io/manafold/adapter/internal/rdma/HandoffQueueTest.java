package io.manafold.adapter.internal.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.adapter.internal.ethernet.EthernetPort;
import io.manafold.adapter.internal.ethernet.UnpluggedPortAgent;
import io.manafold.adapter.internal.queue.IdTable;
import io.manafold.adapter.internal.queue.MemoryKeys;
import io.manafold.adapter.internal.queue.Rejections;
import io.manafold.api.adapter.RdmaQueuePair;
import io.manafold.api.net.MacAddress;
import io.manafold.gdma.QpState;
import io.manafold.memory.DmaTable;
import io.manafold.roce.Packet;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What engines hand over to each other costs the one that takes it a part of each cycle, and a bounded heap. */
@Timeout(60)
class HandoffQueueTest {
    private static final int CYCLE = 1024;
    private static final int MOST = 64 << 10;
    private static final int PORTS = 3;

    private final List<String> rejected = new ArrayList<>();
    private final Rejections rejections = (where, bytes, rule, right, consequence) -> rejected.add(rule);
    private final UnpluggedPortAgent spare = new UnpluggedPortAgent("test");
    private final List<EthernetPort> ports = new ArrayList<>();
    private final List<RdmaEngine> engines = new ArrayList<>();

    HandoffQueueTest() {
        for (int i = 0; i < PORTS; i++) {
            EthernetPort port = new EthernetPort("test/" + i, new MacAddress(0x000d_3a00_0001L + i), 1,
                    1_000_000_000, 1514, rejections, spare);
            ports.add(port);
            engines.add(new RdmaEngine(port, new DmaTable(), rejections, 0));
        }
    }

    @AfterEach
    void close() {
        ports.forEach(EthernetPort::close);
        spare.close();
    }

    /** A queue pair of an engine that does nothing. */
    private static final class Quiet extends QueuePair {
        Quiet(RdmaEngine engine) {
            super(engine, 4, 1, NO_KEYS, 0, null, null);
            state(QpState.READY_TO_SEND);
        }

        private static final MemoryKeys NO_KEYS = (key, pd, right) -> null;

        @Override
        public void ringSends(int produced) {
        }

        @Override
        public void ringReceives(int produced) {
        }

        @Override
        void receive(Packet packet, ReceivedFrame arrival, long now) {
        }

        @Override
        boolean work(SendBatch out, int packets, long now) {
            return false;
        }

        @Override
        void expire(long now) {
        }

        @Override
        void stop() {
            state(QpState.ERROR);
        }

        @Override
        public RdmaQueuePair status() {
            throw new UnsupportedOperationException();
        }
    }

    /** Hands over what says that a queue has vanished, of a queue pair that has ended: it is taken, and that is all. */
    private void handOver(RdmaEngine from, RdmaEngine to, int count) {
        QueuePair pair = new Quiet(from);
        for (int i = 0; i < count; i++) {
            to.take(from.hands(pair, null));
        }
    }

    private static int cycles(RdmaEngine engine) {
        int cycles = 0;
        while (!engine.isIdle()) {
            assertThat(engine.restNanos()).isZero();
            engine.work(null, true, null);
            cycles++;
        }
        return cycles;
    }

    @Test
    void aCycleTakesAPart() {
        RdmaEngine home = engines.getFirst();
        handOver(engines.get(1), home, 50_000);
        handOver(engines.get(2), home, 50_000);
        assertThat(cycles(home)).isEqualTo((100_000 + CYCLE - 1) / CYCLE);
    }

    @Test
    void whoWaitsHasAllThatWasThere() {
        RdmaEngine home = engines.getFirst();
        handOver(engines.get(1), home, 5000);
        home.work(null, true, null);
        handOver(engines.get(2), home, 5000);
        assertThat(home.isIdle()).isFalse();
        home.settle();
        assertThat(home.isIdle()).isTrue();
    }

    @Test
    void thereIsABoundForEachThatHandsOver() {
        RdmaEngine home = engines.getFirst();
        QueuePair pair = new Quiet(engines.get(1));
        for (int round = 0; round < 3; round++) {
            handOver(engines.get(1), home, MOST);
            assertThat(engines.get(1).hands(pair, null)).isNull();
            handOver(engines.get(2), home, 1);
            cycles(home);
        }
    }

    @Test
    void whoHandsOverMoreEndsAndItsDriverIsTold() {
        RdmaEngine home = engines.getFirst();
        RdmaEngine from = engines.get(1);
        List<Integer> fatal = new ArrayList<>();
        from.open(new GidTable(), new IdTable<>(0, 16, 16), fatal::add);
        RdmaCompletions completions = new RdmaCompletions(1, null);
        completions.use(home);
        QueuePair pair = new Quiet(from);
        QueuePair quiet = new Quiet(from);
        for (int i = 0; i < MOST; i++) {
            completions.write(pair, 0, 0, 0, 4, true);
        }
        assertThat(pair.state()).isEqualTo(QpState.READY_TO_SEND);
        for (int i = 0; i < 10; i++) {
            completions.write(pair, 0, 0, 0, 4, true);
        }
        assertThat(pair.state()).isEqualTo(QpState.ERROR);
        assertThat(quiet.state()).isEqualTo(QpState.READY_TO_SEND);
        assertThat(fatal).containsExactly(4);
        assertThat(rejected).singleElement().asString().contains("" + MOST);
    }

    @Test
    void anErrorThatFindsNoPlaceIsToldByAnEventOnceInALife() {
        RdmaEngine home = engines.getFirst();
        RdmaEngine from = engines.get(1);
        List<Integer> fatal = new ArrayList<>();
        from.open(new GidTable(), new IdTable<>(0, 16, 16), fatal::add);
        handOver(from, home, MOST);
        RdmaCompletions completions = new RdmaCompletions(1, null);
        completions.use(home);
        QueuePair pair = new Quiet(from);
        for (int life = 1; life <= 2; life++) {
            // its state is set before its work comes back, once for each side
            pair.state(QpState.ERROR);
            completions.write(pair, 0, 0, 0, 4, true);
            completions.write(pair, 0, 0, 0, 4, false);
            assertThat(fatal).hasSize(life).containsOnly(4);
            assertThat(rejected).hasSize(life);
            pair.state(QpState.RESET);
        }
    }
}
