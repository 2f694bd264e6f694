package io.manafold.adapter.internal;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.Command;
import java.time.DateTimeException;
import java.time.YearMonth;
import java.util.EnumMap;
import java.util.Map;

/** The month whose firmware an adapter behaves like: which messages it knows, and in what version. */
record Firmware(YearMonth month) {
    /** What the platform's own drivers are written for. */
    static final Firmware NEWEST = new Firmware(YearMonth.of(2026, 10));

    /** Since when a message is known, for those that were not there from the beginning. */
    private static final Map<Command, YearMonth> SINCE = since();

    private static Map<Command, YearMonth> since() {
        Map<Command, YearMonth> since = new EnumMap<>(Map.of(
                Command.QUERY_CHANNEL_TIMEOUT, YearMonth.of(2023, 8),
                Command.QUERY_LINK_CONFIG, YearMonth.of(2025, 6),
                Command.SET_BANDWIDTH_CLAMP, YearMonth.of(2025, 6),
                Command.QUERY_PHY_STATISTICS, YearMonth.of(2025, 6)));
        for (Command command : Command.values()) {
            if (command.isRdma()) {
                since.put(command, YearMonth.of(2024, 6));
            }
        }
        since.put(Command.QUERY_VF_COUNTERS, YearMonth.of(2025, 1));
        since.put(Command.QUERY_RDMA_COUNTERS, YearMonth.of(2025, 9));
        return since;
    }

    /** Since when the configuration of the device tells the longest frame. */
    private static final YearMonth FRAME = YearMonth.of(2023, 4);
    /** Since when it tells whether there is a host behind the function. */
    private static final YearMonth BARE_METAL = YearMonth.of(2025, 6);
    /** Since when one completion may tell of several frames. */
    private static final YearMonth COALESCING = YearMonth.of(2026, 3);
    /** Since when the function asks for resets and tells of its links. */
    private static final YearMonth EVENTS = YearMonth.of(2025, 1);

    /** Since when RDMA can be suspended alone. */
    private static final YearMonth SERVICING = YearMonth.of(2025, 6);

    /** Reads {@code 2026-10}. */
    static Firmware parse(String text) {
        try {
            return new Firmware(YearMonth.parse(text));
        } catch (DateTimeException wrong) {
            throw new Refusal(Errno.EINVAL, "The firmware '" + text + "' is not a month; write year and month, as in "
                    + NEWEST + ".");
        }
    }

    boolean knows(Command command) {
        YearMonth since = SINCE.get(command);
        return since == null || !month.isBefore(since);
    }

    /** The version in which it tells of the device. */
    int deviceConfigVersion() {
        return month.isBefore(FRAME) ? 1 : month.isBefore(BARE_METAL) ? 2 : 3;
    }

    boolean coalesces() {
        return !month.isBefore(COALESCING);
    }

    /** The version in which it answers to steering: before coalescing there is nothing to say. */
    int steeringVersion() {
        return coalesces() ? 2 : 1;
    }

    boolean sendsEvents() {
        return !month.isBefore(EVENTS);
    }

    boolean servicesRdma() {
        return !month.isBefore(SERVICING);
    }

    @Override
    public String toString() {
        return month.toString();
    }
}
