package io.manafold.benchmark;

import io.manafold.api.net.PagePlan;
import io.manafold.api.net.ReceiveMapping;
import io.manafold.api.net.ReceivePolicy;
import io.manafold.memory.PagePlans;

/** What is measured: buffers of one shape, so many posted, with a way of mapping their pages. */
record ReceiveCase(int page, int mtu, int posted, ReceivePolicy policy, ReceiveMapping mapping) {
    static final int HEADER = 14;
    private static final int MOST_RING = 1024;

    PagePlan plan() {
        return PagePlans.plan(policy, page, mtu, false);
    }

    /** Bytes of a full frame. */
    int frame() {
        return mtu + HEADER;
    }

    int queues() {
        return Math.max(1, posted / MOST_RING);
    }

    int ring() {
        return posted / queues();
    }
}
