package io.manafold.gdma.message;

import io.manafold.gdma.Command;
import java.util.Arrays;

/**
 * Asks for the counters of a device.
 *
 * @param mask those wanted, see {@link Counter#mask}
 */
public record QueryStatistics(long mask) implements Request<QueryStatistics.Result> {
    private static final Counter[] COUNTERS = Counter.values();

    public static QueryStatistics decode(Message message) {
        message.require(Command.QUERY_STATISTICS.requestSize(), Command.QUERY_STATISTICS);
        return new QueryStatistics(message.i64(0x28));
    }

    @Override
    public Command command() {
        return Command.QUERY_STATISTICS;
    }

    @Override
    public void encode(Message message) {
        message.put64(0x28, mask);
    }

    @Override
    public Result answer(Message message) {
        return Result.decode(message);
    }

    /**
     * The counters.
     *
     * @param mask those reported
     * @param values by {@link Counter#ordinal}
     */
    public record Result(long mask, long[] values) implements Response {
        public Result {
            if (values.length != COUNTERS.length) {
                throw new IllegalArgumentException("there are " + COUNTERS.length + " counters, not " + values.length);
            }
        }

        public static Result decode(Message message) {
            return new Result(message.i64(0x20), message.longs(0x28, COUNTERS.length));
        }

        public long value(Counter counter) {
            return values[counter.ordinal()];
        }

        /** Writes those of the mask; the others read 0. */
        @Override
        public void encode(Message message) {
            message.put64(0x20, mask);
            for (Counter counter : COUNTERS) {
                if ((mask & counter.mask()) != 0) {
                    message.put64(counter.offset(), value(counter));
                }
            }
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Result that && mask == that.mask && Arrays.equals(values, that.values);
        }

        @Override
        public int hashCode() {
            return Long.hashCode(mask) * 31 + Arrays.hashCode(values);
        }

        @Override
        public String toString() {
            return "Result[mask=" + Long.toHexString(mask) + ", values=" + Arrays.toString(values) + "]";
        }
    }
}
