package io.manafold.rdma.internal.device;

import static io.manafold.rdma.internal.device.VerbsTest.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.rdma.Access;
import io.manafold.api.rdma.AsyncEvent;
import io.manafold.api.rdma.AsyncEvents;
import io.manafold.api.rdma.CompletionOpcode;
import io.manafold.api.rdma.CompletionQueue;
import io.manafold.api.rdma.CompletionStatus;
import io.manafold.api.rdma.Completions;
import io.manafold.api.rdma.MemoryRegion;
import io.manafold.api.rdma.QueuePair;
import io.manafold.api.rdma.QueuePairState;
import io.manafold.api.rdma.ReceiveList;
import io.manafold.api.rdma.ReceiveWorkQueue;
import io.manafold.api.rdma.RssPlan;
import io.manafold.api.rdma.RssQueuePair;
import io.manafold.api.rdma.SendList;
import io.manafold.api.refusal.Errno;
import io.manafold.fabric.internal.TestSwitch;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Raw packets between two devices on a switch. */
@Timeout(300)
class RawTest {
    private static final int SIGNALED = SendList.SIGNALED;

    private final TestSwitch net = new TestSwitch("left/1", "right/1");
    private final RawNode left = new RawNode("left", net);
    private final RawNode right = new RawNode("right", net);

    @AfterEach
    void close() {
        left.close();
        right.close();
        net.close();
    }

    private byte[] frame(int length, int number) {
        return Datagrams.frame(left.mac(), right.mac(), length, number);
    }

    private void send(QueuePair pair, byte[] frame, int flags) {
        left.write(0, frame);
        left.sends.clear().send(1, flags).piece(left.region.address(), left.region.localKey(), 14)
                .piece(left.region.address() + 14, left.region.localKey(), frame.length - 14);
        assertThat(pair.post(left.sends)).isEqualTo(1);
    }

    private void assertSent() {
        assertThat(left.poll(left.sendQueue)).isEqualTo(1);
        assertThat(left.completions.status(0)).isEqualTo(CompletionStatus.SUCCESS);
        assertThat(left.completions.opcode(0)).isEqualTo(CompletionOpcode.SEND);
    }

    /** The queue that the next packet came to. */
    private int arrival() {
        for (int turn = 0; turn < 10_000_000; turn++) {
            for (int i = 0; i < right.queues.size(); i++) {
                if (right.queues.get(i).poll(right.completions) > 0) {
                    return i;
                }
            }
            Thread.yield();
        }
        throw new AssertionError("no packet arrives");
    }

    /** The function has more for its ports than one of them can have. */
    @Test
    void itsQueuePairsAreAsManyAsAPortCanHave() {
        assertThat(left.device.attributes().maxQueuePairs()).isEqualTo(16);
    }

    @Test
    void packetsAreSpreadOverQueuesByTheirHash() {
        QueuePair pair = left.pair();
        right.receive(4);
        RssQueuePair spreading = right.parent.createRssQueuePair(right.spread());
        int[] next = new int[4];
        int[] arrived = new int[4];
        for (int i = 0; i < 200; i++) {
            byte[] frame = frame(60 + i * 7, i);
            send(pair, frame, SIGNALED);
            assertSent();
            int queue = arrival();
            int hash = Datagrams.toeplitz(RawNode.KEY, frame);
            assertThat(queue).as("queue of flow %d", i).isEqualTo(hash & 3);
            assertThat(right.completions.count()).isEqualTo(1);
            assertThat(right.completions.status(0)).isEqualTo(CompletionStatus.SUCCESS);
            assertThat(right.completions.length(0)).isEqualTo(frame.length);
            assertThat(right.completions.hash(0)).isEqualTo(hash);
            assertThat(right.completions.isHashedByPorts(0)).isTrue();
            assertThat(right.completions.vlan(0)).isEqualTo(-1);
            assertThat(right.completions.queuePair(0)).isEqualTo(right.receives.get(queue).number());
            int place = (int) right.completions.id(0);
            assertThat(place).as("the oldest receive").isEqualTo(next[queue]++ % RawNode.DEPTH);
            assertThat(right.bytes(RawNode.at(queue, place), frame.length)).isEqualTo(frame);
            ReceiveList again = new ReceiveList(1);
            right.add(again, queue, place);
            assertThat(right.receives.get(queue).post(again)).isEqualTo(1);
            arrived[queue]++;
        }
        assertThat(arrived).as("packets of each queue").doesNotContain(0);
        // all to the last queue
        spreading.change(new RssPlan(right.receives.subList(3, 4), RawNode.KEY, 0));
        for (int i = 0; i < 8; i++) {
            send(pair, frame(100, i), SIGNALED);
            assertSent();
            assertThat(arrival()).isEqualTo(3);
        }
        right.receives.get(0).close();
        assertRefused(Errno.EBUSY, right.receives.get(3)::close);
        spreading.close();
        right.receives.get(3).close();
        left.end();
        right.end();
    }

    @Test
    void packetsThatShareACompletionComeOneByOne() {
        QueuePair pair = left.pair();
        right.receive(1);
        right.parent.createRssQueuePair(right.spread());
        left.sends.clear();
        for (int i = 0; i < 30; i++) {
            byte[] frame = frame(100, 5);
            frame[60] = (byte) i;
            left.write(i * 256, frame);
            left.sends.send(i, i == 29 ? SIGNALED : 0).piece(left.region.address() + i * 256,
                    left.region.localKey(), 100);
        }
        assertThat(pair.post(left.sends)).isEqualTo(30);
        assertThat(left.poll(left.sendQueue)).as("completions of all").isEqualTo(1);
        assertThat(left.completions.id(0)).isEqualTo(29);
        Completions three = new Completions(3);
        for (int i = 0; i < 30;) {
            int count = Node.poll(right.queues.getFirst(), three);
            for (int k = 0; k < count; k++, i++) {
                assertThat(three.id(k)).isEqualTo(i);
                assertThat(right.bytes(RawNode.at(0, i), 100)[60]).isEqualTo((byte) i);
            }
        }
    }

    @Test
    void tagsAndChecksumsAreTheDevices() {
        QueuePair pair = left.pair();
        right.receive(1);
        right.parent.createRssQueuePair(right.spread());
        byte[] frame = frame(200, 3);
        byte[] without = frame.clone();
        without[24] = 0;
        without[25] = 0;
        left.write(0, without);
        left.sends.clear().sendTagged(1, SIGNALED | SendList.IP_CHECKSUM, 0x6123)
                .piece(left.region.address(), left.region.localKey(), frame.length);
        pair.post(left.sends);
        assertSent();
        arrival();
        assertThat(right.completions.vlan(0)).isEqualTo(0x123);
        assertThat(right.bytes(RawNode.at(0, 0), frame.length)).isEqualTo(frame);
    }

    @Test
    void whatCannotBeSentOrReceivedEndsAlone() {
        QueuePair pair = left.pair();
        CompletionQueue queue = right.context.createCompletionQueue(64);
        ReceiveWorkQueue small = right.parent.createReceiveWorkQueue(queue, 8, 1);
        right.receives.add(small);
        right.queues.add(queue);
        right.parent.createRssQueuePair(right.spread());
        ReceiveList list = new ReceiveList(8);
        for (int i = 0; i < 2; i++) {
            list.receive(i).piece(right.region.address() + 4096 * i, right.region.localKey(), 100);
        }
        small.post(list);
        byte[] before = right.bytes(0, RawNode.BYTES);
        send(pair, frame(101, 1), SIGNALED);
        assertSent();
        arrival();
        assertThat(right.completions.status(0)).isEqualTo(CompletionStatus.LOCAL_LENGTH);
        assertThat(right.bytes(0, RawNode.BYTES)).as("memory around a receive that was too short").isEqualTo(before);
        send(pair, frame(9500, 1), SIGNALED);
        assertThat(left.poll(left.sendQueue)).isEqualTo(1);
        assertThat(left.completions.status(0)).isEqualTo(CompletionStatus.LOCAL_LENGTH);
        byte[] last = frame(100, 1);
        send(pair, last, SIGNALED);
        assertSent();
        arrival();
        assertThat(right.completions.status(0)).isEqualTo(CompletionStatus.SUCCESS);
        assertThat(right.bytes(4096, 100)).isEqualTo(last);
        assertThat(Arrays.equals(right.bytes(0, 4096), 0, 4096, before, 0, 4096)).isTrue();
    }

    @Test
    void aPairThatNamesForeignMemoryEnds() throws Exception {
        QueuePair pair = left.pair();
        AsyncEvents events = left.context.events();
        MemoryRegion foreign = left.context.allocateDomain().register(left.block, Access.LOCAL_WRITE);
        left.sends.clear().send(1, 0).piece(left.region.address(), foreign.localKey(), 100)
                .send(2, 0).piece(left.region.address(), left.region.localKey(), 100);
        pair.post(left.sends);
        assertThat(left.poll(left.sendQueue)).isEqualTo(2);
        assertThat(left.completions.status(0)).isEqualTo(CompletionStatus.LOCAL_QP_OPERATION);
        assertThat(left.completions.id(1)).isEqualTo(2);
        assertThat(left.completions.status(1)).isEqualTo(CompletionStatus.FLUSHED);
        AsyncEvent event = events.next(Duration.ofSeconds(60)).orElseThrow();
        assertThat(event.type()).isEqualTo(AsyncEvent.Type.QP_FATAL);
        assertThat(event.number()).isEqualTo(pair.number());
        assertThat(pair.state()).isEqualTo(QueuePairState.ERR);
        assertRefused(Errno.EINVAL, () -> pair.post(left.sends));
        pair.close();
    }

    @Test
    void aWaitEndsWithAPacket() throws Exception {
        QueuePair pair = left.pair();
        right.receive(1);
        right.parent.createRssQueuePair(right.spread());
        CompletionQueue queue = right.queues.getFirst();
        queue.arm();
        assertThat(queue.await(Duration.ofMillis(20))).isFalse();
        send(pair, frame(100, 1), 0);
        assertThat(queue.await(Duration.ofSeconds(60))).isTrue();
        assertThat(queue.poll(right.completions)).isEqualTo(1);
    }
}
