package io.manafold.doctor.internal.checks;

import io.manafold.api.doctor.Check;
import io.manafold.api.doctor.Finding;
import io.manafold.doctor.internal.linux.Machine;
import io.manafold.doctor.internal.linux.Shell;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.osgi.service.component.annotations.Component;

/** Did driver and adapter agree on how to speak? */
@Component(service = Check.class)
public final class HandshakeCheck extends MachineCheck {
    public HandshakeCheck() {
        super(3, "hardware channel", List.of("1"), """
                Looks in the kernel's log (here: at what the driver and the adapter have kept) for a probe that failed: an answer with
                status 0xc00000bb and errno -71 means that the firmware does not know a message of the driver; -110 that it did not
                answer in time.
                """);
    }

    private static final List<String> REFUSED = List.of("0xc00000bb", "error -71", "failed with error -71", "ret=-71",
            "err=-71");
    private static final List<String> SILENT = List.of("error -110", "HWC: Request timed out", "timed out: -110",
            "failed: -110");
    private static final List<String> LOST = List.of("probe failed", "probe of", "probe with driver mana failed");

    /** Whether the kernel, or this platform, has kept that a driver was there and could not use the function. */
    static boolean triedAndFailed(Machine machine, Machine.Line function) {
        return failures(machine, function).stream().anyMatch(line -> line.contains("prob"))
                || machine.lines("adapter-state").stream().anyMatch(line -> line.get("state").equals("failed"));
    }

    /** What tells of a function's failure: a line that names it, or none of those there are. */
    private static List<String> failures(Machine machine, Machine.Line function) {
        Predicate<String> about = about(machine, function);
        return machine.logged(line -> line.contains("mana") && about.test(line)
                && LOST.stream().anyMatch(line::contains));
    }

    /** Lines that name a function, or none of those there are. */
    private static Predicate<String> about(Machine machine, Machine.Line function) {
        List<String> others = machine.functions().stream().map(Machine.Line::name)
                .filter(name -> !name.equals(function.name())).toList();
        return line -> line.contains(function.name()) || others.stream().noneMatch(line::contains);
    }

    /** Whether the driver has said one of some words of a function; other drivers' devices fail with -71 as well. */
    private static boolean hasSaid(Machine machine, Predicate<String> about, List<String> words) {
        return !machine.logged(line -> isOfDriver(line) && about.test(line)
                && words.stream().anyMatch(line::contains)).isEmpty();
    }

    private static boolean isOfDriver(String line) {
        return line.contains("mana") || line.contains("HWC");
    }

    @Override
    Finding examine(Machine machine) {
        if (!machine.runs()) {
            return IMAGE;
        }
        for (Machine.Line state : machine.lines("adapter-state")) {
            if (state.get("state").equals("failed")) {
                Finding failed = Finding.fail("the driver and the adapter " + state.name() + " did not come to terms")
                        .line(state.source(), state.text());
                return withLog(machine, _ -> true, told(machine, failed))
                        .mend("fault clear " + Shell.word(state.name()),
                        "# then let the driver try again: bind ADDRESS");
            }
        }
        List<Machine.Line> undriven = machine.functions().stream().filter(one -> one.get("driver").isEmpty()).toList();
        Optional<Machine.Line> lost = undriven.stream().filter(one -> !failures(machine, one).isEmpty()).findFirst();
        if (lost.isEmpty() && undriven.size() < machine.functions().size()) {
            List<Machine.Line> refusals = machine.lines("rejections");
            Finding speaks = refusals.isEmpty() ? Finding.ok("the driver speaks to the adapter")
                    : Finding.warn("the adapter has refused what its driver asked")
                    .mend("# adapter show NAME --errors tells each of them");
            speaks = told(machine, speaks);
            for (Machine.Line line : refusals.stream().limit(10).toList()) {
                speaks = speaks.line(line.source(), line.text());
            }
            return speaks;
        }
        if (lost.isEmpty()) {
            return !machine.isPlatform() && machine.evidence().answer("dmesg").isEmpty()
                    ? Finding.skipped("the kernel's log is not in the evidence; it takes root")
                    : Finding.skipped("no driver has spoken to the adapter");
        }
        Predicate<String> about = about(machine, lost.get());
        Finding failed = Finding.fail(hasSaid(machine, about, REFUSED) ? "the adapter does not know what the driver "
                + "asks (-71): one is too old for the other"
                : hasSaid(machine, about, SILENT) ? "the adapter did not answer the driver in time (-110)"
                : "the driver gave the function up");
        return withLog(machine, about, failed).search("mana probe failed -71 0xc00000bb", "HWC: Request timed out -110")
                .mend(mends(machine, lost.get().name()));
    }

    /** What the driver has told an adapter in its handshake. */
    private static Finding told(Machine machine, Finding finding) {
        Finding all = finding;
        for (Machine.Line line : machine.lines("handshake")) {
            all = all.line(line.source(), line.text());
        }
        return all;
    }

    private static String[] mends(Machine machine, String function) {
        if (!machine.isPlatform()) {
            return new String[] {"uname -r",
                "# take the newest kernel of the distribution and start again; if it stays so, the host is to be "
                + "changed"};
        }
        String address = Shell.word(function);
        return machine.lines("adapters").stream().filter(adapter -> adapter.get("address").equals(function)).findFirst()
                .map(adapter -> new String[] {"fault clear " + Shell.word(adapter.name()),
                    "bind " + address})
                .orElse(new String[] {"bind " + address});
    }

    private static Finding withLog(Machine machine, Predicate<String> about, Finding finding) {
        Finding all = finding;
        for (String line : machine.logged(line -> isOfDriver(line) && about.test(line)).stream().limit(6).toList()) {
            all = all.line("dmesg", line);
        }
        return all;
    }
}
