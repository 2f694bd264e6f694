package io.manafold.rdma.internal.device;

import static io.manafold.rdma.internal.device.VerbsTest.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.rdma.AsyncEvent;
import io.manafold.api.rdma.AsyncEvents;
import io.manafold.api.rdma.CompletionQueue;
import io.manafold.api.rdma.CompletionStatus;
import io.manafold.api.rdma.QueuePair;
import io.manafold.api.rdma.QueuePairAttributes;
import io.manafold.api.rdma.QueuePairPlan;
import io.manafold.api.rdma.QueuePairState;
import io.manafold.api.rdma.ReceiveList;
import io.manafold.api.rdma.SendList;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.fabric.internal.TestSwitch;
import io.manafold.gdma.CompletionEntry;
import io.manafold.gdma.Limits;
import io.manafold.gdma.RdmaCompletion;
import io.manafold.gdma.driver.ChannelLimits;
import io.manafold.memory.RawMemory;
import io.manafold.rdma.internal.queue.SharedCompletionQueue;
import java.time.Duration;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A device that writes completions of what never was: the queue pair ends with an event, and the driver goes on. */
@Timeout(3600)
class LiesTest {
    private static final int LIES = Integer.getInteger("manafold.rdma.completions", 100_000);
    private static final int SLOTS = 64;
    private static final int POSTED = 8;
    /** Of a request: its command, and the queue pair that it names. */
    private static final int COMMAND = 4;
    private static final int SET_QP_STATE = 0x3000d;
    private static final int PAIR = 0x30;

    private final TestSwitch net = new TestSwitch("left/1", "right/1");
    private final Node left = new Node("left", net);
    private final Node right = new Node("right", net);
    private QueuePair pair;
    private QueuePair bystander;
    private AsyncEvents events;

    @BeforeEach
    void post() {
        pair = left.pair();
        bystander = left.pair();
        Node.connect(left, pair, right, right.pair());
        events = left.context.events();
        ReceiveList receives = new ReceiveList(POSTED);
        SendList sends = new SendList(POSTED);
        for (int i = 0; i < POSTED; i++) {
            receives.receive(i).piece(left.region.address(), left.region.localKey(), 64);
            // no receive waits for them
            sends.send(100 + i, SendList.SIGNALED).piece(left.region.address(), left.region.localKey(), 64);
        }
        pair.post(receives);
        pair.post(sends);
        assertThat(left.queue.poll(left.completions)).isZero();
    }

    @AfterEach
    void close() {
        left.close();
        right.close();
        net.close();
    }

    /** Completions that no device may write. */
    enum Lie {
        ACKNOWLEDGES_WHAT_WAS_NEVER_SENT, ACKNOWLEDGES_WITHOUT_ACKNOWLEDGEMENT, UNKNOWN_TYPE_OF_SEND,
                UNKNOWN_TYPE_OF_RECEIVE,
        RECEIVE_OUT_OF_TURN, MESSAGE_BEYOND_ITS_RECEIVE, MESSAGE_OF_LESS_THAN_NOTHING
    }

    private long entry(int slot) {
        return ((SharedCompletionQueue) left.queue).memory().getFirst().pointer() + (long) slot * CompletionEntry.SIZE;
    }

    /** Writes a completion into the first lap of the queue. */
    private void write(int slot, int workQueue, boolean send, int... words) {
        long entry = entry(slot);
        for (int i = 0; i < words.length; i++) {
            RawMemory.put32(entry + 4 * i, words[i]);
        }
        RawMemory.putRelease32(entry + CompletionEntry.LAST,
                CompletionEntry.last(workQueue, send, left.queue.entries(), left.queue.entries()));
    }

    private void tell(Lie lie) {
        int acknowledged = RdmaCompletion.first(RdmaCompletion.ACKNOWLEDGED, 0);
        int send = RdmaCompletion.first(RdmaCompletion.SEND, 0);
        int number = pair.number();
        switch (lie) {
            case ACKNOWLEDGES_WHAT_WAS_NEVER_SENT -> write(0, number + 1, false, acknowledged, 0x1f << 24, POSTED);
            case ACKNOWLEDGES_WITHOUT_ACKNOWLEDGEMENT -> write(0, number + 1, false, acknowledged, 0x60 << 24,
                    0xff_fffe);
            case UNKNOWN_TYPE_OF_SEND -> write(0, number + 1, false, 9);
            case UNKNOWN_TYPE_OF_RECEIVE -> write(0, number, false, 0);
            case RECEIVE_OUT_OF_TURN -> write(0, number, false, send, 10, 0, 0, 32);
            case MESSAGE_BEYOND_ITS_RECEIVE -> write(0, number, false, send, 65, 0, 0, 0);
            case MESSAGE_OF_LESS_THAN_NOTHING -> write(0, number, false, send, -1, 0, 0, 0);
        }
    }

    /** All that was posted comes back flushed. */
    private void assertFlushed() {
        for (int back = 0; back < 2 * POSTED;) {
            back += left.poll();
            for (int i = 0; i < left.completions.count(); i++) {
                assertThat(left.completions.status(i)).isEqualTo(CompletionStatus.FLUSHED);
            }
        }
    }

    /** Requests for another state name no queue pair that there is. */
    private void spoilStates() {
        long requests = left.function.pointer() + 4L * Limits.CHANNEL_QUEUE;
        for (int i = 0; i < ChannelLimits.USUAL.depth(); i++) {
            long request = requests + (long) i * Limits.MESSAGE;
            if (RawMemory.get32(request + COMMAND) == SET_QP_STATE) {
                RawMemory.put64(request + PAIR, -1);
            }
        }
    }

    @Test
    void aDeviceThatRefusesTheErrorStateKeepsNoWork() {
        left.function.heard((offset, value) -> spoilStates());
        assertThatThrownBy(() -> pair.modify(QueuePairAttributes.to(QueuePairState.ERR))).isInstanceOf(Refusal.class);
        left.function.heard((offset, value) -> { });
        assertThat(pair.state()).isEqualTo(QueuePairState.ERR);
        assertFlushed();
    }

    @ParameterizedTest
    @EnumSource(Lie.class)
    void aQueuePairEndsWithAnEvent(Lie lie) throws Exception {
        tell(lie);
        assertFlushed();
        AsyncEvent event = events.next(Duration.ofSeconds(60)).orElseThrow();
        assertThat(event.type()).isEqualTo(AsyncEvent.Type.QP_FATAL);
        assertThat(event.number()).isEqualTo(pair.number());
        assertThat(pair.state()).isEqualTo(QueuePairState.ERR);
        assertThat(bystander.state()).isEqualTo(QueuePairState.RESET);
    }

    @Test
    void aCompletionOfAnotherQueueEndsTheQueueAndAllThatUseIt() throws Exception {
        write(0, pair.number() + 400, false, RdmaCompletion.first(RdmaCompletion.SEND, 0));
        assertFlushed();
        assertThat(events.next(Duration.ofSeconds(60)).orElseThrow().type()).isEqualTo(AsyncEvent.Type.CQ_ERR);
        assertRefused(Errno.EIO, () -> left.queue.poll(left.completions));
        assertThat(pair.state()).isEqualTo(QueuePairState.ERR);
        pair.close();
        bystander.close();
        left.queue.close();
    }

    @Test
    void ownerBitsOfAnotherLapEndTheQueue() throws Exception {
        RawMemory.putRelease32(entry(0) + CompletionEntry.LAST, 5 << 29 | pair.number());
        assertFlushed();
        assertThat(events.next(Duration.ofSeconds(60)).orElseThrow().type()).isEqualTo(AsyncEvent.Type.CQ_ERR);
    }

    /** What was posted comes back at most once each, whatever is in the queue, and no memory changes. */
    @Test
    void anyBytesAreCompletionsToALiar() {
        byte[] before = left.bytes(0, Node.BYTES);
        int told = 0;
        for (int round = 0; told < LIES; round++) {
            Random random = new Random(round);
            var queue = left.context.createCompletionQueue(SLOTS);
            QueuePair one = left.domain.createQueuePair(QueuePairPlan.reliable(queue, SLOTS, SLOTS));
            left.connect(one, right, one);
            ReceiveList receives = new ReceiveList(POSTED);
            SendList sends = new SendList(POSTED);
            for (int i = 0; i < POSTED; i++) {
                receives.receive(i).piece(left.region.address(), left.region.localKey(), 64);
                sends.send(POSTED + i, SendList.SIGNALED).piece(left.region.address(), left.region.localKey(), 64);
            }
            one.post(receives);
            one.post(sends);
            long at = ((SharedCompletionQueue) queue).memory().getFirst().pointer();
            for (int slot = 0; slot < SLOTS; slot++) {
                lie(random, at + (long) CompletionEntry.SIZE * slot, one.number());
            }
            told += SLOTS;
            assertEachAtMostOnce(queue);
            one.close();
            queue.close();
        }
        assertThat(left.bytes(0, Node.BYTES)).isEqualTo(before);
    }

    /** Now and then something that the pair could have been told, so that some are believed. */
    private static void lie(Random random, long entry, int number) {
        boolean send = random.nextBoolean();
        for (int word = 0; word < 15; word++) {
            RawMemory.put32(entry + 4 * word, random.nextInt(8) == 0 ? random.nextInt() : random.nextInt(100));
        }
        RawMemory.put32(entry, switch (random.nextInt(4)) {
            case 0 -> random.nextInt();
            case 1 -> random.nextInt(40);
            default -> RdmaCompletion.first(send ? RdmaCompletion.ACKNOWLEDGED : RdmaCompletion.SEND, 0);
        });
        if (send && random.nextBoolean()) {
            RawMemory.put32(entry + 4, 0x1f << 24 | random.nextInt(POSTED + 1));
            RawMemory.put32(entry + 8, random.nextInt(POSTED + 1));
        }
        RawMemory.putRelease32(entry + CompletionEntry.LAST, CompletionEntry.last(number + (send ? 1 : 0),
                send && random.nextBoolean(), 1, 1));
    }

    private void assertEachAtMostOnce(CompletionQueue queue) {
        Set<Long> back = new HashSet<>();
        for (int turn = 0; turn < 20; turn++) {
            try {
                int count = queue.poll(left.completions);
                for (int i = 0; i < count; i++) {
                    assertThat(back.add(left.completions.id(i))).as("request %d", left.completions.id(i)).isTrue();
                    assertThat(left.completions.id(i)).isBetween(0L, 2L * POSTED - 1);
                }
            } catch (Refusal broken) {
                assertThat(broken.errno()).isEqualTo(Errno.EIO);
                return;
            }
        }
    }
}
