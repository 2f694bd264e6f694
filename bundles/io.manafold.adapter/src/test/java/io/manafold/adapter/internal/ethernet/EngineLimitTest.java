package io.manafold.adapter.internal.ethernet;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.agent.DutyCycle;
import io.manafold.api.fabric.Frames;
import io.manafold.api.fabric.Wire;
import io.manafold.api.net.MacAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a port's limit makes up for when only its engine sends. */
class EngineLimitTest {
    /** A packet takes 100 microseconds. */
    private static final int BITS_PER_SECOND = 80_000_000;
    private static final int PACKET = 1000;
    private static final long STEP = 20_000;
    private static final long MILLISECOND = 1_000_000;

    private final UnpluggedPortAgent spare = new UnpluggedPortAgent("one");
    private final Engine engine = new Engine();
    private long now = 1_000_000_000;
    private EthernetPort port;

    @BeforeEach
    void carry() {
        port = new EthernetPort("one/1", new MacAddress(0x000d3a000001L), 1, 200_000_000_000L, Guest.MTU_FRAME,
                (where, bytes, rule, right, consequence) -> { }, spare, () -> now);
        port.attach(new DirectLink());
        port.carry(engine);
        port.clamp(BITS_PER_SECOND);
    }

    @AfterEach
    void close() {
        port.close();
        spare.close();
    }

    private int sentWithin(long nanos) {
        int before = engine.sent;
        for (long end = now + nanos; now < end; now += STEP) {
            port.duty().doWork();
        }
        return engine.sent - before;
    }

    @Test
    void anEngineThatIsHeldBackLosesNothingWhenTheAgentIsLate() {
        engine.waiting = 1000;
        assertThat(sentWithin(2 * MILLISECOND)).isBetween(19, 23);
        now += 2 * MILLISECOND;
        assertThat(sentWithin(2 * MILLISECOND)).isBetween(38, 41);
        assertThat(sentWithin(2 * MILLISECOND)).isBetween(19, 22);
    }

    @Test
    void anEngineThatHadNothingToSendMakesUpForNothing() {
        engine.waiting = 1;
        port.duty().doWork();
        port.duty().doWork();
        now += 50 * MILLISECOND;
        engine.waiting = 1000;
        assertThat(sentWithin(2 * MILLISECOND)).isBetween(19, 23);
    }

    /** After a cycle like this the agent may rest until the next doorbell. */
    @Test
    void whatAnEngineDoesWithoutSendingIsARest() {
        engine.waiting = 1;
        port.duty().doWork();
        engine.other = 1;
        assertThat(port.duty().doWork()).isZero();
        now += 50 * MILLISECOND;
        engine.waiting = 1000;
        assertThat(sentWithin(2 * MILLISECOND)).isBetween(19, 23);
    }

    private final class Engine implements PortEngine {
        /** Packets that are to be sent. */
        private int waiting;
        private int sent;
        /** What there is to do besides. */
        private int other;

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public boolean receive(Frames frames, int frame) {
            return false;
        }

        @Override
        public void received() {
            // it takes nothing
        }

        @Override
        public boolean isIdle() {
            return waiting == 0 && other == 0;
        }

        @Override
        public int work(Wire wire, boolean isLinked, SendLimit limit) {
            other = 0;
            int done = 0;
            for (; waiting > 0 && !limit.holds(now); waiting--) {
                limit.charge(PACKET, 1, now);
                done++;
            }
            sent += done;
            return done;
        }

        @Override
        public long restNanos() {
            return DutyCycle.UNTIL_WOKEN;
        }

        @Override
        public void close() {
            // it has nothing
        }
    }
}
