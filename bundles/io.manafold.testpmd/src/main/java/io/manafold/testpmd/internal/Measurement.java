package io.manafold.testpmd.internal;

import io.manafold.api.ethdev.EthDev;
import io.manafold.api.ethdev.EthDevStatistics;
import io.manafold.api.refusal.Refusal;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * What options have measured besides what ports count: how long packets stay, and how many bits go in a second. Each
 * is measured while the core that its option names forwards. The caller holds the run's lock unless it is said
 * otherwise.
 */
final class Measurement {
    static final int NO_CORE = -1;

    private final Map<Integer, Latency> latencies = new TreeMap<>();
    private final Map<Integer, BitRates> rates = new TreeMap<>();
    private int latencyCore = NO_CORE;
    private int rateCore = NO_CORE;
    private boolean hasLatency;
    private boolean hasRates;

    /** @param latency the core of {@code --latencystats}, {@link #NO_CORE} without it; {@code rate} likewise */
    void of(int latency, int rate) {
        latencyCore = latency;
        rateCore = rate;
    }

    boolean wantsRates() {
        return rateCore != NO_CORE;
    }

    /** The cores that are named. */
    int[] cores() {
        return IntStream.of(latencyCore, rateCore).filter(core -> core != NO_CORE).toArray();
    }

    /** Packets are forwarded from now on, by cores, between ports. */
    void begin(Collection<Integer> cores, Collection<EthDev> ports) {
        hasLatency = cores.contains(latencyCore);
        hasRates = cores.contains(rateCore);
        if (hasRates) {
            long now = System.nanoTime();
            ports.forEach(port -> rates(port.number()).begin(port.statistics(), now));
        }
    }

    /** What is not measured although it was asked for. */
    String missing() {
        return missing("--latencystats", latencyCore, hasLatency) + missing("--bitrate-stats", rateCore, hasRates);
    }

    private static String missing(String option, int core, boolean measured) {
        return core == NO_CORE || measured ? "" : option + " measures nothing now: core " + core
                + ", which it names, forwards nothing. 'set corelist " + core + "' has it do so at the next start.\n";
    }

    /** What a lane to a port adds to; {@code null} if that is not measured. */
    Latency latency(int port) {
        return hasLatency ? latencies.computeIfAbsent(port, _ -> new Latency()) : null;
    }

    private BitRates rates(int port) {
        return rates.computeIfAbsent(port, _ -> new BitRates());
    }

    /**
     * What a port had counted at a time.
     *
     * @param statistics {@code null} if it did not say
     */
    record Seen(EthDev port, EthDevStatistics statistics, long nanos) {
    }

    /** Asks a port, which may be another process's and take its time: the caller holds no lock. */
    static Seen ask(EthDev port) {
        try {
            return new Seen(port, port.statistics(), System.nanoTime());
        } catch (Refusal gone) {
            return new Seen(port, null, System.nanoTime());
        }
    }

    /** A second has gone while packets were forwarded. */
    void look(Seen seen) {
        if (hasRates) {
            BitRates its = rates(seen.port.number());
            if (seen.statistics == null) {
                its.rest();
            } else {
                its.look(seen.statistics, seen.nanos);
            }
        }
    }

    /** Packets are forwarded no more. */
    void end() {
        rates.values().forEach(BitRates::rest);
    }

    /** What was measured of a port, by the names that users of poll-mode drivers know. */
    Map<String, Long> of(int port) {
        Map<String, Long> measured = new LinkedHashMap<>();
        if (rateCore != NO_CORE) {
            rates.getOrDefault(port, new BitRates()).putInto(measured);
        }
        if (latencyCore != NO_CORE) {
            latencies.getOrDefault(port, new Latency()).putInto(measured);
        }
        return measured;
    }

    /** A port counts anew. Lanes go on with what they have. */
    void clear(EthDev port) {
        Latency latency = latencies.get(port.number());
        if (latency != null) {
            latency.clear();
        }
        if (rates.containsKey(port.number())) {
            rates.put(port.number(), new BitRates());
            rates(port.number()).begin(port.statistics(), System.nanoTime());
        }
    }

    /** A port has gone. */
    void forget(int port) {
        latencies.remove(port);
        rates.remove(port);
    }
}
