package io.manafold.rdma.internal.device;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What devices are called: with the number of their first port's network device, {@code mana_0} of {@code mana0},
 * whichever function comes first. Where that has another name, or the number is taken, the first free one.
 */
final class Names {
    private static final Pattern NUMBERED = Pattern.compile("mana(\\d{1,6})");

    private final Set<String> taken = new HashSet<>();

    /** @param prefix that a number follows */
    synchronized String take(String prefix, List<Port> ports) {
        Matcher numbered = NUMBERED.matcher(ports.isEmpty() ? "" : ports.getFirst().name());
        if (numbered.matches() && taken.add(prefix + Integer.parseInt(numbered.group(1)))) {
            return prefix + Integer.parseInt(numbered.group(1));
        }
        int number = 0;
        while (!taken.add(prefix + number)) {
            number++;
        }
        return prefix + number;
    }

    synchronized void giveBack(String name) {
        taken.remove(name);
    }
}
