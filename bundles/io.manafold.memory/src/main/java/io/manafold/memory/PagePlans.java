package io.manafold.memory;

import io.manafold.api.net.PagePlan;
import io.manafold.api.net.ReceivePolicy;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;

/** How receive buffers lie in pages under each policy; pure arithmetic. */
public final class PagePlans {
    /** The least MTU there is. */
    public static final int LEAST_MTU = 68;
    /** The largest: a length in a completion has 16 bits, and the Ethernet header is in it. */
    public static final int MOST_MTU = 0xffff - 14;

    private static final int ETHERNET_HEADER = 14;
    /** What the kernel keeps behind each packet. */
    private static final int TRAILER = 320;
    private static final int HEADROOM = 256;
    private static final int LINE = 64;
    /** Lean buffers share allocations of up to this many bytes. */
    private static final int LARGEST_SHARED = 65536;

    private PagePlans() {
    }

    /**
     * @param page bytes of a page: 4096, 16384 or 65536
     * @param hooked whether a receive hook is in place; the kernel's policies take a page for each packet then
     * @throws Refusal {@code EINVAL} for a page or MTU that there is none of, {@code EOPNOTSUPP} for an MTU that no
     *         hook can have
     */
    public static PagePlan plan(ReceivePolicy policy, int page, int mtu, boolean hooked) {
        if (page != 4096 && page != 16384 && page != 65536) {
            throw new Refusal(Errno.EINVAL, "Receive buffers cannot lie in pages of " + page
                    + " bytes: choose 4k, 16k or 64k.");
        }
        if (mtu < LEAST_MTU || mtu > MOST_MTU) {
            throw new Refusal(Errno.EINVAL, "There are no receive buffers for an MTU of " + mtu
                    + ": it must be between " + LEAST_MTU + " and " + MOST_MTU + ".");
        }
        if (policy == ReceivePolicy.LEAN) {
            return lean(page, mtu);
        }
        if (hooked) {
            return hooked(policy, page, mtu);
        }
        return switch (policy) {
            case PAGE -> single(policy, page, mtu, mtu <= largestHooked(page) ? HEADROOM : 0);
            case FRAGMENT -> mtu + ETHERNET_HEADER + TRAILER > page / 2
                    ? single(policy, page, mtu, 0)
                    : shared(policy, page, mtu, 0);
            case FRAGMENT_HEADROOM -> page / kernelSlot(mtu, HEADROOM) < 2
                    ? single(policy, page, mtu, HEADROOM)
                    : shared(policy, page, mtu, HEADROOM);
            case LEAN -> throw new AssertionError(policy);
        };
    }

    /** The largest MTU that a receive hook can have under a policy. */
    public static int largestHooked(ReceivePolicy policy, int page) {
        return policy == ReceivePolicy.LEAN ? MOST_MTU : largestHooked(page);
    }

    private static int largestHooked(int page) {
        return page - TRAILER - ETHERNET_HEADER - HEADROOM;
    }

    private static int kernelSlot(int mtu, int headroom) {
        return lines(mtu + ETHERNET_HEADER + TRAILER + headroom);
    }

    private static int lines(int bytes) {
        return bytes + LINE - 1 & -LINE;
    }

    private static PagePlan hooked(ReceivePolicy policy, int page, int mtu) {
        if (mtu > largestHooked(page)) {
            throw new Refusal(Errno.EOPNOTSUPP, "A receive hook cannot have an MTU of " + mtu + " under the policy "
                    + policy.word() + ": a packet with its headroom must fit a page of " + page + " bytes, so at most "
                    + largestHooked(page) + ". Lower the MTU, or take larger pages or the policy lean.");
        }
        return new PagePlan(policy, mtu, page, 0, HEADROOM, mtu + ETHERNET_HEADER, page, 1);
    }

    private static PagePlan single(ReceivePolicy policy, int page, int mtu, int headroom) {
        int order = order(page, kernelSlot(mtu, headroom));
        return new PagePlan(policy, mtu, page, order, headroom, mtu + ETHERNET_HEADER, page << order, 1);
    }

    private static PagePlan shared(ReceivePolicy policy, int page, int mtu, int headroom) {
        int slot = kernelSlot(mtu, headroom);
        return new PagePlan(policy, mtu, page, 0, headroom, mtu + ETHERNET_HEADER, slot, page / slot);
    }

    /**
     * Nothing lies behind the packets, hooks need no page of their own, and where a page would be more than a quarter
     * empty several pages are taken in one piece: our memory does not fall to fragments as a kernel's does.
     */
    private static PagePlan lean(int page, int mtu) {
        int slot = lines(HEADROOM + mtu + ETHERNET_HEADER);
        int order = order(page, slot);
        int best = order;
        for (int at = order; page << at <= Math.max(LARGEST_SHARED, page << order); at++) {
            if (perPacket(page << at, slot) < perPacket(page << best, slot)) {
                best = at;
            }
            if ((page << at) % slot <= (page << at) / 4) {
                best = at;
                break;
            }
        }
        int allocation = page << best;
        return new PagePlan(ReceivePolicy.LEAN, mtu, page, best, HEADROOM, mtu + ETHERNET_HEADER, slot,
                allocation / slot);
    }

    private static double perPacket(int allocation, int slot) {
        return (double) allocation / (allocation / slot);
    }

    private static int order(int page, int need) {
        int order = 0;
        while (page << order < need) {
            order++;
        }
        return order;
    }
}
