package io.manafold.commands.rdma.internal;

import io.manafold.shell.Call;
import io.manafold.shell.Completer;
import io.manafold.shell.Numbers;
import io.manafold.shell.Syntax;
import io.manafold.shell.UsageError;

/** The options of programs that measure, as they are typed and what they mean together. */
final class MeasureOptions {
    static final String TO = "--to";
    static final String PORT = "-i";
    static final String CM_PORT = "-p";
    static final String WITHDRAWN = "--withdrawn-key";
    static final int USUAL_CM_PORT = 18_515;
    static final int FEWEST_ITERATIONS = 5;
    private static final String SIZE = "-s";
    private static final String ALL = "-a";
    private static final String ITERATIONS = "-n";
    private static final String DURATION = "-D";
    private static final String DEPTH = "-t";
    private static final String PAIRS = "-q";
    private static final String BOTH = "-b";
    private static final String MTU = "-m";
    private static final String GID = "-x";
    private static final String MANAGED = "-R";
    private static final String MODERATION = "-Q";
    private static final String LIST = "-l";
    private static final String GIGABITS = "--report_gbits";
    private static final int USUAL_SIZE = 1 << 16;
    private static final int USUAL_LATENCY_SIZE = 2;
    private static final int USUAL_ITERATIONS = 1000;
    private static final int USUAL_WRITES = 5000;
    private static final int MOST_ITERATIONS = 100_000_000;
    /** Each has its time kept. */
    private static final int MOST_ROUNDS = 1_000_000;
    private static final int MOST_SECONDS = 86_400;
    private static final int USUAL_DEPTH = 128;
    private static final int USUAL_RECEIVES = 512;
    private static final int MOST_DEPTH = 8192;
    private static final int USUAL_MODERATION = 100;
    /** From here on each message has a completion, or the clock would be read too seldom. */
    private static final int LARGE = 8192;

    private MeasureOptions() {
    }

    static Syntax.Builder add(Syntax.Builder syntax, Operation operation, boolean latency, Devices devices) {
        syntax.option("-d, --ib-dev DEV", Words.DEVICE_HELP + "; the first one if left out", devices.complete())
                .option(TO + " DEV", "the other end, a device of this platform as well", devices.complete())
                .option("-i, --ib-port PORT", "the port of the device; 1 if left out", Completer.NONE)
                .option("-s, --size BYTES", "of a message, k and m for 1024 and 1048576 of them; "
                        + (latency ? USUAL_LATENCY_SIZE : USUAL_SIZE) + " if left out", Completer.NONE)
                .flag("-a, --all", "all sizes from 2 to 8388608")
                .option("-n, --iters N", "how many messages of each size", Completer.NONE)
                .option("-D, --duration SECONDS",
                        "for how long, instead of how many; the first and the last quarter do not count",
                        Completer.NONE);
        if (!latency) {
            syntax.option("-t, --tx-depth N", "how many sends are under way at most; 128 if left out", Completer.NONE)
                    .option("-q, --qp N", "how many queue pairs; 1 if left out", Completer.NONE)
                    .flag("-b, --bidirectional", "both ends send")
                    .option("-Q, --cq-mod N",
                            "one of so many sends has a completion; 100 if left out, 1 for large messages",
                            Completer.NONE)
                    .option("-l, --post_list N", "how many sends one call posts; 1 if left out", Completer.NONE)
                    .flag(GIGABITS, "in Gb/sec instead of MiB/sec");
        }
        if (operation != Operation.SEND) {
            syntax.flag(WITHDRAWN, "with " + TO + ": the other end takes the key of its memory back before the first "
                    + "message, which has to be refused; the answer says whether a byte there has changed");
        }
        return syntax.option("-m, --mtu BYTES",
                "of payload of a packet: 256, 512, 1024, 2048 or 4096; that of the port if left out",
                Completer.of("256", "512", "1024", "2048", "4096")).option("-x, --gid-index N",
                        "which of its addresses the device uses, as 'ibv_devinfo -v' shows them", Completer.NONE)
                .flag("-R, --rdma_cm", "connects by the connection manager; always without " + TO)
                .option("-p, --port PORT", "where the serving end listens; 18515 if left out", Completer.NONE);
    }

    static MeasurePlan read(Call call, Operation operation, boolean latency) {
        int seconds = call.number(DURATION, 1, MOST_SECONDS).orElse(0);
        boolean all = call.flag(ALL);
        if (seconds > 0 && (all || call.flag(ITERATIONS))) {
            throw new UsageError(DURATION + " says how long, so " + (all ? ALL : ITERATIONS)
                    + " does not go with it; leave one out.");
        }
        if (all && call.flag(SIZE)) {
            throw new UsageError(ALL + " is all sizes, so " + SIZE + " does not go with it; leave one out.");
        }
        int iterations = seconds > 0 ? 0
                : call.number(ITERATIONS, FEWEST_ITERATIONS, latency ? MOST_ROUNDS : MOST_ITERATIONS)
                        .orElse(!latency && operation == Operation.WRITE ? USUAL_WRITES : USUAL_ITERATIONS);
        int size = all ? MeasurePlan.LARGEST
                : call.option(SIZE).map(MeasureOptions::size).orElse(latency ? USUAL_LATENCY_SIZE : USUAL_SIZE);
        int mtu = call.option(MTU).map(MeasureOptions::mtu).orElse(0);
        int gid = call.number(GID, 0, Words.MOST_PORTS).orElse(-1);
        boolean managed = call.flag(MANAGED) || call.option(TO).isEmpty();
        int receives = seconds > 0 ? USUAL_RECEIVES : Math.min(USUAL_RECEIVES, iterations);
        if (latency) {
            return new MeasurePlan(operation, true, size, all, iterations, seconds, 1, receives, 1, false, mtu, gid,
                    managed, 1, 1, false);
        }
        int depth = call.number(DEPTH, 1, MOST_DEPTH).orElse(USUAL_DEPTH);
        depth = seconds > 0 ? depth : Math.min(depth, iterations);
        int list = list(call, iterations, depth);
        int moderation = moderation(call, all ? 0 : size, depth, list);
        return new MeasurePlan(operation, false, size, all, iterations, seconds, depth, Math.max(receives, list),
                call.number(PAIRS, 1, End.MOST_PAIRS).orElse(1), call.flag(BOTH), mtu, gid, managed, moderation, list,
                call.flag(GIGABITS));
    }

    private static int list(Call call, int iterations, int depth) {
        int list = call.number(LIST, 1, MOST_DEPTH).orElse(1);
        if (list > depth) {
            throw new UsageError(LIST + " " + list + " is more than the " + depth + " sends that may be under way; "
                    + "raise " + DEPTH + ", or post shorter lists.");
        }
        if (iterations % list != 0) {
            throw new UsageError(ITERATIONS + " is a multiple of " + LIST + ", and " + iterations + " is none of "
                    + list + ".");
        }
        return list;
    }

    private static int moderation(Call call, int size, int depth, int list) {
        int usual = list > 1 ? list : size > LARGE ? 1 : USUAL_MODERATION;
        int moderation = Math.min(depth, call.number(MODERATION, 1, 1024).orElse(usual));
        if (list > 1 && list % moderation != 0) {
            throw new UsageError(LIST + " is a multiple of " + MODERATION + ", and " + list + " is none of "
                    + moderation + ".");
        }
        return moderation;
    }

    /** Bytes, perhaps in thousands or millions of them. */
    static int size(String text) {
        return (int) Numbers.bytes(SIZE, text, 1, MeasurePlan.LARGEST);
    }

    static int mtu(String text) {
        return switch (text) {
            case "256", "512", "1024", "2048", "4096" -> Integer.parseInt(text);
            default -> throw new UsageError(MTU + " is 256, 512, 1024, 2048 or 4096, not '" + text + "'.");
        };
    }
}
