package io.manafold.ethernet.internal;

import io.manafold.api.net.PagePlan;
import io.manafold.api.net.ReceivePolicy;

final class PagePlans {
    private PagePlans() {
    }

    static PagePlan plan(ReceivePolicy policy, int page, int mtu, boolean hooked) {
        int data = mtu + 14;
        int slot = 256 + data + 63 & -64;
        int order = 0;
        while (page << order < slot) {
            order++;
        }
        return new PagePlan(policy, mtu, page, order, 256, data, slot, (page << order) / slot);
    }
}
