package io.manafold.itests;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.manafold.api.adapter.Adapter;
import io.manafold.api.ethdev.Environment;
import io.manafold.api.ethdev.Environments;
import io.manafold.api.ethdev.EthDev;
import io.manafold.api.ethdev.EthDevEvent;
import io.manafold.api.ethdev.ReceiveQueue;
import io.manafold.api.ethdev.SendQueue;
import io.manafold.api.refusal.Errno;
import io.manafold.itests.net.Wire;
import io.manafold.memory.PacketPool;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** A second environment of the same platform, which polls queues that the first one offers. */
class PollSharedTest extends PollPorts {
    private final int[] burst = new int[BURST];
    private final int[] come = new int[BURST];

    /** Both ports with two queues each, of which the second is offered and receives all. */
    private void offer() throws Exception {
        start(2);
        network(LEFT).setUp(false);
        network(RIGHT).setUp(false);
        for (EthDev port : environment.ports()) {
            port.offerQueues(1);
            port.start();
            int[] table = port.redirection();
            Arrays.fill(table, 1);
            port.redirection(table);
        }
    }

    private Environment secondary(String role) {
        Environment made = platform.service(Environments.class)
                .start(List.of("-l", "0-1", "--proc-type=" + role, "-a", LEFT, "-a", RIGHT));
        assertThat(made.isSecondary()).isTrue();
        assertThat(made.ports()).extracting(EthDev::name).containsExactly(LEFT + "_port1", RIGHT + "_port1");
        return made;
    }

    /** A burst from left to right, until all of it has come. Returns false if the time is over. */
    private boolean pass(SendQueue out, ReceiveQueue in) {
        long begin = System.nanoTime();
        if (!pool.take(burst, 0, BURST)) {
            out.reclaim();
            return true;
        }
        for (int i = 0; i < BURST; i++) {
            frames.datagram(burst[i], 1000 + i);
        }
        int sent = 0;
        int found = 0;
        while (found < BURST) {
            sent += out.burst(burst, sent, BURST - sent);
            int more = in.burst(come, 0, BURST);
            for (int i = 0; i < more; i++) {
                if (PacketPool.length(pool.first(come[i])) != LENGTH) {
                    return false;
                }
            }
            pool.give(come, 0, more);
            found += more;
            if (System.nanoTime() - begin > PATIENCE.toNanos()) {
                return false;
            }
        }
        return found == BURST;
    }

    private void passMany(SendQueue out, ReceiveQueue in) {
        for (int i = 0; i < 50; i++) {
            assertThat(pass(out, in)).as("burst %d comes as it was sent", i).isTrue();
        }
    }

    @Test
    void queuesOfThePrimaryArePolledAcrossItsReset() throws Exception {
        offer();
        Queue<EthDevEvent> events = new ConcurrentLinkedQueue<>();
        try (Environment second = secondary("secondary"); AutoCloseable listening = second.listen(events::add)) {
            assertThat(listening).isNotNull();
            SendQueue out = second.ports().get(0).sendQueue(1);
            ReceiveQueue in = second.ports().get(1).receiveQueue(1);
            passMany(out, in);
            assertThat(second.ports().get(1).statistics().received()).isEqualTo(50 * BURST);
            assertRefused(Errno.EBUSY, "polled by its primary", () -> second.ports().get(0).sendQueue(0));
            assertRefused(Errno.EOPNOTSUPP, "is its primary's", second.ports().get(0)::stop);
            Adapter left = drivers.adapters().stream().filter(one -> one.address().toString().equals(LEFT)).findFirst()
                    .orElseThrow();
            left.requestReset(Adapter.ResetKind.RESET);
            Wire.await("the port has come back", () -> events.size() == 2);
            assertThat(events).extracting(EthDevEvent::kind).containsExactly(EthDevEvent.Kind.ERR_RECOVERING,
                    EthDevEvent.Kind.RECOVERY_SUCCESS);
            passMany(out, in);
        }
    }

    /** Whether there is a primary decides; what one has given back another has. */
    @Test
    void whoComesLaterIsASecondaryUntilThePrimaryGoes() throws Exception {
        offer();
        try (Environment second = secondary("auto")) {
            passMany(second.ports().get(0).sendQueue(1), second.ports().get(1).receiveQueue(1));
            try (Environment third = secondary("auto")) {
                assertRefused(Errno.EBUSY, "polled by another secondary", () -> third.ports().get(0).sendQueue(1));
            }
        }
        Queue<EthDevEvent> events = new ConcurrentLinkedQueue<>();
        try (Environment second = secondary("auto"); AutoCloseable listening = second.listen(events::add)) {
            assertThat(listening).isNotNull();
            SendQueue out = second.ports().get(0).sendQueue(1);
            ReceiveQueue in = second.ports().get(1).receiveQueue(1);
            passMany(out, in);
            environment.close();
            Wire.await("it is told of both ports", () -> events.size() == 2);
            assertThat(events).extracting(EthDevEvent::kind).containsOnly(EthDevEvent.Kind.INTR_RMV);
            assertThat(events).extracting(EthDevEvent::text)
                    .allMatch(text -> text.contains("has been closed by its primary"));
            assertThat(second.ports()).isEmpty();
            assertThat(in.burst(come, 0, BURST)).isZero();
            assertThat(out.reclaim()).isZero();
            assertThat(pool.available()).as("packets that are home").isEqualTo(pool.packets());
        }
        environment = platform.service(Environments.class).start(List.of("-l", "0-1", "--proc-type=auto", "-a", LEFT));
        assertThat(environment.isSecondary()).isFalse();
    }

    @Test
    void nothingIsAllocatedForItsPackets() throws Exception {
        offer();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (Environment second = secondary("secondary")) {
            SendQueue out = second.ports().get(0).sendQueue(1);
            ReceiveQueue in = second.ports().get(1).receiveQueue(1);
            long least = Long.MAX_VALUE;
            long giveUp = System.nanoTime() + PATIENCE.toNanos();
            while (least > 0 && System.nanoTime() < giveUp) {
                long before = threads.getCurrentThreadAllocatedBytes();
                boolean whole = true;
                for (int i = 0; i < 100; i++) {
                    whole &= pass(out, in);
                }
                least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
                assertThat(whole).isTrue();
            }
            assertThat(least).as("bytes of 100 bursts").isZero();
        }
    }
}
