package io.manafold.api.adapter;

/**
 * Something that an adapter does wrong on purpose.
 *
 * @param message the name of the hardware-channel message whose answer goes wrong, or {@code null} for the next one of
 *        any kind; for {@link Effect#WITHHOLD_COMPLETION} the port's name
 * @param status the status of the answer, for {@link Effect#STATUS}
 * @param delayNanos how late the answer comes, for {@link Effect#LATE}
 * @param once whether it is spent after one answer
 */
public record Fault(String name, String message, Effect effect, int status, long delayNanos, boolean once) {
    /** What goes wrong. */
    public enum Effect {
        /** The answer carries a status of failure. */
        STATUS,
        /** The answer comes late. */
        LATE,
        /** The answer comes twice. */
        TWICE,
        /** The answer is cut short. */
        SHORT,
        /** The answer is longer than the driver asked for: as long as the channel's messages may be. */
        OVERSIZED,
        /** The answer after it overtakes this one; it comes alone if there is none within a second. */
        REORDERED,
        /** The answer never comes. */
        WITHHOLD,
        /** The next completion of a send queue never comes. */
        WITHHOLD_COMPLETION
    }
}
