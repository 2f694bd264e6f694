package io.manafold.commands.lab.internal;

import io.manafold.shell.Call;
import io.manafold.shell.Completer;
import io.manafold.shell.Syntax;
import io.manafold.shell.UsageError;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** How frames wait on a new link: the keys of a lab file as options. */
final class QueueOptions {
    private static final String RATE = "--rate";
    private static final String BUFFER = "--buffer";
    private static final String ECN_MIN = "--ecn-min";
    private static final String ECN_MAX = "--ecn-max";
    private static final String ECN_PROBABILITY = "--ecn-probability";
    private static final String PFC = "--pfc";
    private static final String XOFF = "--pfc-xoff";
    private static final String XON = "--pfc-xon";
    private static final String MOST = "16mib";

    private QueueOptions() {
    }

    static Syntax.Builder describe(Syntax.Builder verb) {
        return verb.option(RATE + " RATE", "the rate at which frames leave towards each port, 1mbit to 400gbit; frames "
                        + "never wait for others if left out", Completer.NONE)
                .option(BUFFER + " SIZE", "how much waits in front of a port at most, 16kib to 16mib; 1mib if left out",
                        Completer.NONE)
                .option(ECN_MIN + " SIZE", "up to how much in a queue no packet is marked", Completer.NONE)
                .option(ECN_MAX + " SIZE", "with more than this in a queue every packet is marked that may be",
                        Completer.NONE)
                .option(ECN_PROBABILITY + " PERCENT", "share of the packets that are marked just below " + ECN_MAX
                        + "; 20% if left out", Completer.NONE)
                .option(PFC + " CLASSES", "the classes of frames that ports are asked to stop before a queue "
                        + "overflows, as in 3 or 3,4", Completer.NONE)
                .option(XOFF + " SIZE", "with more than this from a port waiting, it is asked to stop; a quarter of "
                        + BUFFER + " if left out", Completer.NONE)
                .option(XON + " SIZE", "when no more than this waits, it may go on; half of " + XOFF + " if left out",
                        Completer.NONE);
    }

    /** Adds what the words of a call ask for to a configuration. */
    static void read(Call call, Map<String, Object> contents) {
        notWithout(call, RATE, BUFFER, ECN_MAX, PFC);
        notWithout(call, ECN_MAX, ECN_MIN, ECN_PROBABILITY);
        notWithout(call, PFC, XOFF, XON);
        call.option(RATE).ifPresent(text -> contents.put("rate", Quantity.rate(RATE, text, "1mbit", "400gbit")));
        call.option(BUFFER).ifPresent(text -> contents.put("buffer", Quantity.size(BUFFER, text, "16kib", MOST)));
        size(call, contents, ECN_MIN, "0");
        size(call, contents, ECN_MAX, "1b");
        call.option(ECN_PROBABILITY).ifPresent(text -> contents.put("ecn-probability",
                Quantity.percent(ECN_PROBABILITY, text)));
        call.option(PFC).ifPresent(text -> contents.put("pfc", classes(text)));
        size(call, contents, XOFF, "1b");
        size(call, contents, XON, "0");
    }

    private static void notWithout(Call call, String needed, String... options) {
        for (String option : options) {
            if (call.flag(option) && !call.flag(needed)) {
                throw new UsageError(option + " means nothing without " + needed + ".");
            }
        }
    }

    private static void size(Call call, Map<String, Object> contents, String option, String least) {
        call.option(option).ifPresent(text -> contents.put(option.substring(2),
                Quantity.size(option, text, least, MOST)));
    }

    private static String[] classes(String text) {
        Set<String> classes = new TreeSet<>();
        for (String one : text.split(",", -1)) {
            if (!one.matches("[0-7]") || !classes.add(one)) {
                throw new UsageError(PFC + " takes classes from 0 to 7, each once, as in 3,4, not '" + text + "'.");
            }
        }
        return classes.toArray(String[]::new);
    }
}
