package io.manafold.commands.shaper.internal;

import io.manafold.api.shaper.ShaperHandle;
import io.manafold.api.shaper.ShaperStatus;
import java.util.Collection;

/**
 * What is shown of one shaper at one look, or of a device that has none.
 *
 * @param packets whether rates count packets instead of bits
 * @param target the most that may pass in a second, or {@code null} if that is not limited
 * @param reading what became of it since the last look, or {@code null} where that is not counted
 * @param history rates of the last looks, the latest last
 */
record Watched(ShaperHandle handle, boolean packets, Long target, Reading reading, Collection<Long> history) {
    private static final double SECOND = 1e9;

    /**
     * What became of it from one look to the next.
     *
     * @param rate what passed in a second
     * @param held the share of the time in which it held something back, or {@code null} if that is not counted
     * @param queued what waits behind it, in units of 32 bytes of requests, or {@code null} if that is not counted
     */
    record Reading(long rate, Double held, Long queued, long dropped) {
        static Reading of(ShaperStatus old, ShaperStatus now, boolean packets, double seconds) {
            // a shaper that was made anew begins with nothing
            ShaperStatus from = now.packets() < old.packets() ? now : old;
            double held = Math.clamp((now.heldNanos() - from.heldNanos()) / (seconds * SECOND), 0, 1);
            return new Reading(rate(now.packets() - from.packets(), now.bytes() - from.bytes(), packets, seconds),
                    Math.round(held * 1000) / 1000.0, now.queuedRequests(), now.dropped() - from.dropped());
        }

        static Reading of(DeviceTraffic old, DeviceTraffic now, boolean packets, double seconds) {
            // a device that came anew counts from nothing
            DeviceTraffic from = now.packets() < old.packets() ? now : old;
            return new Reading(rate(now.packets() - from.packets(), now.bytes() - from.bytes(), packets, seconds), null,
                    null, now.dropped() - from.dropped());
        }

        private static long rate(long packets, long bytes, boolean asPackets, double seconds) {
            return Math.round((asPackets ? packets : bytes * Byte.SIZE) / seconds);
        }
    }
}
