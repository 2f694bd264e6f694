package io.manafold.lab.internal;

import io.manafold.api.lab.LabChange;
import java.util.Map;

/**
 * What becomes of one configuration.
 *
 * @param change how people are told, or {@code null} if they need not be
 * @param before what it holds, or {@code null} if it is not there
 * @param after what it will hold, or {@code null} if it will not be there
 */
record Step(LabChange change, String pid, Map<String, Object> before, Map<String, Object> after) {
    Step reversed() {
        return new Step(change, pid, after, before);
    }
}
