package io.manafold.commands.net.internal;

import io.manafold.commands.net.internal.MonitoredState.Change;
import io.manafold.commands.net.internal.MonitoredState.Entry;
import io.manafold.commands.net.internal.MonitoredState.Kind;
import io.manafold.shell.Call;
import io.manafold.shell.Fields;
import io.manafold.shell.UsageError;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * {@code ip monitor}: tells of links, addresses, neighbours and routes as they change, until it is interrupted or its
 * reader has gone. It compares what it sees with what it saw a moment before, so nothing on a data path knows of it.
 */
final class IpMonitor implements IpObject {
    private static final long GLANCE_MILLIS = 50;
    private static final DateTimeFormatter LINE = DateTimeFormatter.ofPattern(
            "'Timestamp:' EEE MMM dd HH:mm:ss yyyy SSSSSS 'usec'", Locale.ROOT);
    private static final DateTimeFormatter SHORT = DateTimeFormatter.ofPattern(
            "'['yyyy-MM-dd'T'HH:mm:ss.SSSSSS']' ", Locale.ROOT);

    private final Network network;

    IpMonitor(Network network) {
        this.network = network;
    }

    @Override
    public List<String> names() {
        return List.of("monitor");
    }

    /** What can be watched; with 'show', which is said when nothing is, it is all of it. */
    @Override
    public List<String> verbs() {
        return Stream.concat(Arrays.stream(Kind.values()).map(kind -> kind.word),
                Stream.of("all", "label", "dev")).toList();
    }

    @Override
    public List<String> keywords() {
        return verbs();
    }

    @Override
    public void run(Call call, IpOptions options, String verb, IpWords words) throws InterruptedException {
        Set<Kind> kinds = EnumSet.noneOf(Kind.class);
        boolean labels = false;
        String device = null;
        String word = verb;
        while (word != null) {
            switch (word) {
                case "show" -> { }
                case "all", "label" -> labels = true;
                case "dev" -> {
                    if (device != null) {
                        throw new UsageError("ip monitor watches one device, or all of them without dev.");
                    }
                    device = network.device(words.valueOf(word)).name();
                }
                default -> kinds.add(kind(word));
            }
            word = words.isEmpty() ? null : words.oneOf("object of ip monitor", verbs());
        }
        watch(call, options, kinds.isEmpty() ? EnumSet.allOf(Kind.class) : kinds, device, labels);
    }

    private static Kind kind(String word) {
        return Arrays.stream(Kind.values()).filter(one -> one.word.equals(word)).findFirst().orElseThrow();
    }

    private void watch(Call call, IpOptions options, Set<Kind> kinds, String device, boolean labels)
            throws InterruptedException {
        MonitoredState before = MonitoredState.of(network, options, kinds, device);
        while (!call.out().checkError()) {
            TimeUnit.MILLISECONDS.sleep(GLANCE_MILLIS);
            MonitoredState now = MonitoredState.of(network, options, kinds, device);
            now.tell(before, change -> print(call, options, labels, change));
            before = now;
        }
    }

    private static void print(Call call, IpOptions options, boolean labels, Change change) {
        LocalDateTime seen = LocalDateTime.now();
        Entry entry = change.entry();
        if (call.json()) {
            Fields fields = Fields.of("object", entry.kind().word);
            if (options.stamps() != IpOptions.Stamps.NONE) {
                fields.and("timestamp", seen.toString());
            }
            fields.and("deleted", change.deleted());
            entry.fields().get().values().forEach(fields::and);
            call.printLine(fields);
            return;
        }
        if (options.stamps() == IpOptions.Stamps.LINE) {
            call.out().println(LINE.format(seen));
        }
        String first = (options.stamps() == IpOptions.Stamps.SHORT ? SHORT.format(seen) : "")
                + (labels ? "[" + entry.kind().label + "]" : "") + (change.deleted() ? "Deleted " : "");
        List<String> lines = entry.lines();
        call.out().println(first + String.join(options.oneLine() ? "\\" : "\n", lines));
    }
}
