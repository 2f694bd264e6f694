package io.manafold.commands.lab.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class StormTest {
    private final Workshop workshop = new Workshop();
    private final ServicingCommand command = new ServicingCommand(workshop.topology);
    private final Fakes.OneAdapter one = workshop.adapter("one", "7870:00:00.0", 1);

    private Fakes.Answer storm(String... words) {
        String[] all = new String[words.length + 1];
        all[0] = "storm";
        System.arraycopy(words, 0, all, 1, words.length);
        return Fakes.run(command, all);
    }

    @Test
    void itIsTakenAwayAndPutBackAsOftenAsAsked() {
        Fakes.Answer answer = storm("one", "--cycles", "3", "--every", "2ms", "--away", "1ms");
        assertThat(answer.status()).isZero();
        assertThat(answer.out()).startsWith("3 cycles: gone after ").contains("no frame lost", "no gap is told",
                "home: ", "threads=",
                "nothing left behind in the adapter");
        assertThat(answer.err()).contains("cycle 1: ", "cycle 3: ").doesNotContain("cycle 4");
        assertThat(one.orders).containsExactly("revoke", "restore", "revoke", "restore", "revoke", "restore");
    }

    @Test
    void whatNeverComesBackStaysAwayTheLastTime() {
        Fakes.Answer answer = storm("one", "--cycles", "2", "--every", "1ms", "--away", "1ms", "--never-back");
        assertThat(answer.err()).contains("cycle 2: ", "and not back");
        assertThat(one.orders).containsExactly("revoke", "restore", "revoke");
    }

    @Test
    void momentsAreInTheMiddleOfSomething() {
        one.usage.put("queues", 1L);
        storm("one", "--cycles", "1", "--away", "1ms", "--at", "probe");
        assertThat(one.orders).containsExactly("revoke", "restore", "revoke", "restore");
        one.orders.clear();
        storm("one", "--cycles", "1", "--away", "1ms", "--at", "reset");
        assertThat(one.orders).containsExactly("reset RESET", "revoke", "restore");
    }

    @Test
    void momentsAreWhereTheDriverHasCome() {
        storm("one", "--cycles", "1", "--away", "1ms", "--at", "posted");
        assertThat(one.orders).containsExactly("revoke", "restore", "await RECEIVES_POSTED", "revoke", "restore");
        one.orders.clear();
        storm("one", "--cycles", "1", "--away", "1ms", "--at", "armed");
        assertThat(one.orders).containsExactly("revoke", "restore", "await COMPLETIONS_ARMED", "revoke", "restore");
        one.comesUp = false;
        assertThat(storm("one", "--cycles", "1", "--away", "1ms", "--at", "posted").err())
                .contains("has not posted a receive buffer within 10 s").contains("(ETIMEDOUT)");
    }

    @Test
    void itComesBackWithAnotherSerialNumberThatIsAnnouncedLater() {
        storm("one", "--cycles", "2", "--every", "1ms", "--away", "1ms", "--serial", "next");
        assertThat(one.orders).containsExactly("revoke", "restore as 2", "announce", "revoke", "restore as 3",
                "announce");
        assertThat(storm("one", "--serial", "4").status()).isEqualTo(2);
    }

    @Test
    void theNewSerialNumberIsAnnouncedWhateverEndsIt() {
        Thread.currentThread().interrupt();
        assertThat(storm("one", "--cycles", "2", "--away", "1ms", "--serial", "next").status()).isEqualTo(1);
        assertThat(one.orders).containsExactly("revoke", "restore as 2", "announce");
        one.orders.clear();
        one.comesUp = false;
        assertThat(storm("one", "--cycles", "2", "--away", "1ms", "--serial", "next", "--at", "posted").err())
                .contains("(ETIMEDOUT)");
        assertThat(one.orders).containsExactly("revoke", "restore as 3", "await RECEIVES_POSTED", "announce");
    }

    @Test
    void programsReadIt() {
        assertThat(storm("one", "--cycles", "1", "--away", "1ms", "--json").out()).contains("\"cycles\": 1",
                "\"p99_ms\"", "\"gap\": {", "\"lost\": {", "\"left_behind\": {", "\"home\": {", "\"threads_before\": ");
    }

    @Test
    void refusalsAreSentences() {
        assertThat(storm("one", "--at", "noon").status()).isEqualTo(2);
        assertThat(storm("one", "--cycles", "0").status()).isEqualTo(2);
        assertThat(storm("one", "--jitter", "200%").status()).isEqualTo(2);
        assertThat(storm("one", "--every", "0").status()).isEqualTo(2);
        assertThat(storm("oen").err()).contains("did you mean 'one'?");
        assertThat(one.orders).isEmpty();
    }

    @Test
    void percentilesAreOfThoseThatWereMeasured() {
        assertThat(Storm.percentile(new long[0], 0.99)).isZero();
        assertThat(Storm.percentile(new long[] {5}, 0.5)).isEqualTo(5);
        assertThat(Storm.percentile(new long[] {4, 1, 3, 2}, 0.5)).isEqualTo(2);
        assertThat(Storm.percentile(new long[] {4, 1, 3, 2}, 0.99)).isEqualTo(4);
    }
}
