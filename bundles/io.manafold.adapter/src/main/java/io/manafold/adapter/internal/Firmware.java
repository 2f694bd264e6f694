package io.manafold.adapter.internal;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.Command;
import io.manafold.gdma.ReceiveCompletion;
import java.time.DateTimeException;
import java.time.YearMonth;
import java.util.EnumMap;
import java.util.Map;

/** The month whose firmware an adapter behaves like: which messages it knows, and in what version. */
record Firmware(YearMonth month) {
    /** When the first driver for the adapter came. */
    static final Firmware OLDEST = new Firmware(YearMonth.of(2021, 4));
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

    /** Reads {@code 2026-10}. */
    static Firmware parse(String text) {
        YearMonth month;
        try {
            month = YearMonth.parse(text);
        } catch (DateTimeException wrong) {
            throw new Refusal(Errno.EINVAL, "The firmware '" + text + "' is not a month; write year and month, as in "
                    + NEWEST + ".");
        }
        if (month.isBefore(OLDEST.month) || month.isAfter(NEWEST.month)) {
            throw new Refusal(Errno.EINVAL, "No firmware of " + text + " is known: choose a month from " + OLDEST
                    + " to " + NEWEST + "; 'firmware list' shows which of them have brought something.");
        }
        return new Firmware(month);
    }

    /** Since when a message is known. */
    static YearMonth since(Command command) {
        return SINCE.getOrDefault(command, OLDEST.month);
    }

    boolean knows(Command command) {
        return !month.isBefore(since(command));
    }

    private boolean has(FirmwareFeature feature) {
        return !month.isBefore(feature.since());
    }

    /** The version in which it tells of the device. */
    int deviceConfigVersion() {
        return has(FirmwareFeature.BARE_METAL) ? 3 : has(FirmwareFeature.FRAME_LENGTH) ? 2 : 1;
    }

    boolean coalesces() {
        return has(FirmwareFeature.COALESCING);
    }

    /** The version in which it answers to steering: before coalescing there is nothing to say. */
    int steeringVersion() {
        return coalesces() ? 2 : 1;
    }

    /** Whether two frames may share an entry of a completion. */
    boolean pairsFrames() {
        return has(FirmwareFeature.EIGHT_FRAMES);
    }

    /** How many frames one receive completion tells of at most. */
    int mostFrames() {
        return pairsFrames() ? ReceiveCompletion.MOST_PACKETS : coalesces() ? ReceiveCompletion.MAX_PACKETS : 1;
    }

    boolean moderatesEvents() {
        return has(FirmwareFeature.EVENT_MODERATION);
    }

    /** The version in which it answers to a new pair of queues: before moderation there is less to say. */
    int pairVersion() {
        return moderatesEvents() ? 2 : 1;
    }

    boolean sendsEvents() {
        return has(FirmwareFeature.EVENTS);
    }

    boolean servicesRdma() {
        return has(FirmwareFeature.RDMA_SERVICING);
    }

    @Override
    public String toString() {
        return month.toString();
    }
}
