package io.manafold.rdma.internal.device;

import io.manafold.gdma.driver.ProtectionDomain;
import io.manafold.rdma.internal.queue.RawCompletionQueue;

/** The device of raw packets as one bundle has it. */
final class RawContext extends Context<RawDomain, RawCompletionQueue> {
    private final RawDevice device;

    RawContext(RawDevice device) {
        super(device);
        this.device = device;
    }

    @Override
    RawDevice device() {
        return device;
    }

    @Override
    RawDomain domain(ProtectionDomain created) {
        return new RawDomain(this, created);
    }

    @Override
    RawCompletionQueue queue(int entries) {
        return new RawCompletionQueue(this, entries, made()::forget);
    }

    @Override
    int users(RawCompletionQueue queue) {
        return queue.uses();
    }

    /** A completion queue has something. */
    void signal(int id) {
        for (RawCompletionQueue queue : made().queues()) {
            if (queue.id() == id) {
                queue.signal();
            }
        }
    }

    /** The device has gone: all that was made goes, after no thread is in its memory any more. */
    void end(RawTeardown teardown) {
        made().takeAll(domain -> domain.end(teardown), teardown::add);
        teardown.common().add(this::closePage);
    }
}
