package io.manafold.api.shaper;

import java.util.Objects;

/**
 * What a shaper is to be, complete; 0 is not set.
 *
 * @param parent what it is below; {@code null} for the device's own
 * @param bwMin what it gets whatever its siblings want
 * @param bwMax what it never exceeds; 0 for no limit
 * @param burst what it may send at once beyond its ceiling after a pause: bytes or packets, by the metric
 * @param priority the siblings of a higher number come first, always
 * @param weight the share among siblings of the same priority; 0 counts as 1
 */
public record Shaper(ShaperHandle handle, ShaperHandle parent, ShaperMetric metric, long bwMin, long bwMax, long burst,
        int priority, int weight) {
    public Shaper {
        Objects.requireNonNull(handle, "handle");
        Objects.requireNonNull(metric, "metric");
    }

    /** One without values below the device. */
    public static Shaper of(ShaperHandle handle) {
        return new Shaper(handle, handle.scope() == ShaperScope.NETDEV ? null : ShaperHandle.NETDEV, ShaperMetric.BPS,
                0, 0, 0, 0, 0);
    }

    /** The same elsewhere in the tree. */
    public Shaper below(ShaperHandle other) {
        return new Shaper(handle, other, metric, bwMin, bwMax, burst, priority, weight);
    }
}
