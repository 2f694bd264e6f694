package io.manafold.testpmd.internal;

import io.manafold.api.ethdev.EthDevStatistics;
import java.util.Map;

/**
 * Bits that a port moves in a second: of the last second, the most there were, and a mean in which each second counts a
 * fifth of what is left.
 */
final class BitRates {
    private static final long SECOND = 1_000_000_000L;
    private static final int PARTS = 5;

    private final Way in = new Way();
    private final Way out = new Way();
    private EthDevStatistics before;
    private long since;

    private static final class Way {
        private long smooth;
        private long last;
        private long peak;

        private void take(long bytes, double seconds) {
            last = (long) (Math.max(0, bytes) * 8 / seconds);
            peak = Math.max(peak, last);
            long part = Math.round((last - smooth) / (double) PARTS);
            // what is too small to be divided would be there for ever
            smooth = last == 0 && part == 0 ? 0 : smooth + part;
        }

        private void rest() {
            smooth = 0;
            last = 0;
        }
    }

    /** What is counted from now on belongs to the next second. */
    void begin(EthDevStatistics now, long nanos) {
        before = now;
        since = nanos;
    }

    /** Looks once in a second; a look that comes too soon after the one before is left out. */
    void look(EthDevStatistics now, long nanos) {
        if (before == null) {
            begin(now, nanos);
        } else if (nanos - since >= SECOND / 2) {
            double seconds = (nanos - since) / (double) SECOND;
            EthDevStatistics more = now.since(before);
            in.take(more.receivedBytes(), seconds);
            out.take(more.sentBytes(), seconds);
            begin(now, nanos);
        }
    }

    /** Nothing is moved for now; the most that there was stays. */
    void rest() {
        in.rest();
        out.rest();
    }

    void putInto(Map<String, Long> statistics) {
        statistics.put("ewma_bits_in", in.smooth);
        statistics.put("ewma_bits_out", out.smooth);
        statistics.put("mean_bits_in", in.last);
        statistics.put("mean_bits_out", out.last);
        statistics.put("peak_bits_in", in.peak);
        statistics.put("peak_bits_out", out.peak);
    }
}
