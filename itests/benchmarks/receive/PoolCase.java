package io.manafold.benchmark;

import io.manafold.api.net.PagePlan;
import io.manafold.api.net.ReceivePolicy;
import io.manafold.memory.IoPageTable;
import io.manafold.memory.PageMapping;
import io.manafold.memory.PagePlans;

/** What is measured: buffers of one shape, so many posted, with or without a cost of mapping. */
record PoolCase(int page, int mtu, int posted, ReceivePolicy policy, Mapping mapping) {
    /** What a page or packet has to go through before the function may write there. */
    enum Mapping {
        /** All memory is reachable all the time. */
        NONE("recycling"),
        /** The 4 KiB pages that a packet touches, or a shared page once. */
        REACH("mapping"),
        /** Whole pages. */
        WHOLE("whole page");

        private final String word;

        Mapping(String word) {
            this.word = word;
        }

        String word() {
            return word;
        }

        PageMapping make(PagePlan plan) {
            return switch (this) {
                case NONE -> PageMapping.NONE;
                case REACH -> new IoPageTable();
                case WHOLE -> new IoPageTable(plan.allocation());
            };
        }
    }

    PagePlan plan() {
        return PagePlans.plan(policy, page, mtu, false);
    }
}
