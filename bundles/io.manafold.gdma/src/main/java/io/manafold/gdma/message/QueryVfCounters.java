package io.manafold.gdma.message;

import io.manafold.gdma.Command;
import java.util.Arrays;

/** Asks for the counters of the function's RDMA traffic. */
public record QueryVfCounters(long adapter) implements Request<QueryVfCounters.Result> {
    private static final int COUNTERS = RdmaCounter.values().length;

    public static QueryVfCounters decode(Message message) {
        message.require(Command.QUERY_VF_COUNTERS.requestSize(), Command.QUERY_VF_COUNTERS);
        return new QueryVfCounters(message.i64(0x28));
    }

    @Override
    public Command command() {
        return Command.QUERY_VF_COUNTERS;
    }

    @Override
    public void encode(Message message) {
        message.put64(0x28, adapter);
    }

    @Override
    public Result answer(Message message) {
        return Result.decode(message);
    }

    /**
     * The counters.
     *
     * @param values by {@link RdmaCounter#ordinal}
     */
    public record Result(long[] values) implements Response {
        public Result {
            if (values.length != COUNTERS) {
                throw new IllegalArgumentException("there are " + COUNTERS + " counters, not " + values.length);
            }
        }

        public static Result decode(Message message) {
            return new Result(message.longs(0x20, COUNTERS));
        }

        public long value(RdmaCounter counter) {
            return values[counter.ordinal()];
        }

        @Override
        public void encode(Message message) {
            message.put(0x20, values);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Result that && Arrays.equals(values, that.values);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(values);
        }

        @Override
        public String toString() {
            return "Result[values=" + Arrays.toString(values) + "]";
        }
    }
}
