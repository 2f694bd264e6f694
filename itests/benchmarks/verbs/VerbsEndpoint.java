package io.manafold.benchmark;

import io.manafold.api.device.PciFunction;
import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.rdma.CompletionQueue;
import io.manafold.api.rdma.CompletionStatus;
import io.manafold.api.rdma.Completions;
import io.manafold.api.rdma.MemoryRegion;
import io.manafold.api.rdma.QueuePair;
import io.manafold.api.rdma.ReceiveList;
import io.manafold.api.rdma.SendList;
import io.manafold.rdma.internal.device.LoopVerbs;
import io.manafold.testkit.Blocks;

/** An adapter with the RDMA driver on it: its verbs, and what one thread posts and polls with. */
final class VerbsEndpoint implements AutoCloseable {
    private static final int MOST = 64;

    final MemoryBlock block;
    final QueuePair pair;
    final CompletionQueue completions;
    final MemoryRegion region;
    final SendList sends = new SendList(MOST);
    final ReceiveList receives = new ReceiveList(MOST);
    final Completions polled = new Completions(MOST);
    final LoopVerbs verbs;

    /** @param host the last number of its address */
    VerbsEndpoint(String name, int host, PciFunction function) {
        block = Blocks.source().make(name, RdmaEndpoint.BYTES);
        verbs = new LoopVerbs(name, function, host, block);
        pair = verbs.pair;
        completions = verbs.completions;
        region = verbs.region;
    }

    static void connect(VerbsEndpoint left, VerbsEndpoint right, int mtu) {
        left.verbs.connect(right.verbs, mtu);
        right.verbs.connect(left.verbs, mtu);
    }

    /** Takes completions, all of which have to be successes. */
    int poll() {
        int count = completions.poll(polled);
        for (int i = 0; i < count; i++) {
            if (polled.status(i) != CompletionStatus.SUCCESS) {
                throw new IllegalStateException("a request has ended with " + polled.status(i).label() + " ("
                        + polled.vendorError(i) + ")");
            }
        }
        return count;
    }

    @Override
    public void close() {
        verbs.close();
        block.close();
    }
}
