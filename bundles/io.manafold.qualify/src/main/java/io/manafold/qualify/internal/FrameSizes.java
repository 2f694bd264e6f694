package io.manafold.qualify.internal;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The sizes of a plan that fit into an MTU.
 *
 * @param fitting rising
 * @param largest bytes of the largest frame that both devices take, its checksum included
 * @param leftOut the others, each with the reason
 */
record FrameSizes(List<Integer> fitting, int largest, Map<String, String> leftOut) {
    /** Header and checksum of a frame. */
    static final int AROUND_MTU = 18;

    /** @param others who has which MTU, in words */
    static FrameSizes of(List<Integer> sizes, int mtu, String others) {
        int largest = mtu + AROUND_MTU;
        Map<String, String> leftOut = new LinkedHashMap<>();
        sizes.stream().filter(size -> size > largest).sorted().forEach(size -> leftOut.put("rate-" + size,
                "needs an MTU of " + (size - AROUND_MTU) + "; " + others));
        return new FrameSizes(sizes.stream().filter(size -> size <= largest).sorted().toList(), largest, leftOut);
    }

    /** The one in the middle, of which a load is made. */
    static int middle(List<Integer> sizes) {
        return sizes.get(sizes.size() / 2);
    }
}
