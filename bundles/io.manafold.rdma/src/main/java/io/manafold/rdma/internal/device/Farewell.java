package io.manafold.rdma.internal.device;

import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.driver.ClientSession;
import io.manafold.gdma.message.DestroyRdmaAdapter;
import io.manafold.gdma.message.Done;
import io.manafold.gdma.message.Request;
import io.manafold.memory.DmaPiece;
import io.manafold.rdma.internal.queue.ManagementQueuePair;
import io.manafold.rdma.internal.queue.RcQueuePair;
import io.manafold.rdma.internal.queue.SharedCompletionQueue;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All that was made of a device on its way home: threads leave the memory, then the device does, then it is given back. */
final class Farewell {
    private static final Logger LOG = LoggerFactory.getLogger(Farewell.class);

    private final List<RcQueuePair> pairs = new ArrayList<>();
    private ManagementQueuePair management;
    private final List<SharedCompletionQueue> queues = new ArrayList<>();
    private final List<Region> regions = new ArrayList<>();
    private final List<Domain> domains = new ArrayList<>();
    private final List<Runnable> pages = new ArrayList<>();
    private final List<DmaPiece> memory = new ArrayList<>();

    void add(RcQueuePair pair) {
        pairs.add(pair);
    }

    void add(ManagementQueuePair pair) {
        management = pair;
    }

    void add(SharedCompletionQueue queue) {
        queues.add(queue);
    }

    void add(Region region) {
        regions.add(region);
    }

    void add(Domain domain) {
        domains.add(domain);
    }

    void add(Runnable page) {
        pages.add(page);
    }

    /** No thread posts or polls in the memory any more; what was posted can be polled as flushed. */
    void leave() {
        for (RcQueuePair pair : pairs) {
            keep(pair.end(), pair.memory(), "queue pair " + pair.number());
        }
        for (SharedCompletionQueue queue : queues) {
            keep(queue.end(), queue.memory(), "completion queue " + queue.id());
        }
    }

    private void keep(boolean left, List<DmaPiece> pieces, String what) {
        if (left) {
            memory.addAll(pieces);
        } else {
            LOG.error("A thread does not leave {}; its memory stays.", what);
        }
    }

    /** The device forgets all of it, in as many steps as there are kinds of things. */
    void device(ClientSession client, long adapter) {
        List<Request<Done>> ends = new ArrayList<>(pairs.stream().map(RcQueuePair::farewell).toList());
        ends.add(management.farewell());
        client.callQuietly(ends);
        ends = new ArrayList<>(queues.stream().map(SharedCompletionQueue::farewell).toList());
        ends.add(management.queueFarewell());
        client.callQuietly(ends);
        management.forget();
        client.callQuietly(List.of(new DestroyRdmaAdapter(adapter)));
        regions.forEach(region -> quietly(region.registered()::close));
        domains.forEach(domain -> quietly(domain.domain()::close));
        pages.forEach(Farewell::quietly);
    }

    /** The memory goes. */
    void memory(ClientSession client) {
        memory.addAll(management.memory());
        if (!memory.isEmpty()) {
            client.memory().free(memory);
        }
    }

    private static void quietly(Runnable step) {
        try {
            step.run();
        } catch (Refusal refused) {
            LOG.debug("{}", refused.getMessage());
        }
    }
}
