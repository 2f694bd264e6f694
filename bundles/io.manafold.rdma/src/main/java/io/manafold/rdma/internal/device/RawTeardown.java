package io.manafold.rdma.internal.device;

import io.manafold.gdma.driver.ClientSession;
import io.manafold.rdma.internal.queue.RawCompletionQueue;
import io.manafold.rdma.internal.queue.RawQueue;
import io.manafold.rdma.internal.queue.RawRss;
import java.util.ArrayList;
import java.util.List;

/** Takes down all that was made for raw packets, in the same order as {@link Teardown}. */
final class RawTeardown {
    private final List<RawRss> spreadings = new ArrayList<>();
    private final List<RawQueue> queues = new ArrayList<>();
    private final List<RawCompletionQueue> completions = new ArrayList<>();
    private final CommonTeardown common = new CommonTeardown();

    void add(RawRss spreading) {
        spreadings.add(spreading);
    }

    void add(RawQueue queue) {
        queues.add(queue);
    }

    void add(RawCompletionQueue queue) {
        completions.add(queue);
    }

    CommonTeardown common() {
        return common;
    }

    /** No thread posts or polls in the memory any more; what was posted can be polled as flushed. */
    void leave() {
        queues.forEach(RawQueue::withdraw);
        for (RawQueue queue : queues) {
            common.add(queue.end(), queue.memory(), "queue " + queue.number());
        }
        completions.forEach(RawCompletionQueue::end);
    }

    /** The device forgets all of it. */
    void device(ClientSession client) {
        spreadings.forEach(spreading -> CommonTeardown.quietly(() -> client.call(spreading.destroyRequest())));
        client.callQuietly(queues.stream().map(RawQueue::destroyRequest).toList());
        common.device();
    }
}
