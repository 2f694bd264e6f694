package io.manafold.adapter.internal.ethernet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.agent.DutyCycle;
import io.manafold.api.fabric.Frames;
import io.manafold.api.fabric.Wire;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Changes of a port are made by its agent, and waited for by others. */
@Execution(ExecutionMode.CONCURRENT)
class ChangeTest extends PortPair {
    /** The agent of the other port may be the same one, which would wait for itself until it gives up. */
    @Test
    void aChangeThatAsksForAnotherOneIsRefusedAtOnce() {
        assertThatThrownBy(() -> one.port.change("this", () -> two.port.change("that", () -> { })))
                .isInstanceOf(IllegalStateException.class).hasMessageContaining("that");
        int[] made = new int[1];
        one.port.change("this", () -> made[0]++);
        two.port.change("that", () -> made[0]++);
        assertThat(made[0]).isEqualTo(2);
    }

    /** The agent is busy for longer than others wait. */
    @Test
    void workThatWasRefusedNeverTakesTurnsAndChangesAreStillMade() {
        List<Runnable> later = new ArrayList<>();
        link.deferred = later;
        try {
            int[] turns = new int[1];
            assertLate(() -> two.port.join(() -> turns[0]++));
            int[] made = new int[1];
            assertLate(() -> two.port.change("this", () -> made[0]++));
            link.deferred = null;
            assertThat(later).hasSize(2);
            later.forEach(Runnable::run);
            two.port.duty().doWork();
            assertThat(turns[0]).as("turns of work whose joining was refused").isZero();
            assertThat(made[0]).isOne();
        } finally {
            link.deferred = null;
        }
    }

    /** What its agent may be in the middle of is given back by the agent, when it comes to that. */
    @Test
    void aPortLeavesABusyLinkAndKeepsWhatTheAgentMayUse() {
        boolean[] closed = new boolean[1];
        two.port.carry(new IdleEngine(() -> closed[0] = true));
        List<Runnable> later = new ArrayList<>();
        link.deferred = later;
        try {
            assertLate(two.port::close);
            assertThat(link.plugs).as("what is plugged in").hasSize(1);
            assertThat(two.port.status().link()).isNull();
            assertThat(closed[0]).as("its engine is given back while the agent is busy").isFalse();
            two.port.close();
            assertThat(later).hasSize(2);
            assertThatThrownBy(() -> two.port.attach(link)).isInstanceOfSatisfying(Refusal.class,
                    refused -> assertThat(refused.errno()).isEqualTo(Errno.ENODEV));
            later.forEach(Runnable::run);
            assertThat(two.port.status().queues()).isEmpty();
            assertThat(closed[0]).isTrue();
        } finally {
            link.deferred = null;
        }
    }

    /** Carries nothing. */
    private record IdleEngine(Runnable end) implements PortEngine {
        @Override
        public boolean isOpen() {
            return false;
        }

        @Override
        public boolean receive(Frames frames, int frame) {
            return false;
        }

        @Override
        public void received() {
            // it has taken none
        }

        @Override
        public boolean isIdle() {
            return true;
        }

        @Override
        public int work(Wire wire, boolean isLinked, SendLimit limit) {
            return 0;
        }

        @Override
        public long restNanos() {
            return DutyCycle.UNTIL_WOKEN;
        }

        @Override
        public void close() {
            end.run();
        }
    }

    private static void assertLate(ThrowingCallable asked) {
        assertThatThrownBy(asked).isInstanceOfSatisfying(Refusal.class,
                refused -> assertThat(refused.errno()).isEqualTo(Errno.ETIMEDOUT));
    }
}
