package io.manafold.doctor.internal.linux;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * The line that starts a poll-mode application: what comes before {@code --} is for its environment, the rest for
 * itself.
 *
 * @param source where the line is from
 */
public record Application(String source, String text, String program, List<String> environment, List<String> own) {
    private static final int LONGEST = 8192;
    private static final Pattern ADDRESS = Pattern
            .compile("(?i)(?:pci:)?(?:[0-9a-f]{4,8}:)?[0-9a-f]{2}:[0-9a-f]{2}\\.[0-7](?:,.*)?");
    private static final List<String> WRAPPERS = List.of("sudo", "env", "nice", "exec", "taskset", "numactl", "stdbuf");
    private static final List<String> ALLOW = List.of("-a", "--allow");
    private static final String DEVICE = "--vdev";

    /** A device that the environment is told to take, and the addresses of its ports. */
    public record Device(String address, List<String> macs, String text) {
    }

    /** Reads a line; empty if it has no words. */
    public static Optional<Application> of(String source, String line) {
        String text = line.strip();
        if (text.isEmpty() || text.length() > LONGEST) {
            return Optional.empty();
        }
        List<String> words = split(text);
        int first = 0;
        while (first < words.size() && !words.get(first).startsWith("-")) {
            first++;
        }
        String program = words.subList(0, first).stream().map(word -> word.substring(word.lastIndexOf('/') + 1))
                .filter(word -> !WRAPPERS.contains(word)).findFirst().orElse("");
        int end = words.indexOf("--");
        List<String> environment = words.subList(first, end < 0 ? words.size() : Math.max(first, end));
        List<String> own = end < 0 ? List.of() : words.subList(end + 1, words.size());
        return Optional.of(new Application(source, text, program, List.copyOf(environment), List.copyOf(own)));
    }

    private static List<String> split(String text) {
        List<String> words = new ArrayList<>();
        StringBuilder word = null;
        char quote = 0;
        for (char c : text.toCharArray()) {
            if (quote != 0) {
                if (c == quote) {
                    quote = 0;
                } else {
                    word.append(c);
                }
            } else if (Character.isWhitespace(c)) {
                if (word != null) {
                    words.add(word.toString());
                    word = null;
                }
            } else {
                word = word == null ? new StringBuilder() : word;
                if (c == '"' || c == '\'') {
                    quote = c;
                } else {
                    word.append(c);
                }
            }
        }
        if (word != null) {
            words.add(word.toString());
        }
        return words;
    }

    /** All values of an option, be they its next words or behind an equals sign. */
    private static List<String> values(List<String> words, String... names) {
        List<String> values = new ArrayList<>();
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            for (String name : names) {
                if (word.equals(name) && i + 1 < words.size()) {
                    values.add(words.get(i + 1));
                } else if (word.startsWith(name + "=")) {
                    values.add(word.substring(name.length() + 1));
                } else if (name.length() == 2 && word.startsWith(name) && word.length() > 2) {
                    values.add(word.substring(2));
                }
            }
        }
        return values;
    }

    public boolean hasEnvironment(String... names) {
        return environment.stream().anyMatch(word -> List.of(names).contains(word.replaceFirst("=.*", "")));
    }

    public boolean hasOwn(String... names) {
        return own.stream().anyMatch(word -> List.of(names).contains(word.replaceFirst("=.*", "")));
    }

    public Optional<String> environmentValue(String... names) {
        return values(environment, names).stream().reduce((_, last) -> last);
    }

    /** A whole number among its own options. */
    public OptionalInt number(String... names) {
        List<String> values = values(own, names);
        try {
            return values.isEmpty() ? OptionalInt.empty()
                    : OptionalInt.of(Integer.decode(values.getLast().split(",", 2)[0]));
        } catch (NumberFormatException e) {
            return OptionalInt.empty();
        }
    }

    /** Functions that it is told to take; none means all there are. */
    public List<Device> devices() {
        List<String> texts = new ArrayList<>(values(environment, ALLOW.toArray(String[]::new)));
        values(environment, DEVICE).stream().filter(value -> ADDRESS.matcher(value).matches()).forEach(texts::add);
        List<Device> devices = new ArrayList<>();
        for (String text : texts) {
            String[] parts = text.split(",", -1);
            List<String> macs = new ArrayList<>();
            for (int i = 1; i < parts.length; i++) {
                if (parts[i].startsWith("mac=")) {
                    macs.add(parts[i].substring(4).toLowerCase(Locale.ROOT));
                }
            }
            String address = parts[0].toLowerCase(Locale.ROOT).replaceFirst("^pci:", "");
            devices.add(new Device(address.matches("..:..\\..") ? "0000:" + address : address,
                    List.copyOf(macs), text));
        }
        return devices;
    }

    /** Devices that are made by a driver's name: {@code net_vdev_netvsc0}. */
    public List<String> made() {
        return values(environment, DEVICE).stream().filter(value -> !ADDRESS.matcher(value).matches()).toList();
    }

    /** Whether it may take the port, as far as its words say. */
    public boolean takes(Interface port) {
        if (hasEnvironment("--no-pci")) {
            return false;
        }
        List<Device> devices = devices();
        return devices.isEmpty() || devices.stream().anyMatch(device ->
                (port.device().isEmpty() || device.address.equals(port.device()))
                        && (device.macs.isEmpty() || device.macs.contains(port.mac())));
    }

    /** How many cores it names; empty if it leaves that to the environment. */
    public OptionalInt cores() {
        Optional<String> list = environmentValue("-l", "--lcores");
        if (list.isEmpty()) {
            return OptionalInt.empty();
        }
        int cores = 0;
        try {
            for (String part : list.get().replaceAll("@\\(?[^,)]*\\)?|[()]", "").split(",")) {
                String[] ends = part.split("-");
                cores += ends.length == 2 ? Math.max(0, Integer.parseInt(ends[1]) - Integer.parseInt(ends[0]) + 1) : 1;
            }
        } catch (NumberFormatException e) {
            return OptionalInt.empty();
        }
        return OptionalInt.of(cores);
    }
}
