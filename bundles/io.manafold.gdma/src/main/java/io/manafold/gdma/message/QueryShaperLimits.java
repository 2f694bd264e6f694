package io.manafold.gdma.message;

import io.manafold.gdma.Command;

/** Asks what a vPort can do for shapers of a scope. */
public record QueryShaperLimits(long vport, int scope) implements Request<QueryShaperLimits.Result> {
    public static QueryShaperLimits decode(Message message) {
        message.require(Command.QUERY_SHAPER_LIMITS.requestSize(), Command.QUERY_SHAPER_LIMITS);
        return new QueryShaperLimits(message.i64(0x28), message.i32(0x30));
    }

    @Override
    public Command command() {
        return Command.QUERY_SHAPER_LIMITS;
    }

    @Override
    public void encode(Message message) {
        message.put64(0x28, vport).put32(0x30, scope);
    }

    @Override
    public Result answer(Message message) {
        return Result.decode(message);
    }

    /**
     * What there is.
     *
     * @param capabilities a bit each, from bit 0: bits a second, packets a second, nesting, bw-min, bw-max, burst,
     *        priority, weight; 0 for a scope that has no shapers
     * @param depth nodes above a queue at most
     * @param shapers of the vPort at most
     * @param least bits per second that can be told from 0
     * @param most bits per second that can be told from no limit
     * @param burstNanos what a ceiling without a burst may make up for
     */
    public record Result(int capabilities, int depth, int shapers, long least, long most, long burstNanos)
            implements Response {
        public static Result decode(Message message) {
            return new Result(message.i32(0x20), message.i32(0x24), message.i32(0x28), message.i64(0x30),
                    message.i64(0x38), message.i64(0x40));
        }

        @Override
        public void encode(Message message) {
            message.put32(0x20, capabilities).put32(0x24, depth).put32(0x28, shapers).put32(0x2c, 0)
                    .put64(0x30, least).put64(0x38, most).put64(0x40, burstNanos);
        }
    }
}
