package io.manafold.commands.lab.internal;

import io.manafold.api.adapter.FirmwareHistory;
import io.manafold.api.adapter.FirmwareMonth;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.shell.Call;
import io.manafold.shell.Candidate;
import io.manafold.shell.Command;
import io.manafold.shell.Completer;
import io.manafold.shell.Numbers;
import io.manafold.shell.Syntax;
import io.manafold.shell.Table;
import io.manafold.shell.UsageError;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** What an adapter knows that behaves like the firmware of a month. */
@Component(service = Command.class, property = Command.NAME + "=firmware")
public final class FirmwareCommand implements Command {
    private static final String MONTH = "MONTH";
    private static final String OTHER = "OTHER";
    private static final String MARKDOWN = "--markdown";
    private static final String HELP = "year and month, as in 2025-06";
    private static final Pattern FORM = Pattern.compile("2[0-9]{3}-(?:0[1-9]|1[0-2])");

    private final Topology topology;

    @Activate
    public FirmwareCommand(@Reference Topology topology) {
        this.topology = topology;
    }

    @Override
    public Syntax syntax() {
        Completer months = topology.completeFirmware();
        return Syntax.command("firmware", Words.FAMILY, "Tells what the firmware of each month knows")
                .about("An adapter behaves like the firmware of a month: 'adapter add NAME --firmware MONTH', or "
                        + "'firmware' in a lab. A driver that is to run on old machines is tried with old months.")
                .verb(Syntax.verb("list", "Lists the months that have brought something").shows()
                        .flag(MARKDOWN, "writes all of it as a page of Markdown")
                        .example("firmware list", "a line for each"))
                .verb(Syntax.verb("show", "Shows what is known with the firmware of a month").shows()
                        .argument(MONTH, HELP, months)
                        .example("firmware show 2024-06", "every message, feature and limit there was by then"))
                .verb(Syntax.verb("diff", "Shows what one month knows and another does not").shows()
                        .argument(MONTH, HELP, months)
                        .argument(OTHER, "another month", months)
                        .example("firmware diff 2024-06 2025-06", "what has come within that year"))
                .build();
    }

    @Override
    public void run(Call call) {
        FirmwareHistory history = topology.firmware();
        switch (call.verb()) {
            case "list" -> list(call, history);
            case "show" -> show(call, history);
            default -> diff(call, history);
        }
    }

    private static void list(Call call, FirmwareHistory history) {
        if (call.flag(MARKDOWN)) {
            if (call.json()) {
                throw new UsageError(MARKDOWN + " writes Markdown, and --json something else: give one of them.");
            }
            call.out().print(FirmwarePage.of(history));
            return;
        }
        Table table = new Table().column("MONTH", "month").column("MESSAGES", "messages")
                .column("LIMITS", "limits").column("FEATURES", "features");
        for (FirmwareMonth month : history.months()) {
            table.row(month.month(), month.messages().size(), month.limits().size(),
                    month.features().stream().map(FirmwareMonth.Feature::name).collect(Collectors.joining(" ")));
        }
        call.print(table);
    }

    private static void show(Call call, FirmwareHistory history) {
        String month = month(history, call.required(MONTH));
        Table table = table();
        history.months().stream().filter(one -> one.month().compareTo(month) <= 0).forEach(one -> rows(table, one));
        limits(history, month).forEach((name, limit) -> table.row(limit.since(), "limit", name, null, limit.value(),
                limit.meaning()));
        call.print(table);
    }

    private static void diff(Call call, FirmwareHistory history) {
        String one = month(history, call.required(MONTH));
        String other = month(history, call.required(OTHER));
        String first = one.compareTo(other) < 0 ? one : other;
        String last = first.equals(one) ? other : one;
        Table table = table().column("WAS", "was");
        for (FirmwareMonth month : history.months()) {
            if (month.month().compareTo(first) > 0 && month.month().compareTo(last) <= 0) {
                rows(table, month, (Object) null);
            }
        }
        Map<String, Known> before = limits(history, first);
        limits(history, last).forEach((name, limit) -> {
            Known was = before.get(name);
            if (was == null || was.value() != limit.value()) {
                table.row(limit.since(), "limit", name, null, limit.value(), limit.meaning(),
                        was == null ? null : was.value());
            }
        });
        call.print(table);
    }

    /** A limit as it is in a month. */
    private record Known(String since, long value, String meaning) {
    }

    private static Map<String, Known> limits(FirmwareHistory history, String until) {
        Map<String, Known> limits = new LinkedHashMap<>();
        for (FirmwareMonth month : history.months()) {
            if (month.month().compareTo(until) <= 0) {
                month.limits().forEach(limit -> limits.put(limit.name(), new Known(month.month(), limit.value(),
                        limit.meaning())));
            }
        }
        return limits;
    }

    private static Table table() {
        return new Table().column("SINCE", "since").column("KIND", "kind").column("NAME", "name").column("CODE", "code")
                .column("VALUE", "value").column("WHAT IT IS", "meaning");
    }

    private static void rows(Table table, FirmwareMonth month, Object... more) {
        for (FirmwareMonth.Message message : month.messages()) {
            row(table, more, month.month(), "message", message.name(), "0x%05x".formatted(message.code()), null, null);
        }
        for (FirmwareMonth.Feature feature : month.features()) {
            row(table, more, month.month(), "feature", feature.name(), null, null, feature.meaning());
        }
    }

    private static void row(Table table, Object[] more, Object... cells) {
        table.row(Stream.of(cells, more).flatMap(Arrays::stream).toArray());
    }

    private static String month(FirmwareHistory history, String text) {
        if (!FORM.matcher(text).matches()) {
            throw new UsageError("'" + text + "' is no month: write year and month, as in " + history.latest() + ".");
        }
        String first = history.months().getFirst().month();
        if (text.compareTo(first) < 0 || text.compareTo(history.latest()) > 0) {
            throw new Refusal(Errno.ENOENT, "No firmware of " + text + " is known: choose a month from " + first
                    + " to " + history.latest() + ".");
        }
        return text;
    }

    /** The months that have brought something, and the latest. */
    static List<Candidate> candidates(FirmwareHistory history) {
        List<Candidate> candidates = new ArrayList<>();
        for (FirmwareMonth month : history.months()) {
            candidates.add(new Candidate(month.month(), Numbers.counted(month.messages().size(), "message") + " came, "
                    + Numbers.counted(month.features().size(), "feature"), true));
        }
        if (candidates.stream().noneMatch(one -> one.value().equals(history.latest()))) {
            candidates.add(new Candidate(history.latest(), "the latest", true));
        }
        return candidates;
    }
}
