package io.manafold.api.inet;

import java.util.Optional;

/**
 * A way to the kernel's own stack, at a moment. Frames are counted as the kernel sees them.
 *
 * @param name the interface's
 * @param open whether the interface is there and ours
 * @param problem why it is not, a sentence
 */
public record TapStatus(String name, boolean open, Optional<String> problem, long rxFrames, long rxBytes,
        long txFrames, long txBytes, long dropped) {
}
