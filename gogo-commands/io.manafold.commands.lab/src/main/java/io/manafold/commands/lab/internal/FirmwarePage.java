package io.manafold.commands.lab.internal;

import io.manafold.api.adapter.FirmwareHistory;
import io.manafold.api.adapter.FirmwareMonth;
import java.util.LinkedHashMap;
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

                | since | messages | features | limits |
                |---|---|---|---|
                """.formatted(history.months().getFirst().month(), history.latest()));
        for (FirmwareMonth month : history.months()) {
            page.append("| ").append(month.month()).append(" | ")
                    .append(month.messages().stream().map(message -> "`" + message.name() + "`")
                            .collect(Collectors.joining(" ")))
                    .append(" | ")
                    .append(month.features().stream().map(feature -> "**" + feature.name() + "** " + feature.meaning())
                            .collect(Collectors.joining(" ")))
                    .append(" | ")
                    .append(month.limits().stream().map(limit -> "`" + limit.name() + "` " + limit.value())
                            .collect(Collectors.joining(", ")))
                    .append(" |\n");
        }
        page.append("""

                A limit is the most that there can be; from one month to the next those that are not named stay. An administrator
                can give an adapter less: its ports and queues, its longest frame (`mtu`), and its objects, as `adapter limits` shows them.

                | limit | the most |
                |---|---|
                """);
        history.months().stream().flatMap(month -> month.limits().stream())
                .collect(Collectors.toMap(FirmwareMonth.Limit::name, FirmwareMonth.Limit::meaning, (one, _) -> one,
                        LinkedHashMap::new))
                .forEach((name, meaning) -> page.append("| `").append(name).append("` | ").append(meaning)
                        .append(" |\n"));
        return page.toString();
    }
}
