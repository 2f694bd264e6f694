package io.manafold.pmd.internal.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.agent.TurnHost;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A core that takes turns with an agent which answers too late. */
class HostedCoreTest {
    private final AtomicInteger turns = new AtomicInteger();
    private final AtomicInteger ends = new AtomicInteger();
    private final Core core = new Core(1, Set.of(), turns::incrementAndGet, ends::incrementAndGet);

    private static AutoCloseable late() {
        throw new Refusal(Errno.ETIMEDOUT, "The agent is busy.");
    }

    @Test
    void aCoreThatNoAgentHasTakenIsNotHosted() throws Exception {
        TurnHost busy = _ -> late();
        assertThatThrownBy(() -> core.start(busy)).isInstanceOf(Refusal.class);
        assertThat(core.isBound()).isTrue();
        core.start();
        core.lose(busy);
        assertThat(ends).as("the core goes on when an agent goes that does not have it").hasValue(0);
        core.stop();
        assertThat(ends).hasValue(1);
    }

    @Test
    void aCoreThatItsAgentDoesNotLetGoGetsNoThreadOfItsOwn() {
        TurnHost busy = _ -> HostedCoreTest::late;
        core.start(busy);
        core.doWork();
        core.lose(busy);
        assertThat(core.doWork()).isZero();
        assertThat(core.failure()).hasMessageContaining("did not let it go");
        assertThat(ends).hasValue(1);
        assertThat(core.stop(Duration.ofSeconds(10))).isTrue();
        assertThat(turns).hasValue(1);
    }

    @Test
    void aCoreThatStopsSaysThatItsAgentMayStillBeInATurn() {
        core.start(_ -> HostedCoreTest::late);
        assertThat(core.stop(Duration.ofSeconds(10))).isFalse();
        assertThat(ends).hasValue(1);
    }
}
