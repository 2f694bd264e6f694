package io.manafold.adapter.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.manafold.api.fabric.Frames;
import io.manafold.api.fabric.Plug;
import io.manafold.api.fabric.Wire;
import io.manafold.fabric.internal.TestSwitch;
import io.manafold.gdma.driver.CommandRefused;
import io.manafold.packet.FrameBurst;
import io.manafold.roce.Opcode;
import io.manafold.testkit.RcAddress;
import io.manafold.testkit.RcPair;
import io.manafold.testkit.RcSettings;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A driver asks for a state while the packet is on its way that ends the queue pair. */
@Timeout(120)
class RdmaFailedMeanwhileTest {
    private static final long CHECKED_MILLIS = 500;

    private final TestSwitch net = new TestSwitch("left/1", "right/1", "evil/1");
    private final RdmaEnd left = new RdmaEnd("left", 1);
    private final RdmaEnd right = new RdmaEnd("right", 2);

    /** Has the link's agent wait in the middle of a cycle, and sends a packet in the same one. */
    private static final class Holder implements Plug {
        final CountDownLatch busy = new CountDownLatch(1);
        final CountDownLatch goOn = new CountDownLatch(1);
        private final FrameBurst burst = new FrameBurst(1, 1);
        private volatile Wire wire;

        Holder(long at, int length) {
            burst.addWhole(0, at, length);
        }

        @Override
        public String name() {
            return "evil/1";
        }

        @Override
        public int doWork() {
            Wire to = wire;
            if (to == null) {
                return 0;
            }
            wire = null;
            busy.countDown();
            try {
                assertThat(goOn.await(1, TimeUnit.MINUTES)).isTrue();
            } catch (InterruptedException impossible) {
                throw new IllegalStateException(impossible);
            }
            to.send(burst);
            return 1;
        }

        @Override
        public void receive(Frames frames, int from, int to) {
            // nothing is for it
        }
    }

    @Test
    void itStaysFailedWhateverItWasWhenItsDriverWasHeard() throws Exception {
        RdmaEnd.plug(net, left, right);
        RcPair pair = right.pair(RcSettings.of(1024));
        RcAddress own = pair.address(right.gid, 5);
        try (ForgedPacket forged = new ForgedPacket(left, right, pair.number(), 0x77)) {
            // the middle of a message that has not begun
            forged.packet.opcode = Opcode.SEND_MIDDLE;
            forged.packet.payloadBytes = 1024;
            pair.initialize();
            pair.listen(own, new RcAddress(0x1_0000, 0x77, left.gid, left.rdma.mac()));
            Holder holder = new Holder(forged.write(), forged.packet.frameBytes());
            Wire wire = net.link().plug(holder);
            holder.wire = wire;
            wire.wake();
            assertThat(holder.busy.await(1, TimeUnit.MINUTES)).isTrue();
            CompletableFuture<Throwable> asked = CompletableFuture.supplyAsync(
                    () -> catchThrowable(() -> pair.start(5)));
            // as long as the adapter needs to find that the change may be made, and to wait for the agent
            TimeUnit.MILLISECONDS.sleep(CHECKED_MILLIS);
            holder.goOn.countDown();
            assertThat(asked.get(1, TimeUnit.MINUTES)).isInstanceOf(CommandRefused.class);
            assertThat(right.bench.adapter.rdma().status().queuePairs()).filteredOn(one -> one.number()
                    == pair.number()).singleElement().satisfies(one -> assertThat(one.state()).isEqualTo("ERR"));
            assertThat(right.bench.rejections.all()).anySatisfy(one -> assertThat(one.rule())
                    .isEqualTo("a queue pair does not go from ERR to RTS"));
            pair.reset();
            pair.initialize();
            wire.close();
        } finally {
            left.close();
            right.close();
            net.close();
        }
    }
}
