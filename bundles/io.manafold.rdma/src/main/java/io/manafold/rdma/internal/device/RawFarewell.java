package io.manafold.rdma.internal.device;

import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.driver.ClientSession;
import io.manafold.memory.DmaPiece;
import io.manafold.rdma.internal.queue.RawCompletionQueue;
import io.manafold.rdma.internal.queue.RawQueue;
import io.manafold.rdma.internal.queue.RawRss;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All that was made for raw packets on its way home, in the same order as {@link Farewell}. */
final class RawFarewell {
    private static final Logger LOG = LoggerFactory.getLogger(RawFarewell.class);

    private final List<RawRss> spreadings = new ArrayList<>();
    private final List<RawQueue> queues = new ArrayList<>();
    private final List<RawCompletionQueue> completions = new ArrayList<>();
    private final List<Region> regions = new ArrayList<>();
    private final List<RawDomain> domains = new ArrayList<>();
    private final List<Runnable> pages = new ArrayList<>();
    private final List<DmaPiece> memory = new ArrayList<>();

    void add(RawRss spreading) {
        spreadings.add(spreading);
    }

    void add(RawQueue queue) {
        queues.add(queue);
    }

    void add(RawCompletionQueue queue) {
        completions.add(queue);
    }

    void add(Region region) {
        regions.add(region);
    }

    void add(RawDomain domain) {
        domains.add(domain);
    }

    void add(Runnable page) {
        pages.add(page);
    }

    /** No thread posts or polls in the memory any more; what was posted can be polled as flushed. */
    void leave() {
        queues.forEach(RawQueue::withdraw);
        for (RawQueue queue : queues) {
            if (queue.end()) {
                memory.addAll(queue.memory());
            } else {
                LOG.error("A thread does not leave queue {}; its memory stays.", queue.number());
            }
        }
        completions.forEach(RawCompletionQueue::end);
    }

    /** The device forgets all of it. */
    void device(ClientSession client) {
        spreadings.forEach(spreading -> quietly(() -> client.call(spreading.farewell())));
        client.callQuietly(queues.stream().map(RawQueue::farewell).toList());
        regions.forEach(region -> quietly(region.registered()::close));
        domains.forEach(domain -> quietly(domain.domain()::close));
        pages.forEach(RawFarewell::quietly);
    }

    /** The memory goes. */
    void memory(ClientSession client) {
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
