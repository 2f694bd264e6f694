package io.manafold.rdma.internal.device;

import static io.manafold.rdma.internal.device.VerbsTest.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.rdma.AsyncEvent;
import io.manafold.api.rdma.AsyncEvents;
import io.manafold.api.rdma.CompletionQueue;
import io.manafold.api.rdma.CompletionStatus;
import io.manafold.api.rdma.Completions;
import io.manafold.api.rdma.QueuePair;
import io.manafold.api.rdma.QueuePairState;
import io.manafold.api.rdma.ReceiveList;
import io.manafold.api.rdma.ReceiveWorkQueue;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.fabric.internal.TestSwitch;
import io.manafold.gdma.CompletionEntry;
import io.manafold.gdma.ReceiveCompletion;
import io.manafold.gdma.SendCompletion;
import io.manafold.memory.RawMemory;
import io.manafold.rdma.internal.queue.RawQueue;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A device that writes completions of packets that never were: the queue ends with an event, and the driver goes on.
 */
@Timeout(300)
class RawLiesTest {
    private static final int LENGTH = ReceiveCompletion.lengthAt(0);

    private final TestSwitch net = new TestSwitch("left/1", "right/1");
    private final RawNode left = new RawNode("left", net);
    private ReceiveWorkQueue receives;
    private CompletionQueue queue;
    private AsyncEvents events;

    @BeforeEach
    void post() {
        left.receive(1);
        receives = left.receives.getFirst();
        queue = left.queues.getFirst();
        events = left.context.events();
        assertThat(queue.poll(left.completions)).isZero();
    }

    @AfterEach
    void close() {
        left.close();
        net.close();
    }

    private static long entries(Object of) {
        return ((RawQueue) of).memory().getLast().pointer();
    }

    /** Begins a completion in the first lap. */
    private static long write(Object of, int slot, int type) {
        long entry = entries(of) + (long) slot * CompletionEntry.SIZE;
        RawMemory.put32(entry, CompletionEntry.first(type, 0));
        return entry;
    }

    private static void commit(long entry, int workQueue, boolean send) {
        RawMemory.putRelease32(entry + CompletionEntry.LAST, CompletionEntry.last(workQueue, send, 1, 1));
    }

    /** Completions that no device may write. */
    enum Lie {
        BEYOND_ITS_RECEIVE, WITHOUT_LENGTH, OUT_OF_TURN, UNKNOWN_TYPE, FENCE, MORE_THAN_WERE_POSTED
    }

    private void tell(Lie lie) {
        long entry = write(receives, 0, switch (lie) {
            case UNKNOWN_TYPE -> 17;
            case FENCE -> ReceiveCompletion.FENCE;
            default -> ReceiveCompletion.OK;
        });
        RawMemory.put16(entry + LENGTH, switch (lie) {
            case BEYOND_ITS_RECEIVE -> RawNode.SLOT + 1;
            case WITHOUT_LENGTH -> 0;
            default -> 100;
        });
        RawMemory.put32(entry + ReceiveCompletion.REQUEST_OFFSET, lie == Lie.OUT_OF_TURN ? 32 : 0);
        commit(entry, receives.number(), false);
        if (lie == Lie.MORE_THAN_WERE_POSTED) {
            for (int i = 1; i <= RawNode.DEPTH; i++) {
                entry = write(receives, i, ReceiveCompletion.OK);
                RawMemory.put16(entry + LENGTH, 100);
                RawMemory.put32(entry + ReceiveCompletion.REQUEST_OFFSET, 32 * i);
                commit(entry, receives.number(), false);
            }
        }
    }

    /** Each receive has come back once. */
    private void assertAllBack() {
        for (int back = 0; back < RawNode.DEPTH;) {
            int count = left.poll(queue);
            for (int i = 0; i < count; i++) {
                assertThat(left.completions.id(i)).isEqualTo(back++);
            }
        }
    }

    private void assertEvents(AsyncEvent.Type... types) throws InterruptedException {
        for (AsyncEvent.Type type : types) {
            assertThat(events.next(Duration.ofSeconds(60)).orElseThrow().type()).isEqualTo(type);
        }
    }

    @ParameterizedTest
    @EnumSource(Lie.class)
    void aQueueEndsWithAnEvent(Lie lie) throws Exception {
        QueuePair bystander = left.pair();
        byte[] before = left.bytes(0, RawNode.BYTES);
        tell(lie);
        assertAllBack();
        // a lie about what is not there shows with the next look
        assertThat(queue.poll(left.completions)).isZero();
        AsyncEvent event = events.next(Duration.ofSeconds(60)).orElseThrow();
        assertThat(event.type()).isEqualTo(AsyncEvent.Type.WQ_FATAL);
        assertThat(event.number()).isEqualTo(receives.number());
        ReceiveList list = new ReceiveList(1);
        left.add(list, 0, 0);
        assertRefused(Errno.EINVAL, () -> receives.post(list));
        assertThat(left.bytes(0, RawNode.BYTES)).isEqualTo(before);
        assertThat(bystander.state()).isEqualTo(QueuePairState.RTS);
        receives.close();
        queue.close();
    }

    @Test
    void aSendThatWasNeverPostedEndsThePair() throws Exception {
        QueuePair pair = left.pair();
        long entry = write(pair, 0, SendCompletion.OK);
        RawMemory.put32(entry + SendCompletion.REQUEST, SendCompletion.request(0, 3));
        commit(entry, pair.number(), true);
        assertThat(left.sendQueue.poll(left.completions)).isZero();
        assertEvents(AsyncEvent.Type.QP_FATAL);
        assertRefused(Errno.EINVAL, () -> pair.post(left.sends.clear()));
    }

    @Test
    void aCompletionOfAnotherQueueEndsTheQueue() throws Exception {
        long entry = write(receives, 0, ReceiveCompletion.OK);
        commit(entry, receives.number() + 1, false);
        assertAllBack();
        assertEvents(AsyncEvent.Type.CQ_ERR, AsyncEvent.Type.WQ_FATAL);
        assertRefused(Errno.EIO, () -> queue.poll(left.completions));
        receives.close();
        queue.close();
    }

    @Test
    void ownerBitsOfAnotherLapEndTheQueue() throws Exception {
        RawMemory.putRelease32(entries(receives) + CompletionEntry.LAST, 5 << 29 | receives.number());
        assertAllBack();
        assertEvents(AsyncEvent.Type.CQ_ERR, AsyncEvent.Type.WQ_FATAL);
    }

    /** There was room for some of its packets, and it is another one when the rest is asked for. */
    @Test
    void aCompletionThatChangesWhileItIsTakenEndsTheQueue() throws Exception {
        receives.close();
        ReceiveWorkQueue one = left.parent.createReceiveWorkQueue(queue, 8, 1);
        ReceiveList list = new ReceiveList(2);
        left.add(list, 0, 0);
        left.add(list, 0, 1);
        one.post(list);
        long entry = write(one, 0, ReceiveCompletion.COALESCED);
        for (int packet = 0; packet < ReceiveCompletion.MAX_PACKETS; packet++) {
            RawMemory.put16(entry + ReceiveCompletion.lengthAt(packet), 100);
        }
        RawMemory.put32(entry + ReceiveCompletion.REQUEST_OFFSET, 0);
        commit(entry, one.number(), false);
        Completions two = new Completions(2);
        assertThat(queue.poll(two)).isEqualTo(2);
        RawMemory.put32(entry, CompletionEntry.first(ReceiveCompletion.TRUNCATED, 0));
        for (int look = 0; look < 3; look++) {
            assertThat(queue.poll(two)).as("receives that come back, all of which have").isZero();
        }
        assertEvents(AsyncEvent.Type.WQ_FATAL);
        one.close();
    }

    /** Each receive comes back once, whatever is in the queue. */
    @Test
    void anyBytesAreCompletionsToALiar() {
        receives.close();
        for (int round = 0; round < 300; round++) {
            Random random = new Random(round);
            ReceiveWorkQueue one = left.parent.createReceiveWorkQueue(queue, 8, 1);
            ReceiveList list = new ReceiveList(8);
            for (int i = 0; i < 8; i++) {
                left.add(list, 0, i);
            }
            one.post(list);
            for (int slot = 0; slot < 8; slot++) {
                long entry = write(one, slot, 1 + random.nextInt(4));
                for (int word = 4; word < 56; word += 4) {
                    RawMemory.put32(entry + word, random.nextInt(4) == 0 ? 0 : random.nextInt(3000));
                }
                RawMemory.put32(entry + ReceiveCompletion.REQUEST_OFFSET,
                        32 * (random.nextInt(8) == 0 ? random.nextInt() : slot));
                commit(entry, one.number() + (random.nextInt(16) == 0 ? 1 : 0), false);
            }
            int back = 0;
            for (int turn = 0; turn < 20; turn++) {
                try {
                    int count = queue.poll(left.completions);
                    for (int i = 0; i < count; i++) {
                        assertThat(left.completions.id(i)).isEqualTo(back++);
                        if (left.completions.status(i) == CompletionStatus.SUCCESS) {
                            assertThat(left.completions.length(i)).isBetween(1, RawNode.SLOT);
                        }
                    }
                } catch (Refusal broken) {
                    assertThat(broken.errno()).isEqualTo(Errno.EIO);
                    break;
                }
            }
            assertThat(back).isLessThanOrEqualTo(8);
            one.close();
        }
    }
}
