package io.manafold.doctor.internal.linux;

import io.manafold.api.doctor.Evidence;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds the lines by which poll-mode applications are started: one that was named, those that run, those of units. */
public final class Applications {
    /** The line that a user has named. */
    public static final String NAMED = "application";
    private static final String PROCESSES = "dpdk-processes";
    private static final List<String> UNITS = List.of("/etc/systemd/system", "/usr/lib/systemd/system",
            "/usr/local/lib/systemd/system");
    private static final List<String> SCRIPTS = List.of("/usr/local/bin", "/usr/local/sbin");
    private static final int LONGEST_SCRIPT = 1 << 16;
    private static final Pattern STARTS = Pattern.compile("\\s*+ExecStart=[-@:+!|]*+(.*)",
            Pattern.DOTALL);
    private static final Pattern POLL_MODE =
            Pattern.compile("dpdk|testpmd|l[23]fwd|net_vdev_netvsc|net_failsafe|net_mana|--vdev[= "
            + "]|--proc-type|--file-prefix");
    /** Programs that come with DPDK and take no port: they prepare what an application needs, or show something. */
    private static final Pattern TOOL = Pattern.compile("dpdk-(?:hugepages|devbind|setup"
            + "|telemetry(?:-client|-exporter)?|pmdinfo|cpulayout|rss-flows|cmdline-gen)(?:\\.(?:py|sh))?");
    private static final int MOST_UNITS = 2000;

    private Applications() {
    }

    public static List<Application> of(Evidence evidence) {
        List<Application> all = new ArrayList<>();
        evidence.answer(NAMED).ifPresent(text -> text.lines().limit(64).forEach(line ->
                Application.of(NAMED, line).ifPresent(all::add)));
        if (!all.isEmpty()) {
            return all;
        }
        evidence.answer(PROCESSES).ifPresent(text -> text.lines().limit(64).filter(line -> !isTool(line))
                .forEach(line -> Application.of(PROCESSES, line).ifPresent(all::add)));
        for (String folder : UNITS) {
            evidence.names(folder).stream().filter(name -> name.endsWith(".service")).limit(MOST_UNITS)
                    .forEach(name -> unit(evidence, folder + "/" + name, all));
        }
        for (String folder : SCRIPTS) {
            evidence.names(folder).stream().limit(MOST_UNITS)
                    .forEach(name -> script(evidence, folder + "/" + name, all));
        }
        return all;
    }

    /** Whether a line names poll mode in a command that is not one of the tools. */
    private static boolean polls(String line) {
        return Stream.of(line.split("[;&|]+")).anyMatch(command -> POLL_MODE.matcher(command).find()
                && !isTool(command));
    }

    /** Whether the first word of a command that names poll mode is a tool, an interpreter of it aside. */
    private static boolean isTool(String command) {
        return Stream.of(command.split("[\\s\"'`()]+")).filter(word -> POLL_MODE.matcher(word).find()).findFirst()
                .filter(word -> TOOL.matcher(word.substring(word.lastIndexOf('/') + 1)).matches()).isPresent();
    }

    /** A script of an administrator: lines of it that name poll mode. */
    private static void script(Evidence evidence, String path, List<Application> all) {
        String text = evidence.text(path).orElse("");
        if (text.startsWith("#!") && text.length() <= LONGEST_SCRIPT) {
            text.replace("\\\n", " ").lines().filter(line -> !line.strip().startsWith("#")
                    && polls(line) && line.contains(" -")).limit(16)
                    .forEach(line -> Application.of(path, line).ifPresent(all::add));
        }
    }

    private static void unit(Evidence evidence, String path, List<Application> all) {
        evidence.text(path).ifPresent(text -> text.replace("\\\n", " ").lines().forEach(line -> {
            Matcher starts = STARTS.matcher(line);
            if (starts.matches() && polls(starts.group(1))) {
                Application.of(path, starts.group(1)).ifPresent(all::add);
            }
        }));
    }
}
