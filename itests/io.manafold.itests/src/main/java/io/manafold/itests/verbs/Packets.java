package io.manafold.itests.verbs;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.memory.MemorySource;
import io.manafold.api.net.MacAddress;
import io.manafold.api.rdma.Access;
import io.manafold.api.rdma.CompletionQueue;
import io.manafold.api.rdma.CompletionStatus;
import io.manafold.api.rdma.MemoryRegion;
import io.manafold.api.rdma.ParentDomain;
import io.manafold.api.rdma.ProtectionDomain;
import io.manafold.api.rdma.QueuePair;
import io.manafold.api.rdma.QueuePairPlan;
import io.manafold.api.rdma.RdmaDevice;
import io.manafold.api.rdma.ReceiveWorkQueue;
import io.manafold.api.rdma.RssPlan;
import io.manafold.api.rdma.SendList;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.itests.net.Drivers;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Numbered datagrams of many flows from port 1 of a device to port 1 of another, which spreads them over four queues.
 */
final class Packets extends Talk {
    private static final MacAddress FROM = Drivers.mac(Drivers.LEFT, 1);
    private static final MacAddress TO = Drivers.mac(Drivers.RIGHT, 1);
    private static final int QUEUES = 4;
    private static final int SLOT = 256;
    private static final int LENGTH = 200;
    private static final int FLOWS = 64;
    private static final int NUMBER = 42;
    /** In the first byte of an address. */
    private static final int MULTICAST = 1;
    private static final int SOURCE_PORT = 34;

    private final MemoryBlock leftBlock;
    private final MemoryRegion left;
    private final CompletionQueue sendQueue;
    private final QueuePair pair;
    private final MemoryBlock rightBlock;
    private final MemoryRegion right;
    private final List<CompletionQueue> queues = new ArrayList<>();
    private final List<ReceiveWorkQueue> receives = new ArrayList<>();
    /** Receives of each queue that have been posted and have not come back. */
    private final int[] waiting = new int[QUEUES];

    Packets(RdmaDevice from, RdmaDevice to, MemorySource memory, Score score) {
        super(score, Set.of(Errno.ENODEV));
        try {
            leftBlock = keep(memory.make("packets of " + from.name(), WINDOW * SLOT));
            ParentDomain leftDomain = domain(from);
            left = keep(leftDomain.register(leftBlock, Access.LOCAL_WRITE));
            sendQueue = keep(from.createCompletionQueue(WINDOW));
            pair = keep(leftDomain.createQueuePair(QueuePairPlan.raw(sendQueue, WINDOW)));
            rightBlock = keep(memory.make("packets of " + to.name(), QUEUES * WINDOW * SLOT));
            ParentDomain rightDomain = domain(to);
            right = keep(rightDomain.register(rightBlock, Access.LOCAL_WRITE));
            for (int i = 0; i < QUEUES; i++) {
                queue(to, rightDomain);
            }
            byte[] key = new byte[40];
            new Random(4).nextBytes(key);
            keep(rightDomain.createRssQueuePair(new RssPlan(receives, key, RssPlan.ALL)));
            fill();
        } catch (RuntimeException refused) {
            close();
            throw refused;
        }
    }

    private ParentDomain domain(RdmaDevice device) {
        ProtectionDomain domain = keep(device.allocateDomain());
        return keep(domain.createParentDomain(1));
    }

    private void queue(RdmaDevice device, ParentDomain domain) {
        int index = queues.size();
        queues.add(keep(device.createCompletionQueue(WINDOW)));
        receives.add(keep(domain.createReceiveWorkQueue(queues.get(index), WINDOW, 1)));
        again.clear();
        for (int i = 0; i < WINDOW; i++) {
            receive(index, i);
        }
        waiting[index] = receives.get(index).post(again);
    }

    private void receive(int queue, int slot) {
        again.receive(slot).piece(right.address() + at(queue, slot), right.localKey(), SLOT);
    }

    private static int at(int queue, int slot) {
        return (queue * WINDOW + slot) * SLOT;
    }

    /** What all datagrams have. */
    private void fill() {
        ByteBuffer frame = ByteBuffer.allocate(LENGTH);
        mac(frame, TO);
        mac(frame, FROM);
        frame.putShort((short) 0x0800).putShort((short) 0x4500).putShort((short) (LENGTH - 14)).putInt(0)
                .putShort((short) 0x4011).putShort((short) 0).putInt(0x0a4d_0001).putInt(0x0a4d_0002)
                .putShort((short) 0).putShort((short) 4000).putShort((short) (LENGTH - 34)).putShort((short) 0);
        for (int i = 0; i < WINDOW; i++) {
            MemorySegment.copy(frame.array(), 0, leftBlock.segment(), JAVA_BYTE, i * SLOT, LENGTH);
        }
    }

    private static void mac(ByteBuffer into, MacAddress mac) {
        into.putShort((short) (mac.value() >>> 32)).putInt((int) mac.value());
    }

    @Override
    QueuePair sender() {
        return pair;
    }

    @Override
    CompletionQueue sent() {
        return sendQueue;
    }

    @Override
    void write(long number, SendList into) {
        int at = (int) (number % WINDOW) * SLOT;
        leftBlock.segment().set(JAVA_BYTE, at + SOURCE_PORT + 1, (byte) (number % FLOWS));
        for (int k = NUMBER; k < LENGTH - 8; k += 8) {
            leftBlock.segment().set(JAVA_LONG_UNALIGNED, at + k, number * 31 + k);
        }
        into.send(number, SendList.SIGNALED).piece(left.address() + at, left.localKey(), LENGTH);
    }

    @Override
    void pollReceives() {
        for (int i = 0; i < QUEUES; i++) {
            pollReceives(i);
        }
    }

    private void pollReceives(int queue) {
        int count = poll(queues.get(queue), waiting[queue]);
        waiting[queue] -= count;
        again.clear();
        for (int i = 0; i < count; i++) {
            judge(completions.status(i));
            if (completions.status(i) == CompletionStatus.SUCCESS) {
                int slot = (int) completions.id(i);
                // a kernel behind another port asks everyone for something
                if ((rightBlock.segment().get(JAVA_BYTE, at(queue, slot)) & MULTICAST) == 0) {
                    boolean good = completions.length(i) == LENGTH && completions.isHashedByPorts(i)
                            && (completions.hash(i) & QUEUES - 1) == queue && isWhole(at(queue, slot));
                    arrived++;
                    (good ? score.arrived : score.wrong).incrementAndGet();
                    score.byQueue.incrementAndGet(queue);
                }
                receive(queue, slot);
            }
        }
        if (again.count() > 0) {
            try {
                receives.get(queue).post(again);
            } catch (Refusal ending) {
                // polling tells
            } finally {
                waiting[queue] += again.posted();
            }
        }
    }

    /** Whether all of a datagram belongs to its number. */
    private boolean isWhole(int at) {
        long first = rightBlock.segment().get(JAVA_LONG_UNALIGNED, at + NUMBER) - NUMBER;
        boolean good = first % 31 == 0 && first / 31 < next;
        for (int k = NUMBER; good && k < LENGTH - 8; k += 8) {
            good = rightBlock.segment().get(JAVA_LONG_UNALIGNED, at + k) == first + k;
        }
        return good && rightBlock.segment().get(JAVA_BYTE, at + SOURCE_PORT + 1) == (byte) (first / 31 % FLOWS);
    }
}
