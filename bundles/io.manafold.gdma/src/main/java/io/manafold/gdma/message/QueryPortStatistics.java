package io.manafold.gdma.message;

import io.manafold.gdma.Command;

/**
 * Asks for the counters of one port, which {@link QueryStatistics} tells for all ports of a device together. A private
 * message, see {@link io.manafold.gdma.Feature#PORT_STATISTICS}.
 *
 * @param vport the port's handle
 * @param mask those wanted, see {@link Counter#mask}
 */
public record QueryPortStatistics(long vport, long mask) implements Request<QueryStatistics.Result> {
    public static QueryPortStatistics decode(Message message) {
        message.require(Command.QUERY_PORT_STATISTICS.requestSize(), Command.QUERY_PORT_STATISTICS);
        return new QueryPortStatistics(message.i64(0x28), message.i64(0x30));
    }

    @Override
    public Command command() {
        return Command.QUERY_PORT_STATISTICS;
    }

    @Override
    public void encode(Message message) {
        message.put64(0x28, vport).put64(0x30, mask);
    }

    @Override
    public QueryStatistics.Result answer(Message message) {
        return QueryStatistics.Result.decode(message);
    }
}
