package io.manafold.benchmark;

import io.manafold.api.net.PagePlan;
import io.manafold.api.net.ReceivePolicy;
import java.util.HashMap;
import java.util.Map;

/**
 * How many bytes of an allocation and how many packets in it, as they are known of the real driver; for our own policy,
 * as they were promised. What is measured has to agree to the byte.
 */
final class KnownLayouts {
    private record Place(ReceivePolicy policy, int page, int mtu) {
    }

    private record Layout(int allocation, int perPage) {
    }

    private static final int K4 = 4096;
    private static final int K16 = 16384;
    private static final int K64 = 65536;
    private static final Map<Place, Layout> KNOWN = new HashMap<>();

    static {
        known(ReceivePolicy.PAGE, 1500, K4, 1, K16, 1, K64, 1);
        known(ReceivePolicy.PAGE, 4000, 2 * K4, 1, K16, 1, K64, 1);
        known(ReceivePolicy.PAGE, 9000, 4 * K4, 1, K16, 1, K64, 1);
        known(ReceivePolicy.FRAGMENT, 1500, K4, 2, K16, 8, K64, 35);
        known(ReceivePolicy.FRAGMENT, 4000, 2 * K4, 1, K16, 3, K64, 15);
        known(ReceivePolicy.FRAGMENT, 9000, 4 * K4, 1, K16, 1, K64, 7);
        known(ReceivePolicy.FRAGMENT_HEADROOM, 1500, K4, 1, K16, 7, K64, 31);
        known(ReceivePolicy.FRAGMENT_HEADROOM, 4000, 2 * K4, 1, K16, 3, K64, 14);
        known(ReceivePolicy.FRAGMENT_HEADROOM, 9000, 4 * K4, 1, K16, 1, K64, 6);
        known(ReceivePolicy.LEAN, 1500, K4, 2, K16, 9, K64, 36);
    }

    private KnownLayouts() {
    }

    private static void known(ReceivePolicy policy, int mtu, int... allocationAndCount) {
        int[] pages = {K4, K16, K64};
        for (int i = 0; i < pages.length; i++) {
            KNOWN.put(new Place(policy, pages[i], mtu),
                    new Layout(allocationAndCount[2 * i], allocationAndCount[2 * i + 1]));
        }
    }

    /**
     * Checks a layout, and the pages that were really taken for the posted buffers of some queues.
     *
     * @throws IllegalStateException if they are others
     */
    static void check(PagePlan plan, int queues, int ring, long pages) {
        Layout known = KNOWN.get(new Place(plan.policy(), plan.page(), plan.mtu()));
        if (known != null && (known.allocation != plan.allocation() || known.perPage != plan.perPage())) {
            throw new IllegalStateException(plan + " should have " + known.perPage + " in " + known.allocation
                    + " bytes");
        }
        long needed = (long) queues * ((ring + plan.perPage() - 1) / plan.perPage());
        if (pages != needed) {
            throw new IllegalStateException(plan + " took " + pages + " pages for " + queues + " rings of " + ring
                    + ", not " + needed);
        }
    }
}
