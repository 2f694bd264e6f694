package io.manafold.api.adapter;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** How many objects of a kind a driver can have an adapter make: a limit that an administrator can lower. */
public enum ObjectLimit {
    /** Interrupts, the one of the hardware channel among them; a driver needs another one. */
    VECTORS(2, 65),
    EVENT_QUEUES(1, 1024),
    COMPLETION_QUEUES(1, 2048),
    SEND_QUEUES(1, 2048),
    RECEIVE_QUEUES(1, 2048),
    REGIONS(1, 1 << 17),
    /** Addresses of all regions' lists together. */
    REGION_PAGES(1, 1 << 22),
    /** The hardware channel has one of them, each device that a driver takes another. */
    PROTECTION_DOMAINS(1, 4096),
    MEMORY_KEYS(1, 65536),
    /** The least are those of the function and its devices, which no driver can give to its users. */
    DOORBELL_PAGES(16, 256),
    /** Of RDMA. */
    QUEUE_PAIRS(1, 4096);

    private final int least;
    private final int most;

    ObjectLimit(int least, int most) {
        this.least = least;
        this.most = most;
    }

    /** What it is called where limits are shown and set: {@code event_queues}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** What it can be lowered to. */
    public int least() {
        return least;
    }

    /** What it is unless an administrator lowers it. */
    public int most() {
        return most;
    }

    /** The one with a label. */
    public static Optional<ObjectLimit> of(String label) {
        return Arrays.stream(values()).filter(limit -> limit.label().equals(label)).findFirst();
    }

    /**
     * Reads what is lowered, each as {@code event_queues=8}.
     *
     * @throws IllegalArgumentException with a sentence
     */
    public static Map<ObjectLimit, Integer> parse(String... texts) {
        Map<ObjectLimit, Integer> lowered = new EnumMap<>(ObjectLimit.class);
        for (String text : texts) {
            String[] parts = text.split("=", 2);
            ObjectLimit limit = of(parts[0]).orElseThrow(() -> new IllegalArgumentException("'" + parts[0]
                    + "' is no limit that can be set; those are " + Arrays.stream(values()).map(ObjectLimit::label)
                            .collect(Collectors.joining(", "))));
            int value = parts.length == 2 && parts[1].matches("[0-9]{1,9}") ? Integer.parseInt(parts[1]) : -1;
            if (value < limit.least || value > limit.most) {
                throw new IllegalArgumentException(limit.label() + " is set to " + limit.least + " to " + limit.most
                        + ", as in " + limit.label() + "=" + limit.least + ", not by '" + text + "'");
            }
            if (lowered.put(limit, value) != null) {
                throw new IllegalArgumentException(limit.label() + " is set twice");
            }
        }
        return lowered;
    }
}
