package io.manafold.rdma.internal.device;

import io.manafold.api.rdma.AsyncEvent;
import io.manafold.api.rdma.Path;
import io.manafold.api.refusal.Errno;
import io.manafold.gdma.driver.ProtectionDomain;
import io.manafold.gdma.message.SetQpState;
import io.manafold.rdma.internal.queue.RcQueuePair;
import io.manafold.rdma.internal.queue.RdmaQueueDevice;
import io.manafold.rdma.internal.queue.SharedCompletionQueue;

/** An RDMA adapter's device as one bundle has it. */
final class VerbsContext extends Context<Domain, SharedCompletionQueue> implements RdmaQueueDevice {
    private final VerbsDevice device;

    VerbsContext(VerbsDevice device) {
        super(device);
        this.device = device;
    }

    @Override
    VerbsDevice device() {
        return device;
    }

    SetQpState.Path path(Path path, int port, int from, int peer) {
        return device.path(path, port, from, peer);
    }

    // ---- what is made

    @Override
    Domain domain(ProtectionDomain created) {
        return new Domain(this, created);
    }

    @Override
    SharedCompletionQueue queue(int entries) {
        SharedCompletionQueue queue = new SharedCompletionQueue(this, entries, this::forget);
        device.add(queue);
        return queue;
    }

    private void forget(SharedCompletionQueue queue) {
        device.remove(queue);
        made().forget(queue);
    }

    @Override
    int users(SharedCompletionQueue queue) {
        return made().domains().stream().mapToInt(domain -> domain.users(queue)).sum();
    }

    /** The queue pair of a number, or {@code null}. */
    RcQueuePair pair(int number) {
        synchronized (made().lock()) {
            return made().domains().stream().map(domain -> domain.pair(number)).filter(pair -> pair != null).findFirst()
                    .orElse(null);
        }
    }

    // ---- for its queues

    @Override
    public long adapter() {
        return device.adapter();
    }

    @Override
    public int eventQueue() {
        return device.eventQueue();
    }

    @Override
    public void tell(AsyncEvent event) {
        super.tell(event);
        if (event.type() == AsyncEvent.Type.QP_FATAL) {
            device.management().ends(event.number(), Errno.ECONNRESET, event.sentence());
        }
    }

    @Override
    public void soon(Runnable command) {
        device.soon(command);
    }

    // ---- the end

    /** The device has gone: all that was made goes, after no thread is in its memory any more. */
    void end(Teardown teardown) {
        made().takeAll(domain -> domain.end(teardown), teardown::add);
        teardown.common().add(this::closePage);
    }
}
