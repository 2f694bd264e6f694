package io.manafold.adapter.internal;

import io.manafold.api.adapter.ObjectLimit;
import java.util.Map;

/**
 * How many objects of each kind a driver can have an adapter make.
 *
 * @param lowered those that are not as high as they can be
 */
record ObjectLimits(Map<ObjectLimit, Integer> lowered) {
    int most(ObjectLimit limit) {
        return lowered.getOrDefault(limit, limit.most());
    }
}
