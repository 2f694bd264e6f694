package io.manafold.api.net;

/**
 * How interrupts of a queue come at a moment.
 *
 * @param adaptive whether the driver chooses the two numbers, by what passes
 * @param micros for how long an interrupt is held back since the one before, 0 for not at all
 * @param frames completions that end the wait earlier, 0 for none
 * @param count events of the queue that its driver has heard of
 */
public record QueueEvents(boolean adaptive, int micros, int frames, long count) {
    /** Nothing is held back, and nothing was heard of. */
    public static final QueueEvents NONE = new QueueEvents(false, 0, 0, 0);
}
