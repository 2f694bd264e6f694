package io.manafold.doctor.internal.linux;

import io.manafold.api.doctor.Evidence;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the lines by which poll-mode applications are started: one that was named, those that run, those of units. */
public final class Applications {
    /** The line that a user has named. */
    public static final String NAMED = "application";
    private static final String PROCESSES = "dpdk-processes";
    private static final List<String> UNITS = List.of("/etc/systemd/system", "/usr/lib/systemd/system",
            "/usr/local/lib/systemd/system");
    private static final List<String> SCRIPTS = List.of("/usr/local/bin", "/usr/local/sbin");
    private static final int LONGEST_SCRIPT = 1 << 16;
    private static final Pattern STARTS = Pattern.compile("\\s*ExecStart\\w*=[-@:+!|]*(.*)");
    private static final Pattern POLL_MODE =
            Pattern.compile("dpdk|testpmd|l[23]fwd|net_vdev_netvsc|net_failsafe|net_mana|--vdev[= "
            + "]|--proc-type|--file-prefix");
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
        evidence.answer(PROCESSES).ifPresent(text -> text.lines().limit(64).forEach(line ->
                Application.of(PROCESSES, line).ifPresent(all::add)));
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

    /** A script of an administrator: lines of it that name poll mode. */
    private static void script(Evidence evidence, String path, List<Application> all) {
        String text = evidence.text(path).orElse("");
        if (text.startsWith("#!") && text.length() <= LONGEST_SCRIPT) {
            text.replace("\\\n", " ").lines().filter(line -> !line.strip().startsWith("#")
                    && POLL_MODE.matcher(line).find() && line.contains(" -")).limit(16)
                    .forEach(line -> Application.of(path, line).ifPresent(all::add));
        }
    }

    private static void unit(Evidence evidence, String path, List<Application> all) {
        evidence.text(path).ifPresent(text -> text.replace("\\\n", " ").lines().forEach(line -> {
            Matcher starts = STARTS.matcher(line);
            if (starts.matches() && POLL_MODE.matcher(starts.group(1)).find()) {
                Application.of(path, starts.group(1)).ifPresent(all::add);
            }
        }));
    }
}
