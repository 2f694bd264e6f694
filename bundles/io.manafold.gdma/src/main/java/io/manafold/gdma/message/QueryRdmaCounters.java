package io.manafold.gdma.message;

import io.manafold.gdma.Command;

/** Asks for the counters of the whole RDMA device. */
public record QueryRdmaCounters(long adapter) implements Request<QueryRdmaCounters.Result> {
    public static QueryRdmaCounters decode(Message message) {
        message.require(Command.QUERY_RDMA_COUNTERS.requestSize(), Command.QUERY_RDMA_COUNTERS);
        return new QueryRdmaCounters(message.i64(0x28));
    }

    @Override
    public Command command() {
        return Command.QUERY_RDMA_COUNTERS;
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
     * The counters, each modulo 2^32.
     *
     * @param sentCnps notifications of congestion that the device sent
     * @param receivedEcns packets with the mark of congestion
     * @param receivedCnps notifications of congestion from peers
     */
    public record Result(int sentCnps, int receivedEcns, int receivedCnps, int congestedEvents, int recoveredEvents,
            int rateIncreases) implements Response {
        public static Result decode(Message message) {
            return new Result(message.i32(0x20), message.i32(0x24), message.i32(0x2c), message.i32(0x30),
                    message.i32(0x34), message.i32(0x38));
        }

        @Override
        public void encode(Message message) {
            message.put32(0x20, sentCnps).put32(0x24, receivedEcns).put32(0x2c, receivedCnps)
                    .put32(0x30, congestedEvents).put32(0x34, recoveredEvents).put32(0x38, rateIncreases);
        }

        /** The value of a counter, as an unsigned number. */
        public long value(RdmaDeviceCounter counter) {
            return Integer.toUnsignedLong(switch (counter) {
                case SENT_CNPS -> sentCnps;
                case RECEIVED_ECNS -> receivedEcns;
                case RECEIVED_CNP_COUNT -> receivedCnps;
                case QP_CONGESTED_EVENTS -> congestedEvents;
                case QP_RECOVERED_EVENTS -> recoveredEvents;
                case RATE_INC_EVENTS -> rateIncreases;
            });
        }
    }
}
