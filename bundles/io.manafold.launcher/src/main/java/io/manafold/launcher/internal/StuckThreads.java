package io.manafold.launcher.internal;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The threads that hold up the end of the platform: those inside the start or stop of a bundle, and a command that does
 * not end.
 */
final class StuckThreads {
    private static final Pattern JAVA = Pattern.compile("(?:java|jdk|sun)\\..*");
    private static final Pattern FRAMEWORK = Pattern
            .compile("org\\.(?:apache\\.felix\\.framework|eclipse\\.osgi)\\..*");
    private static final Pattern STEPS = Pattern.compile("(?:start|stop|shutdown)\\w*");
    private static final String COMMANDS = MainThread.class.getName();
    private static final int MOST_NAMED = 3;

    private final Map<String, StackTraceElement[]> stacks = new TreeMap<>();

    StuckThreads(Map<Thread, StackTraceElement[]> all) {
        all.forEach((thread, stack) -> stacks.put(thread.getName(), stack));
    }

    static StuckThreads now() {
        return new StuckThreads(Thread.getAllStackTraces());
    }

    /** A clause for people, which names threads and where they are; empty if none is known to be stuck. */
    String sentence() {
        List<String> named = stacks.entrySet().stream().filter(entry -> holdsUp(entry.getValue())).limit(MOST_NAMED)
                .map(entry -> "the thread '" + entry.getKey() + "' is in " + place(entry.getValue())).toList();
        return named.isEmpty() ? "" : ": " + String.join(", ", named);
    }

    /** The same threads with all of their stacks, for a log. */
    String stacks() {
        return stacks.entrySet().stream().filter(entry -> holdsUp(entry.getValue())).map(entry -> entry.getKey()
                + Arrays.stream(entry.getValue())
                .map(frame -> "\n    " + frame).collect(Collectors.joining())).collect(Collectors.joining("\n"));
    }

    private static boolean holdsUp(StackTraceElement[] stack) {
        Predicate<StackTraceElement> step = frame -> FRAMEWORK.matcher(frame.getClassName()).matches()
                && STEPS.matcher(frame.getMethodName()).matches();
        Predicate<StackTraceElement> command = frame -> frame.getClassName().equals(COMMANDS)
                && frame.getMethodName().equals("work");
        return Arrays.stream(stack).anyMatch(command) || Arrays.stream(stack).anyMatch(step)
                && Arrays.stream(stack).anyMatch(StuckThreads::isOfABundle);
    }

    private static boolean isOfABundle(StackTraceElement frame) {
        return !JAVA.matcher(frame.getClassName()).matches() && !FRAMEWORK.matcher(frame.getClassName()).matches()
                && !frame.getClassName().startsWith("aQute.");
    }

    /** Where its own code is, below what Java does for it. */
    private static String place(StackTraceElement[] stack) {
        return Arrays.stream(stack).filter(StuckThreads::isOfABundle).findFirst()
                .map(frame -> frame.getClassName() + "." + frame.getMethodName()).orElse("the framework");
    }
}
