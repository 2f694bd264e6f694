package io.manafold.api.shaper;

/**
 * A shaper that has become another.
 *
 * @param handle which one
 * @param now what it is now; {@code null} if it is gone
 */
public record ShaperEvent(String device, ShaperHandle handle, Shaper now, Cause cause) {
    /** Why. */
    public enum Cause {
        /** An administrator has asked for it. */
        ASKED,
        /** A node had nothing below it any more. */
        EMPTIED,
        /** Its queue is not there any more. */
        QUEUE_GONE,
        /** The device has come back, or was reset, and was told again. */
        REPLAYED
    }
}
