package io.manafold.commands.shaper.internal;

import io.manafold.api.shaper.Shaper;
import io.manafold.api.shaper.ShaperEvent;
import io.manafold.api.shaper.ShaperEvent.Cause;
import io.manafold.api.shaper.ShaperHandle;
import io.manafold.shell.Call;
import io.manafold.shell.Fields;

/** A shaper that has become another, as a line. */
final class Change {
    private Change() {
    }

    static void show(Call call, ShaperEvent event) {
        if (call.json()) {
            call.printLine(fields(event));
        } else {
            call.out().println(line(event));
        }
    }

    static String line(ShaperEvent event) {
        String text = event.device() + " " + event.handle() + (event.now() == null ? " is gone" : values(event.now()));
        return text + why(event.cause());
    }

    private static String why(Cause cause) {
        return switch (cause) {
            case ASKED -> "";
            case EMPTIED -> ": nothing was below it any more";
            case QUEUE_GONE -> ": its queue went";
            case REPLAYED -> ": the device was told again";
        };
    }

    private static String values(Shaper now) {
        String values = Wording.values(now);
        String below = now.parent() == null || now.parent().equals(ShaperHandle.NETDEV) ? "" : "below " + now.parent();
        String text = (below + " " + values).strip();
        return text.isEmpty() ? " is without values" : " is now " + text;
    }

    private static Fields fields(ShaperEvent event) {
        Fields fields = Fields.of("dev", event.device()).and("event", event.now() == null ? "gone" : "set")
                .and("cause", event.cause());
        if (event.now() == null) {
            return fields.and("handle", Wording.handle(event.handle()));
        }
        Wording.fields(event.now()).values().forEach(fields::and);
        return fields;
    }
}
