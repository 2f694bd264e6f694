package io.manafold.api.qualify;

/**
 * One value of a measure.
 *
 * @param cores how many cores this process had while it was measured
 * @param disturbed what disturbed it, in words; empty if nothing did
 */
public record Slice(double value, double cores, String disturbed) {
    public boolean isDisturbed() {
        return !disturbed.isEmpty();
    }
}
