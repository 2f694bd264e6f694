package io.manafold.commands.lab.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class ServicingCommandTest {
    private final Workshop workshop = new Workshop();
    private final ServicingCommand command = new ServicingCommand(workshop.topology);
    private final Fakes.OneAdapter one = workshop.adapter("one", "7870:00:00.0", 1);

    private Fakes.Answer servicing(String... words) {
        return Fakes.run(command, words);
    }

    @Test
    void ordersReachTheAdapter() {
        one.usage.put("queues", 1L);
        assertThat(servicing("reset", "one").status()).isZero();
        assertThat(servicing("reset", "one", "--reconfigure").status()).isZero();
        assertThat(servicing("revoke", "one").status()).isZero();
        assertThat(servicing("restore", "one").status()).isZero();
        assertThat(servicing("revoke", "one", "--for", "1ms").status()).isZero();
        assertThat(one.orders).containsExactly("reset RESET", "reset RECONFIGURE", "revoke", "restore", "revoke",
                "restore");
    }

    @Test
    void aResetIsWaitedForAndItsEndIsTold() {
        one.usage.put("queues", 1L);
        assertThat(servicing("reset", "one").out())
                .matches("one is back after [0-9.]+ ms: its driver of Linux 7.2.12\n");
        assertThat(servicing("reset", "one", "--json").dense()).matches("\\{\"adapter\":\"one\",\"driver\":null,"
                + "\"system\":\"Linux7.2.12\",\"devices\":\\[\\],\"back_ms\":[0-9.]+\\}");
    }

    @Test
    void aDriverThatDoesNotComeBackIsNamed() {
        one.usage.put("queues", 1L);
        one.obeys = false;
        Fakes.Answer silent = servicing("reset", "one", "--limit", "20ms");
        assertThat(silent.status()).isEqualTo(1);
        assertThat(silent.err()).contains("The driver of one was asked for a reset and has not begun one within 20ms",
                "not said in its handshake", "unbind and bind 7870:00:00.0").endsWith("(ETIMEDOUT)\n");
        one.state = "idle";
        assertThat(servicing("reset", "one", "--limit", "20ms").err())
                .contains("has let it go and has not come back within 20ms: the adapter is idle").contains("ETIMEDOUT");
        one.state = "revoked";
        assertThat(servicing("reset", "one").err()).contains("was revoked while", "servicing restore one", "(ENODEV)");
        assertThat(servicing("reset", "one", "--limit", "0").status()).isEqualTo(2);
    }

    @Test
    void aSerialNumberIsGivenAndAnnounced() {
        assertThat(servicing("restore", "one", "--serial", "next").status()).isZero();
        assertThat(servicing("restore", "one", "--serial", "7").status()).isZero();
        assertThat(servicing("announce", "one").status()).isZero();
        assertThat(servicing("restore", "one", "--serial", "0").status()).isEqualTo(2);
        assertThat(servicing("restore", "one", "--serial", "last").status()).isEqualTo(2);
        assertThat(one.orders).containsExactly("restore as 2", "restore as 7", "announce");
    }

    @Test
    void behindTheLastSerialNumberIsTheFirst() {
        assertThat(servicing("restore", "one", "--serial", "2147483647").status()).isZero();
        assertThat(servicing("restore", "one", "--serial", "next").status()).isZero();
        assertThat(one.orders).containsExactly("restore as 2147483647", "restore as 1");
    }

    @Test
    void whoDoesNotWaitHasItBackAllTheSame() throws Exception {
        FutureTask<Fakes.Answer> task = new FutureTask<>(() -> servicing("revoke", "one", "--for", "1000s"));
        Thread thread = Thread.ofPlatform().start(task);
        while (thread.getState() != Thread.State.TIMED_WAITING && thread.isAlive()) {
            Thread.onSpinWait();
        }
        thread.interrupt();
        assertThat(task.get(30, TimeUnit.SECONDS).status()).isEqualTo(1);
        assertThat(one.orders).containsExactly("revoke", "restore");
    }

    @Test
    void refusalsAreSentences() {
        assertThat(servicing("reset", "one")).isEqualTo(new Fakes.Answer(1, "",
                "manafold: Adapter 'one' has no driver that could be asked. (ENODEV)\n"));
        assertThat(servicing("revoke", "oen").err()).contains("did you mean 'one'?").endsWith("(ENODEV)\n");
        assertThat(servicing("revoke", "one", "--for", "soon").status()).isEqualTo(2);
        assertThat(servicing("revoke", "one", "--for", "0").status()).isEqualTo(2);
        assertThat(servicing("restore").status()).isEqualTo(2);
        assertThat(servicing("restore", "one", "--json").status()).isEqualTo(2);
        assertThat(one.orders).isEmpty();
    }

    @Test
    void aPartIsSuspendedAlone() {
        assertThat(servicing("suspend", "one", "--part", "rdma")).isEqualTo(new Fakes.Answer(0, "", ""));
        assertThat(servicing("resume", "one", "--part", "rdma")).isEqualTo(new Fakes.Answer(0, "", ""));
        assertThat(one.orders).containsExactly("suspend", "resume");
        assertThat(servicing("suspend", "one", "--part", "ethernet").status()).isEqualTo(2);
        assertThat(one.orders).hasSize(2);
    }

    @Test
    void allOfItIsAMatterOfTheDriverCore() {
        assertThat(servicing("suspend", "one").err()).contains("no driver core", "io.manafold.bus", "(EOPNOTSUPP)");
        List<String> told = new ArrayList<>();
        workshop.topology.core = Fakes.core(told);
        assertThat(servicing("suspend", "one")).isEqualTo(new Fakes.Answer(0, "", ""));
        assertThat(servicing("resume", "one")).isEqualTo(new Fakes.Answer(0, "", ""));
        assertThat(told).containsExactly("suspend 7870:00:00.0", "resume 7870:00:00.0");
        assertThat(one.orders).isEmpty();
    }

    @Test
    void namesAreCompleted() {
        for (String verb : new String[] {"reset", "revoke", "restore", "announce", "suspend", "resume"}) {
            assertThat(Fakes.completed(command, verb, "ADAPTER", Map.of())).containsExactly("one");
        }
    }
}
