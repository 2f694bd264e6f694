package io.manafold.commands.lab.internal;

import io.manafold.api.fabric.PacketRule;
import io.manafold.api.fabric.PacketRule.Action;
import io.manafold.shell.Call;
import io.manafold.shell.Completer;
import io.manafold.shell.Numbers;
import io.manafold.shell.Syntax;
import io.manafold.shell.UsageError;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What is to be done to single packets. */
final class RuleOptions {
    static final String MATCH = "--match";
    private static final String DROP = "--drop";
    private static final String MARK_CE = "--mark-ce";
    private static final String CORRUPT = "--corrupt";
    private static final String ONCE = "--once";
    private static final String COUNT = "--count";
    private static final String LONGEST_DELAY = "10s";
    /** What only has a meaning with {@link #MATCH}. */
    private static final List<String> OWN = List.of(DROP, MARK_CE, CORRUPT, ONCE, COUNT);

    private RuleOptions() {
    }

    static Syntax.Builder describe(Syntax.Builder verb) {
        return verb.about("With " + MATCH + " it adds a rule for RoCEv2 packets: one of " + DROP + ", "
                        + LinkOptions.DUPLICATE + ", " + LinkOptions.REORDER + ", " + LinkOptions.DELAY + " TIME, "
                        + MARK_CE + " and " + CORRUPT + ". Of several rules that fit a packet the first counts; a link "
                        + "has " + PacketRule.MOST + " at most. Numbers are decimal or begin with 0x; an opcode can "
                        + "have its name: " + PacketWords.opcodeNames() + ".")
                .option(MATCH + " FIELDS", "the packets that a rule is for: qpn=, psn=, opcode=, ecn= in one word with "
                        + "commas, or any", Completer.of(PacketWords.ANY))
                .flag(DROP, "with " + MATCH + ": they do not arrive")
                .flag(MARK_CE, "with " + MATCH + ": they arrive marked as having met congestion")
                .flag(CORRUPT, "with " + MATCH + ": they arrive with one bit behind the headers another")
                .flag(ONCE, "with " + MATCH + ": the rule is spent by one packet")
                .option(COUNT + " N", "with " + MATCH + ": the rule is spent by so many packets", Completer.NONE);
    }

    /** Options that were given and need {@link #MATCH}, which was not. */
    static void refuseWithoutMatch(Call call) {
        for (String option : OWN) {
            if (call.flag(option)) {
                throw new UsageError(option + " is only for rules; say with " + MATCH + " which packets are meant.");
            }
        }
        for (String option : List.of(LinkOptions.DUPLICATE, LinkOptions.REORDER)) {
            if (call.options(option).contains("")) {
                throw new UsageError(option + " needs a value: " + option + " PERCENT; without one it is only for "
                        + "rules, with " + MATCH + ".");
            }
        }
    }

    /** The rule that the words of a call ask for. */
    static PacketRule read(Call call) {
        PacketWords.Match match = PacketWords.read(MATCH, call.option(MATCH).orElseThrow());
        Action action = action(call);
        long delay = action == Action.DELAY
                ? Quantity.time(LinkOptions.DELAY, call.option(LinkOptions.DELAY).orElseThrow(), "1ns", LONGEST_DELAY)
                : 0;
        return new PacketRule(match.queuePair(), match.sequence(), match.opcode(), match.ecn(), action, delay,
                count(call));
    }

    private static Action action(Call call) {
        for (String option : List.of(LinkOptions.LOSS, LinkOptions.SEED, LinkOptions.CLEAR)) {
            if (call.flag(option)) {
                throw new UsageError(option + " is not for rules; leave it or " + MATCH + " out.");
            }
        }
        List<Action> asked = new ArrayList<>();
        for (Action action : Action.values()) {
            String option = option(action);
            if (call.flag(option)) {
                if (action != Action.DELAY && !call.options(option).stream().allMatch(String::isEmpty)) {
                    throw new UsageError(option + " takes no value with " + MATCH + ".");
                }
                asked.add(action);
            }
        }
        if (asked.size() != 1) {
            throw new UsageError("A rule does one thing to packets: " + DROP + ", " + LinkOptions.DUPLICATE + ", "
                    + LinkOptions.REORDER + ", " + LinkOptions.DELAY + " TIME, " + MARK_CE + " or " + CORRUPT + ".");
        }
        return asked.getFirst();
    }

    private static String option(Action action) {
        return "--" + word(action);
    }

    static String word(Action action) {
        return action.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static long count(Call call) {
        if (call.flag(ONCE) && call.flag(COUNT)) {
            throw new UsageError(ONCE + " contradicts " + COUNT + ".");
        }
        if (call.flag(ONCE)) {
            return 1;
        }
        return call.option(COUNT).map(text -> Numbers.whole(COUNT, text, 1, Long.MAX_VALUE)).orElse(0L);
    }

    /** {@code qpn=0x101: delay 2ms, 3 packets}. */
    static String show(PacketRule rule) {
        return PacketWords.show(rule) + ": " + word(rule.action())
                + (rule.action() == Action.DELAY ? " " + Quantity.showTime(rule.delayNanos()) : "")
                + (rule.count() == 0 ? "" : rule.count() == 1 ? ", once" : ", " + rule.count() + " times");
    }
}
