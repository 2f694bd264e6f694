package io.manafold.example.rdma.internal;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.memory.MemorySource;
import io.manafold.api.rdma.Access;
import io.manafold.api.rdma.CompletionQueue;
import io.manafold.api.rdma.Completions;
import io.manafold.api.rdma.MemoryRegion;
import io.manafold.api.rdma.Path;
import io.manafold.api.rdma.ProtectionDomain;
import io.manafold.api.rdma.QueuePair;
import io.manafold.api.rdma.QueuePairAttributes;
import io.manafold.api.rdma.QueuePairPlan;
import io.manafold.api.rdma.RdmaDevice;
import io.manafold.api.rdma.SendList;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Once two RDMA devices are there, writes from the one's half of a block into the other's. */
@Component
public final class FirstWrite {
    private static final int BYTES = 4096;

    @Activate
    public FirstWrite(@Reference MemorySource memory, @Reference(target = "(name=mana_0)") RdmaDevice near,
            @Reference(target = "(name=mana_1)") RdmaDevice far) throws InterruptedException {
        try (MemoryBlock block = memory.make("first write", 2 * BYTES);
                ProtectionDomain here = near.allocateDomain(); ProtectionDomain there = far.allocateDomain();
                MemoryRegion from = here.register(block, 0, BYTES, 0);
                MemoryRegion into = there.register(block, BYTES, BYTES, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
                CompletionQueue done = near.createCompletionQueue(16);
                CompletionQueue none = far.createCompletionQueue(16);
                QueuePair pair = here.createQueuePair(QueuePairPlan.reliable(done, 16, 16));
                QueuePair peer = there.createQueuePair(QueuePairPlan.reliable(none, 16, 16))) {
            connect(pair, near, peer, far);
            connect(peer, far, pair, near);
            MemorySegment sent = block.segment().asSlice(0, BYTES);
            sent.fill((byte) 0x5a);
            pair.post(new SendList(1).write(1, SendList.SIGNALED, into.address(), into.remoteKey())
                    .piece(from.address(), from.localKey(), BYTES));
            Completions completions = new Completions(1);
            done.arm();
            done.await(Duration.ofSeconds(10));
            System.out.println(done.poll(completions) + " request of " + BYTES + " bytes from mana_0 to mana_1: "
                    + (completions.count() == 0 ? "no answer" : completions.status(0).label()) + ", "
                    + (sent.mismatch(block.segment().asSlice(BYTES)) < 0 ? "they are there" : "they are not there"));
        }
    }

    private static void connect(QueuePair own, RdmaDevice device, QueuePair other, RdmaDevice otherDevice) {
        own.modify(QueuePairAttributes.init(Access.REMOTE_WRITE));
        Path path = Path.to(0, otherDevice.gids(1).getFirst());
        own.modify(QueuePairAttributes.readyToReceive(path, other.number(), 0, device.port(1).activeMtu()));
        own.modify(QueuePairAttributes.readyToSend(0));
    }
}
