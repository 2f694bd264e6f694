package io.manafold.roce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ConnectionTest {
    /** More with the profile "long". */
    private static final long PACKETS = Long.getLong("manafold.roce.packets", 100_000);
    private static final int MESSAGES = 200;

    private static void talk(double faultRate, double unready) {
        long packets = 0;
        long repeated = 0;
        for (long seed = 1; packets < PACKETS; seed++) {
            // numbers go round within each conversation
            Conversation conversation = new Conversation(seed, Psn.add(0, -1000), faultRate, unready);
            assertTimeoutPreemptively(Duration.ofMinutes(1), () -> conversation.run(MESSAGES), "seed " + seed);
            conversation.assertWhole();
            packets += conversation.packets;
            repeated += conversation.requester.retransmitted;
        }
        assertThat(repeated > 0).isEqualTo(faultRate > 0 || unready > 0);
    }

    @Test
    void nothingIsRepeatedWhereNothingIsLost() {
        talk(0, 0);
    }

    @Test
    void everythingArrivesOnceAndInOrderThoughPacketsAreLostRepeatedAndSwapped() {
        talk(0.01, 0);
        talk(0.05, 0.1);
    }

    @Test
    void aReceiverThatIsSeldomReadyGetsEverything() {
        talk(0, 0.5);
    }
}
