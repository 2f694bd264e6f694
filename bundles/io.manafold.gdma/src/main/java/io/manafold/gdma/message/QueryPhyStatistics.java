package io.manafold.gdma.message;

import io.manafold.gdma.Command;
import java.util.Arrays;

/** Asks for the counters of the physical port behind a device. */
public record QueryPhyStatistics(long mask) implements Request<QueryPhyStatistics.Result> {
    /** How many counters there are. */
    public static final int COUNTERS = 50;

    private static final int CLASSES = 8;
    private static final int DROPS = 2;

    public static QueryPhyStatistics decode(Message message) {
        message.require(Command.QUERY_PHY_STATISTICS.requestSize(), Command.QUERY_PHY_STATISTICS);
        return new QueryPhyStatistics(message.i64(0x28));
    }

    /** The name of a counter as people know it: {@code hc_tc0_rx_pkt_phy}. */
    public static String label(int counter) {
        if (counter < DROPS) {
            return counter == 0 ? "hc_rx_pkt_drop_phy" : "hc_tx_pkt_drop_phy";
        }
        int rest = counter - DROPS;
        String kind = switch (rest / (2 * CLASSES)) {
            case 0 -> "pkt";
            case 1 -> "byte";
            default -> "pause";
        };
        return "hc_tc" + rest % (2 * CLASSES) / 2 + (rest % 2 == 0 ? "_rx_" : "_tx_") + kind + "_phy";
    }

    /** The number of the counter of packets of a traffic class. */
    public static int packets(int trafficClass, boolean sent) {
        return DROPS + 2 * trafficClass + (sent ? 1 : 0);
    }

    /** The number of the counter of bytes of a traffic class. */
    public static int bytes(int trafficClass, boolean sent) {
        return packets(trafficClass, sent) + 2 * CLASSES;
    }

    /** The number of the counter of pause frames of a traffic class. */
    public static int pauses(int trafficClass, boolean sent) {
        return packets(trafficClass, sent) + 4 * CLASSES;
    }

    @Override
    public Command command() {
        return Command.QUERY_PHY_STATISTICS;
    }

    @Override
    public void encode(Message message) {
        message.put64(0x28, mask);
    }

    @Override
    public Result answer(Message message) {
        return Result.decode(message);
    }

    /** The counters, numbered as {@link QueryPhyStatistics#label} names them. */
    public record Result(long mask, long[] values) implements Response {
        public Result {
            if (values.length != COUNTERS) {
                throw new IllegalArgumentException("there are " + COUNTERS + " counters, not " + values.length);
            }
        }

        public static Result decode(Message message) {
            return new Result(message.i64(0x20), message.longs(0x28, COUNTERS));
        }

        @Override
        public void encode(Message message) {
            message.put64(0x20, mask).put(0x28, values);
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
