package io.manafold.api.qualify;

import java.time.Duration;
import java.util.List;

/**
 * What to measure.
 *
 * @param engine what to measure with
 * @param from name of the device that sends, empty for the first
 * @param to name of the device that receives, empty for the next; of a guest its address
 * @param sizes of frames in bytes, their checksum included
 * @param bursts packets that go at once, and {@code queues} in each direction: what ports in poll mode are measured
 *        with, each with each; of no other engine
 * @param slice how long packets are sent for one trial
 * @param rounds how often all of it is measured; each gives every measure a slice
 * @param pings echo requests of a slice
 * @param guest name of the adapter that a virtual machine has, empty for other engines
 * @param servicing name of the adapter that is taken away and put back, empty for none
 * @param limit when no more rounds are begun; zero for no limit
 */
public record QualificationPlan(Engine engine, String from, String to, List<Integer> sizes, List<Integer> bursts,
        List<Integer> queues, Duration slice, int rounds, int pings, String guest, String servicing, Duration limit) {
    /** The sizes that are usual. */
    public static final List<Integer> SIZES = List.of(64, 128, 256, 512, 1024, 1280, 1518, 4096, 9018);
    /** Those that are usual where each is measured with several bursts and queues, or towards a guest. */
    public static final List<Integer> FEW_SIZES = List.of(64, 512, 1518);
    public static final List<Integer> BURSTS = List.of(1, 8, 32, 256);
    public static final List<Integer> QUEUES = List.of(1, 2);
    /** Of a frame with its checksum, as Ethernet has it. */
    public static final int LEAST_FRAME = 64;
    public static final int MOST_FRAME = 65_535;
    public static final int MOST_BURST = 512;
    public static final int MOST_QUEUES = 64;
    public static final int MOST_ROUNDS = 100;
    public static final int MOST_PINGS = 100_000;
    public static final Duration SHORTEST_SLICE = Duration.ofMillis(10);
    public static final Duration LONGEST_SLICE = Duration.ofMinutes(1);

    public QualificationPlan {
        sizes = List.copyOf(sizes);
        bursts = List.copyOf(bursts);
        queues = List.copyOf(queues);
    }

    /** One for network devices. */
    public QualificationPlan(String from, String to, List<Integer> sizes, Duration slice, int rounds, int pings,
            String servicing, Duration limit) {
        this(Engine.DRIVER, from, to, sizes, List.of(), List.of(), slice, rounds, pings, "", servicing, limit);
    }
}
