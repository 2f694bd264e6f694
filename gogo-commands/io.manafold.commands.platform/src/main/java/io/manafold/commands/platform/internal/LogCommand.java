package io.manafold.commands.platform.internal;

import io.manafold.api.log.LogLine;
import io.manafold.api.log.PlatformLog;
import io.manafold.shell.Call;
import io.manafold.shell.Command;
import io.manafold.shell.Completer;
import io.manafold.shell.Fields;
import io.manafold.shell.PlainText;
import io.manafold.shell.Syntax;
import io.manafold.shell.Table;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Shows the platform's log. */
@Component(service = Command.class, property = Command.NAME + "=log")
public final class LogCommand implements Command {
    private static final String FOLLOW = "--follow";
    private static final String LAST = "--last";

    private final Platform platform;

    @Activate
    public LogCommand(@Reference Platform platform) {
        this.platform = platform;
    }

    @Override
    public Syntax syntax() {
        return Syntax.command("log", Words.FAMILY, "Shows the platform's log")
                .about("With --follow and --json, every line is an object on a line of its own.")
                .shows()
                .flag(FOLLOW + " -f", "goes on with what is logged from now on, until it is interrupted")
                .option(LAST + " -n N", "no more than the last N; 0 with --follow for new ones only", Completer.NONE)
                .example("log --last 20", "the last twenty lines")
                .example("log --json", "what is remembered, for programs")
                .build();
    }

    @Override
    public void run(Call call) throws Exception {
        int last = call.number(LAST, 0, Integer.MAX_VALUE).orElse(Integer.MAX_VALUE);
        PlatformLog log = platform.log();
        DateTimeFormatter clock = DateTimeFormatter.ofPattern("HH:mm:ss.SSS").withZone(ZoneId.systemDefault());
        if (call.flag(FOLLOW)) {
            follow(call, log, last, clock);
        } else if (call.json()) {
            call.print(EventsCommand.tail(log.recent(), last).stream().map(LogCommand::fields).toList());
        } else {
            Table table = new Table().column("TIME", "time").column("LEVEL", "level").column("LOGGER", "logger")
                    .column("TEXT", "text").unwrapped();
            EventsCommand.tail(log.recent(), last)
                    .forEach(line -> table.row(clock.format(line.time()), line.level(), line.logger(), line.text()));
            call.print(table);
        }
    }

    private void follow(Call call, PlatformLog log, int last, DateTimeFormatter clock) throws Exception {
        Follow<LogLine> follow = new Follow<>();
        AutoCloseable subscription = log.follow(follow::offer);
        try (subscription) {
            // subscribed first: what is logged in between arrives twice, as two objects of the same time and text
            List<LogLine> recent = log.recent();
            Map<LogLine, Integer> shown = new HashMap<>();
            recent.forEach(line -> shown.merge(line, 1, Integer::sum));
            EventsCommand.tail(recent, last).forEach(line -> print(call, line, clock));
            follow.show(call, () -> platform.log == log, line -> {
                Integer times = shown.remove(line);
                if (times == null) {
                    print(call, line, clock);
                } else if (times > 1) {
                    shown.put(line, times - 1);
                }
            });
        }
    }

    private static void print(Call call, LogLine line, DateTimeFormatter clock) {
        if (call.json()) {
            call.printLine(fields(line));
        } else {
            call.out().println(clock.format(line.time()) + "  %-5s  ".formatted(line.level())
                    + PlainText.oneLine(line.logger()) + "  " + PlainText.oneLine(line.text()));
        }
    }

    private static Fields fields(LogLine line) {
        return Fields.of("time", line.time()).and("level", line.level()).and("logger", line.logger())
                .and("text", line.text());
    }
}
