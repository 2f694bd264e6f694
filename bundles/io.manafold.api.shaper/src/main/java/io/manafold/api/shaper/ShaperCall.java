package io.manafold.api.shaper;

import java.util.List;

/**
 * What a driver is told by one call of {@link ShaperOps}.
 *
 * @param shaper what is set, complete, or the node of a group; without values if it is deleted
 * @param leaves what goes below the node; empty unless it is a group
 */
public record ShaperCall(Kind kind, Shaper shaper, List<Shaper> leaves) {
    public ShaperCall {
        leaves = List.copyOf(leaves);
    }

    /** Which of them. */
    public enum Kind {
        SET, DELETE, GROUP
    }
}
