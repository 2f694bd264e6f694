package io.manafold.commands.platform.internal;

import io.manafold.api.device.DeviceEvent;
import io.manafold.api.device.DriverChoice;
import io.manafold.api.device.EventLog;
import io.manafold.shell.Call;
import io.manafold.shell.Command;
import io.manafold.shell.Completer;
import io.manafold.shell.Fields;
import io.manafold.shell.PlainText;
import io.manafold.shell.Syntax;
import io.manafold.shell.Table;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Tells what happened to devices, drivers and bundles. */
@Component(service = Command.class, property = Command.NAME + "=events")
public final class EventsCommand implements Command {
    private static final String FOLLOW = "--follow";
    private static final String LAST = "--last";

    private final Platform platform;

    @Activate
    public EventsCommand(@Reference Platform platform) {
        this.platform = platform;
    }

    @Override
    public Syntax syntax() {
        return Syntax.command("events", Words.FAMILY, "Tells what happened to devices, drivers and bundles")
                .about("With --follow and --json, every event is an object on a line of its own. When a driver "
                        + "has taken the place of another, 'swapped', or has come back, 'rolled-back', the event has "
                        + "gap_ms, frames_lost (frames that came in meanwhile and found no queue) and buffers_out "
                        + "(packets that were not home when the old driver had left).")
                .shows()
                .flag(FOLLOW + " -f", "goes on with what happens from now on, until it is interrupted")
                .option(LAST + " -n N", "no more than the last N; 0 with --follow for new ones only", Completer.NONE)
                .example("events", "what is remembered")
                .example("events --last 5", "the last five")
                .example("events --json", "for programs")
                .build();
    }

    @Override
    public void run(Call call) throws InterruptedException {
        int last = call.number(LAST, 0, Integer.MAX_VALUE).orElse(Integer.MAX_VALUE);
        EventLog log = platform.events();
        DateTimeFormatter clock = DateTimeFormatter.ofPattern("HH:mm:ss").withZone(ZoneId.systemDefault());
        if (call.flag(FOLLOW)) {
            follow(call, log, last, clock);
            return;
        }
        if (call.json()) {
            call.print(tail(log.recent(), last).stream().map(EventsCommand::fields).toList());
            return;
        }
        Table table = new Table().column("TIME", "time").column("EVENT", "sentence");
        tail(log.recent(), last).forEach(event -> table.row(clock.format(event.time()), event.sentence()));
        call.print(table);
    }

    private void follow(Call call, EventLog log, int last, DateTimeFormatter clock) throws InterruptedException {
        Follow<DeviceEvent> follow = new Follow<>();
        EventLog.Subscription subscription = log.subscribe(follow::offer);
        try (subscription) {
            // subscribed first: what happens in between arrives twice, and is known by its number
            long[] shown = new long[1];
            for (DeviceEvent event : log.recent()) {
                shown[0] = event.sequence();
            }
            tail(log.recent().stream().filter(event -> event.sequence() <= shown[0]).toList(), last)
                    .forEach(event -> print(call, event, clock));
            follow.show(call, () -> platform.events == log, event -> {
                if (event.sequence() > shown[0]) {
                    print(call, event, clock);
                }
            });
        }
    }

    private static void print(Call call, DeviceEvent event, DateTimeFormatter clock) {
        if (call.json()) {
            call.printLine(fields(event));
        } else {
            call.out().println(clock.format(event.time()) + "  " + PlainText.oneLine(event.sentence()));
        }
    }

    static Fields fields(DeviceEvent event) {
        Fields fields = Fields.of("sequence", event.sequence())
                .and("time", event.time())
                .and("kind", event.kind())
                .and("device", event.device())
                .and("driver", event.driver().map(DriverChoice::name))
                .and("version", event.driver().map(DriverChoice::version))
                .and("sentence", event.sentence());
        event.figures().forEach(fields::and);
        return fields;
    }

    static <T> List<T> tail(List<T> all, int last) {
        return all.subList(Math.max(0, all.size() - last), all.size());
    }
}
