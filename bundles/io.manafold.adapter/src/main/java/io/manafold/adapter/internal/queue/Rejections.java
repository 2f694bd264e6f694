package io.manafold.adapter.internal.queue;

/** Takes note of what a driver did wrong. Repeats are counted, not kept; any thread may call at any rate. */
@FunctionalInterface
public interface Rejections {
    Rejections NONE = (where, bytes, rule, right, consequence) -> { };

    /**
     * @param where the part concerned: {@code hardware channel}, {@code one/1 send queue 3}
     * @param bytes the bytes concerned, a copy; empty if there are none
     * @param rule the rule that was broken
     * @param right what would have been right
     * @param consequence what the adapter did about it
     */
    void note(String where, byte[] bytes, String rule, String right, String consequence);
}
