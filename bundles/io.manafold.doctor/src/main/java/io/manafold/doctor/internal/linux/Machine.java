package io.manafold.doctor.internal.linux;

import io.manafold.api.doctor.Evidence;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Functions, interfaces and applications as evidence tells of them. */
public final class Machine {
    /** What the function of an adapter is known by. */
    public static final String VENDOR = "1414";
    private static final List<String> DEVICES = List.of("00ba", "00b9", "00c1");
    private static final int MOST_LINES = 4096;

    private final Evidence evidence;

    public Machine(Evidence evidence) {
        this.evidence = evidence;
    }

    public Evidence evidence() {
        return evidence;
    }

    /** A line of a name and {@code key=value} words. */
    public record Line(String source, String text, String name, Map<String, String> words) {
        public String get(String key) {
            return words.getOrDefault(key, "");
        }
    }

    /** The lines of an answer; empty if there is none. */
    public List<Line> lines(String answer) {
        List<Line> lines = new ArrayList<>();
        evidence.answer(answer).ifPresent(text -> text.lines().limit(MOST_LINES).forEach(line -> {
            String[] parts = line.strip().split("\\s+");
            if (!parts[0].isEmpty()) {
                Map<String, String> words = new LinkedHashMap<>();
                for (int i = 1; i < parts.length; i++) {
                    int equals = parts[i].indexOf('=');
                    if (equals > 0) {
                        words.put(parts[i].substring(0, equals), parts[i].substring(equals + 1));
                    }
                }
                lines.add(new Line(answer, line.strip(), parts[0], words));
            }
        }));
        return lines;
    }

    /** PCI functions of MANA. */
    public List<Line> functions() {
        return lines("functions").stream().filter(line -> line.get("vendor").equals(VENDOR)
                && DEVICES.contains(line.get("device")))
                .toList();
    }

    /** Network interfaces, all but lo. */
    public List<Interface> interfaces() {
        List<Interface> interfaces = lines("interfaces").stream().map(Interface::new).toList();
        interfaces.stream().filter(one -> !isPlatform() && !one.hasPossibleName()).findFirst().ifPresent(one -> {
            throw new Refusal(Errno.EINVAL, "The answer 'interfaces' names '" + one.name() + "', which is no name of a "
                    + "network interface of Linux: it has 1 to 15 characters, none of them '/' or ':'. The evidence is "
                    + "damaged; gather it anew with the script of 'doctor script'.");
        });
        return interfaces;
    }

    /** Interfaces of MANA's Ethernet driver. */
    public List<Interface> ports() {
        return interfaces().stream().filter(Interface::isPort).toList();
    }

    public Optional<Interface> named(String name) {
        return interfaces().stream().filter(one -> one.name().equals(name)).findFirst();
    }

    /** The virtual function below a synthetic device, which has its address. */
    public Optional<Interface> below(Interface master) {
        return ports().stream().filter(port -> port.master().equals(master.name())).findFirst();
    }

    /** All lines of the kernel's log. */
    public Stream<String> log() {
        return evidence.answer("dmesg").stream().flatMap(Texts::lines);
    }

    /** The first lines of the kernel's log that have one of the words. */
    public List<String> logged(String... words) {
        return logged(line -> List.of(words).stream().anyMatch(line::contains));
    }

    /** The first lines of the kernel's log that are wanted, however many others there are before them. */
    public List<String> logged(Predicate<String> wanted) {
        return log().filter(wanted).limit(20).toList();
    }

    public boolean runs() {
        return evidence.kind() != Evidence.Kind.IMAGE;
    }

    public boolean isPlatform() {
        return evidence.kind() == Evidence.Kind.PLATFORM;
    }
}
