package io.manafold.pmd.internal.device;

import io.manafold.api.ethdev.EthDevPlan;
import io.manafold.api.ethdev.Offload;
import io.manafold.api.rdma.CompletionQueue;
import io.manafold.api.rdma.ParentDomain;
import io.manafold.api.rdma.QueuePair;
import io.manafold.api.rdma.QueuePairPlan;
import io.manafold.api.rdma.RdmaDevice;
import io.manafold.api.rdma.ReceiveWorkQueue;
import io.manafold.api.rdma.RssPlan;
import io.manafold.api.rdma.RssQueuePair;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.driver.DirectQueue;
import io.manafold.memory.PacketPool;
import io.manafold.pmd.internal.queue.Keys;
import io.manafold.pmd.internal.queue.ReceiveSlot;
import io.manafold.pmd.internal.queue.SendSlot;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** What a started port has in its domain: made in one go, send queues first, and undone in reverse. */
final class PortHardware implements AutoCloseable {
    private static final int ALL_PIECES = 4;

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final List<ReceiveWorkQueue> receives = new ArrayList<>();
    private final RdmaDevice device;
    private final Keys keys;
    private final ParentDomain parent;
    private boolean reaches;
    private RssQueuePair spreading;

    PortHardware(PortDomain domain) {
        device = domain.device();
        parent = domain.parent();
        keys = keep(new Keys(parent));
    }

    /**
     * Makes all, and packets come when this returns, to slots that are still shut.
     *
     * @throws Refusal what the device says; all is undone, as by {@link #close}
     */
    void make(PortPlan plan, List<SendSlot> sendSlots, List<ReceiveSlot> receiveSlots) {
        boolean made = false;
        try {
            for (int i = 0; i < sendSlots.size(); i++) {
                send(plan.plan(), sendSlots.get(i), plan.sendDescriptors(i));
            }
            for (int i = 0; i < receiveSlots.size(); i++) {
                receive(plan.plan(), receiveSlots.get(i), plan.receiveDescriptors(i), plan.pool(i));
            }
            spreading = keep(parent.createRssQueuePair(rss(plan)));
            made = true;
        } finally {
            if (!made) {
                undo();
            }
        }
    }

    private <T extends AutoCloseable> T keep(T thing) {
        open.push(thing);
        return thing;
    }

    private void send(EthDevPlan plan, SendSlot slot, int descriptors) {
        boolean plain = plan.sendOffloads() == 0;
        int pieces = (plan.sendOffloads() & Offload.SEND_SEGMENTS) != 0 ? ALL_PIECES : 1;
        CompletionQueue completions = keep(device.createCompletionQueue(descriptors));
        QueuePair pair = keep(parent.createQueuePair(QueuePairPlan.raw(completions, descriptors)
                .withPieces(pieces, 0)));
        DirectQueue direct = pair.direct(DirectQueue.class, slot.withdrawal());
        slot.open(direct, keys, descriptors, plain && direct.vportOffset() <= 255);
    }

    private void receive(EthDevPlan plan, ReceiveSlot slot, int descriptors, PacketPool pool) {
        CompletionQueue completions = keep(device.createCompletionQueue(descriptors));
        ReceiveWorkQueue queue = keep(parent.createReceiveWorkQueue(completions, descriptors, 1));
        receives.add(queue);
        DirectQueue direct = queue.direct(DirectQueue.class, slot.withdrawal());
        slot.open(direct, keys, descriptors, pool, plan.receiveOffloads());
        slot.wakenBy(completions, direct.completions());
    }

    private RssPlan rss(PortPlan plan) {
        int[] table = plan.isSpread() ? plan.table() : new int[1];
        List<ReceiveWorkQueue> queues = new ArrayList<>();
        for (int queue : table) {
            queues.add(receives.get(queue));
        }
        return new RssPlan(queues, plan.key(), plan.isSpread() ? RssPlan.ALL : 0);
    }

    /** Packets are spread in another way. */
    void spread(PortPlan plan) {
        spreading.change(rss(plan));
    }

    private Refusal undo() {
        Refusal first = null;
        while (!open.isEmpty()) {
            AutoCloseable next = open.pop();
            try {
                next.close();
            } catch (Refusal refused) {
                first = first == null ? refused : first;
                reaches |= next == keys && refused.errno() != Errno.ENODEV;
            } catch (Exception impossible) {
                first = new Refusal(Errno.EIO, "A queue does not end: " + impossible, impossible);
            }
        }
        return first;
    }

    /**
     * After {@link #close}, or {@link #make} that was refused: whether the device did not give up the packets' memory,
     * so that it may still write it.
     */
    boolean reachesPackets() {
        return reaches;
    }

    RdmaDevice device() {
        return device;
    }

    /** The device forgets all of it. */
    @Override
    public void close() {
        Refusal first = undo();
        if (first != null && first.errno() != Errno.ENODEV) {
            throw first;
        }
    }
}
