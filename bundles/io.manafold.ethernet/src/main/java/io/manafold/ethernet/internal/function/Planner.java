package io.manafold.ethernet.internal.function;

import io.manafold.api.net.PagePlan;
import io.manafold.api.net.PagePlanner;
import io.manafold.api.net.ReceivePolicy;
import io.manafold.memory.PagePlans;
import org.osgi.service.component.annotations.Component;

/** Tells what the pools of this driver would do. */
@Component
public final class Planner implements PagePlanner {
    @Override
    public PagePlan plan(ReceivePolicy policy, int page, int mtu, boolean hooked) {
        return PagePlans.plan(policy, page, mtu, hooked);
    }
}
