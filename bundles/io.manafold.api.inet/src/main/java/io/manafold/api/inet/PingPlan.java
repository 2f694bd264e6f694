package io.manafold.api.inet;

/**
 * What to ask for.
 *
 * @param source the address to ask from, or {@code null}: what the route says
 * @param count how many requests; 0 for more and more until it is closed
 * @param intervalNanos from one request to the next, at least 1 ms
 * @param timeoutNanos how long to wait for the last answers
 * @param size bytes of payload
 * @param ttl how many routers may pass it on: 1 to 255
 */
public record PingPlan(IpAddress target, IpAddress source, int count, long intervalNanos, long timeoutNanos, int size,
        int ttl) {
    /** As {@code ping} does it by itself: one a second, 56 bytes. */
    public static PingPlan to(IpAddress target, int count) {
        return new PingPlan(target, null, count, 1_000_000_000L, 10_000_000_000L, 56, 64);
    }
}
