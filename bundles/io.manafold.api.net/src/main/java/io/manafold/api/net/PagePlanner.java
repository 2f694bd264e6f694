package io.manafold.api.net;

import org.osgi.annotation.versioning.ProviderType;

/** Reckons how receive buffers lie in pages. */
@ProviderType
public interface PagePlanner {
    /**
     * @param page bytes of a page: 4096, 16384 or 65536
     * @param hooked whether a receive hook is in place, for which all policies but lean take a page for each packet
     * @throws io.manafold.api.refusal.Refusal {@code EINVAL} for a page or MTU that there is none of
     */
    PagePlan plan(ReceivePolicy policy, int page, int mtu, boolean hooked);
}
