package io.manafold.rdma.internal.device;

import static io.manafold.rdma.internal.device.VerbsTest.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.rdma.CompletionQueue;
import io.manafold.api.rdma.QueuePair;
import io.manafold.api.rdma.QueuePairAttributes;
import io.manafold.api.rdma.QueuePairPlan;
import io.manafold.api.rdma.ReceiveList;
import io.manafold.api.rdma.ReceiveWorkQueue;
import io.manafold.api.rdma.RssPlan;
import io.manafold.api.rdma.RssQueuePair;
import io.manafold.api.rdma.SendList;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.fabric.internal.TestSwitch;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Ports for raw packets are claimed and given back, and what cannot be is refused. */
@Timeout(300)
class RawRefusedTest {
    private final TestSwitch net = new TestSwitch("left/1", "right/1");
    private final RawNode left = new RawNode("left", net);
    private final RawNode right = new RawNode("right", net);

    @AfterEach
    void close() {
        left.close();
        right.close();
        net.close();
    }

    @Test
    void aPortIsTakenByItsFirstQueueAndGivenBackByItsLast() {
        assertThat(left.claimed).isEmpty();
        QueuePair pair = left.pair();
        assertThat(left.claimed).containsExactly(1);
        CompletionQueue queue = left.context.createCompletionQueue(64);
        ReceiveWorkQueue receives = left.parent.createReceiveWorkQueue(queue, 8, 1);
        assertRefused(Errno.EBUSY, () -> left.context.allocateDomain().createParentDomain(1)
                .createReceiveWorkQueue(left.context.createCompletionQueue(64), 8, 1));
        RawContext other = left.device.open();
        assertRefused(Errno.EBUSY, () -> other.allocateDomain().createParentDomain(1)
                .createQueuePair(QueuePairPlan.raw(other.createCompletionQueue(64), 8)));
        pair.close();
        assertThat(left.claimed).containsExactly(1);
        receives.close();
        assertThat(left.claimed).isEmpty();
        left.device.close(left.context);
        other.allocateDomain().createParentDomain(1)
                .createQueuePair(QueuePairPlan.raw(other.createCompletionQueue(64), 8));
        assertThat(left.claimed).containsExactly(1);
        left.device.close(other);
        assertThat(left.claimed).isEmpty();
        assertThat(left.device.resources()).isEqualTo(new TreeMap<>(Map.of("pd", 0, "mr", 0, "cq", 0, "qp", 0)));
        left.end();
    }

    @Test
    void aRegionThatADeviceDoesNotGiveUpIsToldAndItsBlockIsTakenAway() {
        // the device does not know it any more, and refuses to forget it
        ((Region) left.region).registered().close();
        assertThatThrownBy(left.region::close).isInstanceOf(Refusal.class);
        assertThat(left.borrower.blocks()).isZero();
        left.device.close();
    }

    @Test
    void aPortWhoseNetworkDeviceIsUpIsRefused() {
        // as if it were up
        left.claimed.add(1);
        assertRefused(Errno.EBUSY, left::pair);
        left.claimed.clear();
        left.pair().close();
        assertThat(left.device.resources()).containsEntry("qp", 0);
    }

    @Test
    void wrongArgumentsAreRefused() {
        CompletionQueue queue = left.context.createCompletionQueue(64);
        assertRefused(Errno.EINVAL, () -> left.domain.createParentDomain(0));
        assertRefused(Errno.EINVAL, () -> left.domain.createParentDomain(2));
        assertRefused(Errno.EINVAL, () -> left.parent.createParentDomain(1));
        assertRefused(Errno.EINVAL, () -> left.domain.createQueuePair(QueuePairPlan.raw(queue, 8)));
        assertRefused(Errno.EOPNOTSUPP, () -> left.parent.createQueuePair(QueuePairPlan.reliable(queue, 8, 8)));
        assertRefused(Errno.EINVAL, () -> left.parent.createQueuePair(QueuePairPlan.raw(queue, 0)));
        assertRefused(Errno.EINVAL, () -> left.parent.createQueuePair(QueuePairPlan.raw(queue, 4096)));
        assertRefused(Errno.EINVAL, () -> left.parent.createQueuePair(QueuePairPlan.raw(right.sendQueue, 8)));
        assertRefused(Errno.EINVAL, () -> left.parent.createReceiveWorkQueue(queue, 8, 16));
        assertRefused(Errno.EINVAL, () -> left.parent.createReceiveWorkQueue(queue, 0, 1));
        assertRefused(Errno.EOPNOTSUPP, () -> left.parent.createSharedReceiveQueue(8));
        assertRefused(Errno.EINVAL, () -> left.context.gids(2));
        assertThat(left.context.gids(1)).isEmpty();
        assertThat(left.context.port(1).gids()).isZero();
        QueuePair pair = left.pair();
        assertRefused(Errno.EINVAL, () -> left.parent.createReceiveWorkQueue(left.sendQueue, 8, 1));
        assertRefused(Errno.EBUSY, left.sendQueue::close);
        assertRefused(Errno.EOPNOTSUPP, () -> pair.post(new ReceiveList(1)));
        assertRefused(Errno.EOPNOTSUPP, () -> pair.modify(QueuePairAttributes.init(0)));
        assertRefused(Errno.EINVAL, () -> pair.post(new SendList(65).clear().write(1, 0, 0, 0)));
        assertRefused(Errno.EINVAL, () -> pair.post(left.sends.clear().send(1, SendList.INLINE)));
        assertRefused(Errno.EINVAL, () -> pair.post(left.sends.clear().send(1, 0)));
        assertRefused(Errno.EINVAL, () -> pair.post(left.sends.clear().send(1, 0).piece(0, 0, 13)));
        assertRefused(Errno.EINVAL, () -> pair.post(left.sends.clear().send(1, 0).piece(0, 0, 20).piece(0, 0, 0)));
        assertRefused(Errno.EINVAL, () -> pair.post(left.sends.clear().send(1, 0).piece(0, 0, -1)));
        assertRefused(Errno.EINVAL, () -> pair.post(left.sends.clear().send(1, 0).piece(0, 0, 1 << 16)));
        SendList tooLong = new SendList(65);
        for (int i = 0; i < 65; i++) {
            tooLong.send(i, 0);
        }
        assertRefused(Errno.EINVAL, () -> pair.post(tooLong));
        ReceiveWorkQueue one = left.parent.createReceiveWorkQueue(queue, 8, 1);
        ReceiveWorkQueue two = left.parent.createReceiveWorkQueue(left.context.createCompletionQueue(64), 8, 1);
        assertRefused(Errno.EINVAL, () -> one.post(new ReceiveList(1).receive(1)));
        right.receive(1);
        assertRefused(Errno.EINVAL, () -> left.parent.createRssQueuePair(new RssPlan(List.of(one, two, one),
                RawNode.KEY, RssPlan.ALL)));
        assertRefused(Errno.EINVAL, () -> left.parent.createRssQueuePair(new RssPlan(List.of(one), new byte[39],
                RssPlan.ALL)));
        assertRefused(Errno.EINVAL,
                () -> left.parent.createRssQueuePair(new RssPlan(List.of(one, two), RawNode.KEY, 0)));
        assertRefused(Errno.EINVAL, () -> left.parent.createRssQueuePair(new RssPlan(List.of(one), RawNode.KEY,
                1 << 8)));
        assertRefused(Errno.EINVAL, () -> left.parent.createRssQueuePair(new RssPlan(List.of(), RawNode.KEY,
                RssPlan.ALL)));
        assertRefused(Errno.EINVAL, () -> left.parent.createRssQueuePair(new RssPlan(right.receives, RawNode.KEY,
                RssPlan.ALL)));
        assertRefused(Errno.EOPNOTSUPP, () -> left.parent.createRssQueuePair(
                new RssPlan(List.of(one), RawNode.KEY, RssPlan.SOURCE_IPV4)));
        RssQueuePair spreading = left.parent.createRssQueuePair(new RssPlan(List.of(one), RawNode.KEY, RssPlan.ALL));
        assertRefused(Errno.EBUSY, () -> left.parent.createRssQueuePair(new RssPlan(List.of(two), RawNode.KEY,
                RssPlan.ALL)));
        assertRefused(Errno.EINVAL, () -> spreading.change(new RssPlan(List.of(one), new byte[0], RssPlan.ALL)));
        two.close();
        assertRefused(Errno.EBADF, () -> spreading.change(new RssPlan(List.of(two), RawNode.KEY, RssPlan.ALL)));
        assertRefused(Errno.EBADF, () -> two.post(new ReceiveList(1)));
        assertRefused(Errno.EBUSY, left.domain::close);
        pair.close();
        assertRefused(Errno.EBADF, () -> pair.post(left.sends.clear()));
        left.end();
    }
}
