package io.manafold.rdma.internal.device;

import io.manafold.gdma.driver.ClientSession;
import io.manafold.gdma.message.DestroyRdmaAdapter;
import io.manafold.gdma.message.Done;
import io.manafold.gdma.message.Request;
import io.manafold.rdma.internal.queue.ManagementQueuePair;
import io.manafold.rdma.internal.queue.RcQueuePair;
import io.manafold.rdma.internal.queue.SharedCompletionQueue;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes down all that was made of a device: threads leave the memory, then the device does, then it is given back.
 */
final class Teardown {
    private final List<RcQueuePair> pairs = new ArrayList<>();
    private ManagementQueuePair management;
    private final List<SharedCompletionQueue> queues = new ArrayList<>();
    private final CommonTeardown common = new CommonTeardown();

    void add(RcQueuePair pair) {
        pairs.add(pair);
    }

    void add(ManagementQueuePair pair) {
        management = pair;
    }

    void add(SharedCompletionQueue queue) {
        queues.add(queue);
    }

    CommonTeardown common() {
        return common;
    }

    /** No thread posts or polls in the memory any more; what was posted can be polled as flushed. */
    void leave() {
        for (RcQueuePair pair : pairs) {
            common.add(pair.end(), pair.memory(), "queue pair " + pair.number());
        }
        for (SharedCompletionQueue queue : queues) {
            common.add(queue.end(), queue.memory(), "completion queue " + queue.id());
        }
        common.add(true, management.memory(), "management");
    }

    /** The device forgets all of it, in as many steps as there are kinds of things. */
    void device(ClientSession client, long adapter) {
        List<Request<Done>> ends = new ArrayList<>(pairs.stream().map(RcQueuePair::destroyRequest).toList());
        ends.add(management.destroyRequest());
        client.callQuietly(ends);
        ends = new ArrayList<>(queues.stream().map(SharedCompletionQueue::destroyRequest).toList());
        ends.add(management.queueFarewell());
        client.callQuietly(ends);
        management.forget();
        client.callQuietly(List.of(new DestroyRdmaAdapter(adapter)));
        common.device();
    }
}
