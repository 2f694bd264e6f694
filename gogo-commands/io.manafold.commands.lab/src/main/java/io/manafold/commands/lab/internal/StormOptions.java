package io.manafold.commands.lab.internal;

import io.manafold.shell.Call;
import io.manafold.shell.Completer;
import io.manafold.shell.Syntax;
import io.manafold.shell.UsageError;
import java.util.List;

/** The options of {@code servicing storm}. */
final class StormOptions {
    private static final String CYCLES = "--cycles";
    private static final String EVERY = "--every";
    private static final String JITTER = "--jitter";
    private static final String AWAY = "--away";
    private static final String SEED = "--seed";
    private static final String AT = "--at";
    private static final String NEVER_BACK = "--never-back";
    private static final String SERIAL = "--serial";
    private static final List<String> MOMENTS = List.of("reset", "probe", "posted", "armed");
    private static final int MOST_CYCLES = 100_000;

    private StormOptions() {
    }

    static Syntax.Builder verb(Completer adapters) {
        return Syntax.verb("storm", "Takes a function away and puts it back, again and again; says what each time cost")
                .option(CYCLES + " N", "how often; 10 if left out", Completer.NONE)
                .option(EVERY + " TIME", "from one time to the next; 1s if left out", Completer.NONE)
                .option(JITTER + " PERCENT", "by how much of that a time comes earlier or later; 0% if left out",
                        Completer.NONE)
                .option(AWAY + " TIME", "how long it is gone each time; 100ms if left out", Completer.NONE)
                .option(SEED + " N", "start of the random numbers behind the jitter; 1 if left out", Completer.NONE)
                .option(AT + " MOMENT", "reset: while the driver is asked to reset it; probe, posted, armed: once more "
                        + "while the driver looks at it, when it has posted its first receive buffers, when it has "
                        + "armed its completion queues", Completer.of(MOMENTS.toArray(new String[0])))
                .option(SERIAL + " NUMBER", "next: it comes back with another serial number, which synthetic devices "
                        + "are told of as long afterwards as it was away", Completer.of(Words.NEXT))
                .flag(NEVER_BACK, "does not put it back the last time")
                .argument(Words.ADAPTER, Words.ADAPTER_HELP, adapters)
                .example("servicing storm one --cycles 3 --every 300ms", "three times, with times and lost frames")
                .example("servicing storm one --cycles 3 --every 500ms --at posted", "and while the driver comes up")
                .example("servicing storm one --cycles 2 --every 300ms --jitter 50% --seed 7 --json", "for programs");
    }

    static Storm.Plan read(Call call) {
        String at = call.option(AT).orElse("any");
        if (!at.equals("any") && !MOMENTS.contains(at)) {
            throw UsageError.unknown("moment", at, MOMENTS);
        }
        double jitter = call.option(JITTER).map(text -> Quantity.percent(JITTER, text)).orElse(0.0) / 100;
        boolean renumbered = call.option(SERIAL).isPresent();
        if (renumbered && !call.option(SERIAL).get().equals(Words.NEXT)) {
            throw UsageError.unknown("serial number", call.option(SERIAL).get(), List.of(Words.NEXT));
        }
        return new Storm.Plan(call.number(CYCLES, 1, MOST_CYCLES).orElse(10),
                call.option(EVERY).map(text -> Quantity.time(EVERY, text, "1ms", "1000s")).orElse(1_000_000_000L),
                jitter, call.option(AWAY).map(text -> Quantity.time(AWAY, text, "1ms", "1000s")).orElse(100_000_000L),
                call.number(SEED, 0, Integer.MAX_VALUE).orElse(1), switch (at) {
                    case "reset" -> Storm.Moment.RESET;
                    case "probe" -> Storm.Moment.PROBE;
                    case "posted" -> Storm.Moment.POSTED;
                    case "armed" -> Storm.Moment.ARMED;
                    default -> Storm.Moment.ANY;
                }, renumbered, !call.flag(NEVER_BACK));
    }
}
