package io.manafold.adapter.internal;

import java.time.YearMonth;
import java.util.Locale;

/** What firmware brought besides messages. */
enum FirmwareFeature {
    FRAME_LENGTH(2023, 4, "The configuration of the device has version 2 and tells the longest frame."),
    EVENTS(2025, 1, "The function asks for resets and tells of its links by events."),
    BARE_METAL(2025, 6, "The configuration of the device has version 3 and tells whether there is a host behind the "
            + "function."),
    RDMA_SERVICING(2025, 6, "RDMA can be suspended and resumed alone, by event 134."),
    COALESCING(2026, 3, "One completion may tell of up to four frames; the answer to configure-vport-rx has "
            + "version 2."),
    EVENT_MODERATION(2026, 7, "Events of completion queues are held back as their driver says, in create-wq-object "
            + "of version 3 or by a doorbell."),
    EIGHT_FRAMES(2026, 8, "One completion may tell of up to eight frames, if configure-vport-rx of version 5 asks for "
            + "that; the configuration of the device says so.");

    private final YearMonth since;
    private final String meaning;

    FirmwareFeature(int year, int month, String meaning) {
        since = YearMonth.of(year, month);
        this.meaning = meaning;
    }

    YearMonth since() {
        return since;
    }

    String meaning() {
        return meaning;
    }

    /** {@code frame-length}. */
    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
