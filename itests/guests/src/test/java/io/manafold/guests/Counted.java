package io.manafold.guests;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * What a machine's kernel and our driver have counted of RDMA, as {@code rdma statistic} shows it, once nothing is
 * under way any more.
 */
record Counted(Map<String, Long> theirs, Map<String, Long> ours) {
    private static final int TRIES = 50;
    private static final String WORDS = "rdma statistic show link mana_0/1";
    private static final Pattern COUNTER = Pattern.compile("(?m)^\\s+([a-z_]+) (\\d+)\\s*$");

    static Counted settled(Guest machine, Platform platform) {
        Counted last = now(machine, platform);
        for (int i = 0; i < TRIES; i++) {
            Counted again = now(machine, platform);
            if (again.equals(last)) {
                return again;
            }
            last = again;
        }
        throw new AssertionError("counters do not come to rest: " + last);
    }

    private static Counted now(Guest machine, Platform platform) {
        return new Counted(counters(machine.run(WORDS)), counters(platform.run(WORDS)));
    }

    private static Map<String, Long> counters(Answer said) {
        Map<String, Long> counters = new TreeMap<>();
        COUNTER.matcher(said.done().output()).results()
                .forEach(line -> counters.put(line.group(1), Long.valueOf(line.group(2))));
        assertThat(counters).as(said.output()).containsKey("requester_timeout").hasSizeGreaterThan(30);
        return counters;
    }

    long moreThere(Counted before, String name) {
        return theirs.get(name) - before.theirs.get(name);
    }

    long moreHere(Counted before, String name) {
        return ours.get(name) - before.ours.get(name);
    }
}
