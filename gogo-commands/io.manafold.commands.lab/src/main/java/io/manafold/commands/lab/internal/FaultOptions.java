package io.manafold.commands.lab.internal;

import io.manafold.api.adapter.Adapter;
import io.manafold.api.adapter.Fault;
import io.manafold.api.adapter.PortStatus;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.shell.Call;
import io.manafold.shell.Completer;
import io.manafold.shell.Syntax;
import io.manafold.shell.UsageError;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** What is to go wrong: the keys of a lab file as options. */
final class FaultOptions {
    private static final String NAME = "--name";
    private static final String MESSAGE = "--message";
    private static final String PORT = "--port";
    private static final String EFFECT = "--effect";
    private static final String STATUS = "--status";
    private static final String DELAY = "--delay";
    private static final String ONCE = "--once";
    private static final Pattern MESSAGE_NAME = Pattern.compile("[a-z][a-z0-9-]{0,63}");
    private static final List<String> EFFECTS = Arrays.stream(Fault.Effect.values()).map(FaultOptions::word).toList();

    private FaultOptions() {
    }

    static String word(Fault.Effect effect) {
        return effect.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Adds the options to a verb. */
    static Syntax.Builder describe(Syntax.Builder verb, Completer ports, Completer messages,
            Completer statuses) {
        return verb.option(MESSAGE + " NAME", "the hardware-channel message whose answer goes wrong; the next of any "
                        + "kind if left out", messages)
                .option(STATUS + " HEX", "the status of failure that the answer carries", statuses)
                .option(EFFECT + " EFFECT", "what goes wrong: the answer carries a status, comes late, twice, is cut "
                        + "short, is longer than asked for, is overtaken by the next, never comes; or the next "
                        + "completion of a port's send queues never comes; status if left out",
                        Completer.of(EFFECTS.toArray(String[]::new)))
                .option(DELAY + " TIME", "how late the answer comes, for the effect late, 1us to 60s", Completer.NONE)
                .option(PORT + " PORT", "the port whose completion never comes, for the effect withhold-completion",
                        ports)
                .flag(ONCE, "spends the fault on one answer")
                .option(NAME + " NAME", "what the fault is to be called; made from adapter and message if left out",
                        Completer.NONE);
    }

    /** The fault that the words of a call ask for. */
    static Fault read(Call call, Adapter adapter) {
        Fault.Effect effect = effect(call);
        onlyWith(call, STATUS, effect, Fault.Effect.STATUS, "0xc00000bb");
        onlyWith(call, DELAY, effect, Fault.Effect.LATE, "500ms");
        onlyWith(call, PORT, effect, Fault.Effect.WITHHOLD_COMPLETION, adapter.name() + "/1");
        String about = call.option(PORT).map(port -> port(port, adapter))
                .or(() -> call.option(MESSAGE).map(FaultOptions::message)).orElse(null);
        if (call.flag(PORT) && call.flag(MESSAGE)) {
            throw new UsageError(MESSAGE + " is about answers and " + PORT + " about completions; take one out.");
        }
        return new Fault(name(call, adapter, about), about, effect,
                call.option(STATUS).map(text -> Quantity.status(STATUS, text)).orElse(0),
                call.option(DELAY).map(text -> Quantity.time(DELAY, text, "1us", "60s")).orElse(0L), call.flag(ONCE));
    }

    /** Refuses an option of a fault beside one that goes without. */
    static void without(Call call, String other) {
        for (String option : List.of(MESSAGE, STATUS, EFFECT, DELAY, PORT, ONCE, NAME)) {
            if (call.flag(option)) {
                throw new UsageError(other + " goes without " + option + ".");
            }
        }
    }

    private static Fault.Effect effect(Call call) {
        String word = call.option(EFFECT).orElse(EFFECTS.getFirst());
        int at = EFFECTS.indexOf(word);
        if (at < 0) {
            throw UsageError.unknown("effect", word, EFFECTS);
        }
        return Fault.Effect.values()[at];
    }

    private static void onlyWith(Call call, String option, Fault.Effect effect, Fault.Effect with, String example) {
        if (effect == with && !call.flag(option)) {
            throw new UsageError("The effect " + word(with) + " needs " + option + ", as in " + option + " " + example
                    + ".");
        }
        if (effect != with && call.flag(option)) {
            throw new UsageError(option + " is only for the effect " + word(with) + ".");
        }
    }

    private static String message(String name) {
        if (!MESSAGE_NAME.matcher(name).matches()) {
            throw new UsageError(MESSAGE + " takes the name of a message, as in configure-vport-tx, not '" + name
                    + "'.");
        }
        return name;
    }

    private static String port(String name, Adapter adapter) {
        List<String> ports = adapter.ports().stream().map(PortStatus::name).toList();
        if (!ports.contains(name)) {
            throw Topology.absent(Errno.ENODEV, "port of adapter '" + adapter.name() + "' called", name, ports,
                    "it has none");
        }
        return name;
    }

    private static String name(Call call, Adapter adapter, String about) {
        List<String> there = adapter.faults().stream().map(Fault::name).toList();
        if (call.flag(NAME)) {
            String name = Words.name(call.option(NAME).orElseThrow());
            if (there.contains(name)) {
                throw new Refusal(Errno.EEXIST, "Adapter '" + adapter.name() + "' has a fault '" + name
                        + "' already; choose another name, or clear that one first.");
            }
            return name;
        }
        String made = about == null ? adapter.name()
                : about.startsWith(adapter.name() + "/") ? about.replace('/', '-') : adapter.name() + "-" + about;
        String name = made;
        for (int number = 2; there.contains(name); number++) {
            name = made + "-" + number;
        }
        return name;
    }
}
