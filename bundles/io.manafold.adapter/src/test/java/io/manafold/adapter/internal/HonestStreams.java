package io.manafold.adapter.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.memory.DmaPiece;
import io.manafold.testkit.PacketHandler;
import io.manafold.testkit.RawExchange;
import io.manafold.testkit.RawPort;
import io.manafold.testkit.RcPair;
import io.manafold.testkit.RcSettings;
import io.manafold.testkit.RdmaQueue;
import java.util.Arrays;

/**
 * Two connections and Ethernet between two functions, which must stay whole whatever others do: each message is counted
 * and compared.
 */
final class HonestStreams implements AutoCloseable {
    private static final int LENGTH = 5000;
    private static final int THERE = 2 << 20;
    private static final int FRAMES = 64;
    private static final int ENTRIES = 128;

    private final RdmaEnd left;
    private final RdmaEnd right;
    private final RdmaQueue leftQueue;
    private final RdmaQueue rightQueue;
    private final RcPair[] from = new RcPair[2];
    private final RcPair[] to = new RcPair[2];
    private final RawPort leftPort;
    private final RawPort rightPort;
    private final RawExchange ethernet;
    private int round;

    HonestStreams(RdmaEnd left, RdmaEnd right) {
        this.left = left;
        this.right = right;
        leftQueue = left.rdma.createQueue(RdmaEnd.ENTRIES);
        rightQueue = right.rdma.createQueue(RdmaEnd.ENTRIES);
        for (int i = 0; i < 2; i++) {
            from[i] = new RcPair(left.rdma, left.domain, leftQueue, leftQueue, RcSettings.of(1024));
            to[i] = new RcPair(right.rdma, right.domain, rightQueue, rightQueue, RcSettings.of(1024));
            RdmaEnd.connect(left, from[i], right, to[i]);
        }
        leftPort = port(left);
        rightPort = port(right);
        ethernet = new RawExchange(leftPort, rightPort);
    }

    private static RawPort port(RdmaEnd end) {
        DmaPiece memory = end.memory.allocate(2L * ENTRIES * RawPort.SLOT);
        return new RawPort(end.ethernet, 0, memory, ENTRIES, ENTRIES, 1);
    }

    RcPair sender(int which) {
        return from[which];
    }

    RcPair receiver(int which) {
        return to[which];
    }

    /** One more message and one more write on each connection, and frames each way. */
    void goOn() {
        round++;
        for (int i = 0; i < 2; i++) {
            byte[] data = left.fill(THERE + i * 32_768, 2 * LENGTH, round * 31L + i);
            int received = to[i].received();
            to[i].receive(RdmaEnd.VIRTUAL + THERE + i * 32_768, right.key(), LENGTH);
            to[i].ringReceives();
            from[i].write(RdmaEnd.VIRTUAL + THERE + i * 32_768 + LENGTH, left.key(), LENGTH,
                    RdmaEnd.VIRTUAL + THERE + i * 32_768 + LENGTH, right.key());
            from[i].send(RdmaEnd.VIRTUAL + THERE + i * 32_768, left.key(), LENGTH);
            from[i].ring();
            RcPair sender = from[i];
            RcPair receiver = to[i];
            assertThat(RdmaEnd.until(() -> {
                poll();
                return sender.outstanding() == 0 && receiver.received() == received + 1;
            })).as("round %d of connection %d: error 0x%x, 0x%x", round, i, sender.sendError(), receiver.receiveError())
                    .isTrue();
            assertThat(Arrays.equals(right.bytes(THERE + i * 32_768, 2 * LENGTH), data)).as("data of round %d", round)
                    .isTrue();
        }
        ethernet.frames(FRAMES);
    }

    /** Takes what others have sent to the right port, as long as nothing of its own is on the way. */
    int drain(PacketHandler handler) {
        return rightPort.poll(handler);
    }

    private void poll() {
        take(leftQueue, from);
        take(rightQueue, to);
    }

    private static void take(RdmaQueue queue, RcPair[] pairs) {
        queue.poll((entry, workQueue, sendSide) -> {
            for (RcPair pair : pairs) {
                if ((workQueue & -4) == pair.number()) {
                    pair.completion(entry, workQueue, sendSide);
                }
            }
        }, RdmaEnd.ENTRIES);
    }

    /** Nothing was lost or came twice, no port was unplugged, and the adapters have made no mistake. */
    void areWhole() {
        goOn();
        for (int i = 0; i < 2; i++) {
            assertThat(to[i].received()).isEqualTo(round);
            assertThat(from[i].completed()).isEqualTo(2 * round);
            assertThat(to[i].misplaced() + from[i].sendErrors() + to[i].receiveErrors() + to[i].sendErrors()).isZero();
        }
        for (RdmaEnd end : new RdmaEnd[] {left, right}) {
            assertThat(end.bench.adapter.ports().getFirst().link()).isEqualTo("net");
            assertThat(end.bench.adapter.state()).isEqualTo("running");
            assertThat(end.bench.rejections.all()).noneMatch(one -> one.toString().contains("internal error"));
        }
    }

    @Override
    public void close() {
        leftPort.close();
        rightPort.close();
    }
}
