package io.manafold.api.adapter;

import java.time.Instant;

/**
 * Something that the adapter did not accept from its driver.
 *
 * @param where the part concerned: {@code hardware channel}, {@code one/1 send queue 3}
 * @param bytes the bytes concerned as hexadecimal digits
 * @param rule the rule that was broken
 * @param right what would have been right
 * @param consequence what the adapter did about it
 * @param times how often in a row it happened
 */
public record Rejection(Instant time, String where, String bytes, String rule, String right, String consequence,
        long times) {
}
