package io.manafold.commands.lab.internal;

import io.manafold.api.adapter.FirmwareHistory;
import io.manafold.api.adapter.FirmwareMonth;
import java.util.stream.Collectors;

/** The history of the firmware as a page of Markdown. */
final class FirmwarePage {
    private FirmwarePage() {
    }

    static String of(FirmwareHistory history) {
        StringBuilder page = new StringBuilder("""
                # Firmware

                Made by `firmware list --markdown` from what the adapter itself goes by. An adapter behaves like the firmware of one month,
                from %s to %s: the key `firmware` of an adapter in a [lab](labs.md), or `--firmware` of `adapter add`. From one month
                of the table to the next all is as in the earlier one; a message that a month does not know yet is answered with the
                status *not supported*, as an older machine does. `firmware diff` tells two months apart.

                | since | messages | features |
                |---|---|---|
                """.formatted(history.months().getFirst().month(), history.latest()));
        for (FirmwareMonth month : history.months()) {
            page.append("| ").append(month.month()).append(" | ")
                    .append(month.messages().stream().map(message -> "`" + message.name() + "`")
                            .collect(Collectors.joining(" ")))
                    .append(" | ")
                    .append(month.features().stream().map(feature -> "**" + feature.name() + "** " + feature.meaning())
                            .collect(Collectors.joining(" ")))
                    .append(" |\n");
        }
        return page.toString();
    }
}
