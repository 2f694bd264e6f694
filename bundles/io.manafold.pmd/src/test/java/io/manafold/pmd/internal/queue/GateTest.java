package io.manafold.pmd.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Who may be in a queue's memory, and until when. */
class GateTest {
    private final Gate gate = new Gate();

    @Test
    void aGateIsOpenedAgainAfterItWasShut() {
        assertThat(gate.enter()).isFalse();
        gate.open();
        assertThat(gate.enter()).isTrue();
        assertThat(gate.enter()).as("a second burst at the same time").isFalse();
        gate.leave();
        gate.shut();
        assertThat(gate.enter()).isFalse();
        gate.open();
        assertThat(gate.enter()).isTrue();
    }

    /** A port is about to go up when its device goes: the queue's memory is another's by the time it is up. */
    @Test
    void aGateThatIsWithdrawnBeforeItIsOpenedStaysShut() {
        gate.withdraw();
        gate.open();
        assertThat(gate.enter()).isFalse();
        gate.shut();
        gate.open();
        assertThat(gate.enter()).isFalse();
        gate.renew();
        assertThat(gate.enter()).isFalse();
        gate.open();
        assertThat(gate.enter()).isTrue();
    }

    @Test
    void aWithdrawalWaitsForTheBurstThatIsInThere() throws Exception {
        gate.open();
        assertThat(gate.enter()).isTrue();
        CompletableFuture<Void> withdrawn = CompletableFuture.runAsync(gate::withdraw);
        Thread.sleep(20);
        assertThat(withdrawn).isNotDone();
        gate.leave();
        withdrawn.get(60, TimeUnit.SECONDS);
        assertThat(gate.enter()).isFalse();
    }
}
