package io.manafold.api.net;

/**
 * For how long a device holds back interrupts of the queues of one direction.
 *
 * @param adaptive whether the driver chooses, by what passes; the two numbers then count for nothing
 * @param micros since the interrupt before, 0 for not at all
 * @param frames completions that end the wait earlier, 0 for none
 */
public record Moderation(boolean adaptive, int micros, int frames) {
    /** No interrupt is held back. */
    public static final Moderation OFF = new Moderation(false, 0, 0);
    /** As the driver chooses. */
    public static final Moderation ADAPTIVE = new Moderation(true, 0, 0);
}
