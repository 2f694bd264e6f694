package io.manafold.itests;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.ethdev.EthDev;
import io.manafold.api.ethdev.EthDevPlan;
import io.manafold.api.refusal.Errno;
import org.junit.jupiter.api.Test;

/** Packets between ports in poll mode. */
class PollModeTest extends PollPorts {
    @Test
    void packetsOfTwoPortsArriveWholeAndComeHome() throws Exception {
        start(1);
        EthDev left = environment.ports().get(0);
        EthDev right = environment.ports().get(1);
        assertRefused(Errno.ENODEV, "ip link set " + network(LEFT).name() + " down", left::start);
        network(LEFT).setUp(false);
        network(RIGHT).setUp(false);
        for (int i = 0; i < 3; i++) {
            left.resetStatistics();
            right.resetStatistics();
            left.start();
            right.start();
            assertRefused(Errno.EBUSY, "", () -> network(LEFT).setUp(true));
            assertRefused(Errno.EBUSY, "stop it before", () -> left.configure(EthDevPlan.of(1)));
            exchange(10_000);
            left.stop();
            right.stop();
            assertThat(pool.available()).as("packets that are home").isEqualTo(pool.packets());
            assertThat(left.sendQueue(0).burst(new int[1], 0, 1)).isZero();
            assertThat(right.receiveQueue(0).burst(new int[1], 0, 1)).isZero();
        }
        network(LEFT).setUp(true);
        drivers.refusedNothing();
    }
}
