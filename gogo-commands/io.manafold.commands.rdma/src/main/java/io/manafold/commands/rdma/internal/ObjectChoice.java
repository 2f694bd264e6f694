package io.manafold.commands.rdma.internal;

import io.manafold.api.rdma.RdmaDevice;
import io.manafold.shell.Fields;
import io.manafold.shell.Numbers;
import io.manafold.shell.UsageError;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which of the objects are shown: those of a device or of all, of a port or of all, and with values that were asked
 * for.
 *
 * @param device {@code null} for all
 * @param port 0 for all
 * @param filters by names of values
 */
record ObjectChoice(RdmaDevice device, int port, Map<String, String> filters) {
    /**
     * Reads {@code [dev|link] [DEV[/PORT]] [NAME VALUE ...]}.
     *
     * @param what is shown, for the sentence
     * @param names that there are values of
     */
    static ObjectChoice read(String what, List<String> words, Devices devices, List<String> names) {
        int at = 0;
        RdmaDevice device = null;
        int port = 0;
        boolean said = at < words.size() && (words.get(at).equals("dev") || words.get(at).equals("link"));
        at += said ? 1 : 0;
        if (at < words.size() && (said || !names.contains(words.get(at)))) {
            String[] parts = words.get(at++).split("/", 2);
            device = devices.device(parts[0]);
            port = parts.length == 1 || parts[1].equals("-") ? 0
                    : Numbers.whole("The port behind " + parts[0] + "/", parts[1], Words.FIRST_PORT, Words.MOST_PORTS);
            Words.port(device, port);
        }
        Map<String, String> filters = new TreeMap<>();
        while (at < words.size()) {
            String name = words.get(at++);
            if (!names.contains(name)) {
                throw new UsageError("'" + name + "' is one word too many for " + what + (names.isEmpty() ? "."
                        : "; values are chosen by " + String.join(", ", names) + "."));
            }
            if (at == words.size()) {
                throw new UsageError(what + " " + name + " needs to know the value.");
            }
            filters.put(name, words.get(at++));
        }
        return new ObjectChoice(device, port, filters);
    }

    List<RdmaDevice> of(Devices devices) {
        return device == null ? devices.all() : List.of(device);
    }

    boolean hasPort(int one) {
        return port == 0 || port == one;
    }

    /** Whether an object has the values that were asked for. */
    boolean fits(Fields object) {
        return filters.entrySet().stream().allMatch(filter -> filter.getValue().equalsIgnoreCase(
                String.valueOf(object.values().get(filter.getKey()))));
    }
}
