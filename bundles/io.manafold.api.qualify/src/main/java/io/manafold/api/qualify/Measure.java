package io.manafold.api.qualify;

import java.util.List;

/**
 * A quantity that was measured once in every round.
 *
 * @param name {@code rate}, {@code ping-idle-p99}
 * @param engine what it was measured with
 * @param frame bytes of the frames it was measured with, their checksum included; 0 if that is not its subject
 * @param burst how many packets went at once at most; 0 if that is not its subject
 * @param queues in each direction; 0 if that is not its subject
 * @param slices one or more
 */
public record Measure(String name, Engine engine, int frame, int burst, int queues, Unit unit, List<Slice> slices) {
    /** Bytes that a frame takes on the wire beside its own: preamble and the gap behind it. */
    private static final int AROUND = 20;
    private static final double LINE_RATE = 200e9;

    public Measure {
        slices = List.copyOf(slices);
    }

    /** One of network devices. */
    public Measure(String name, int frame, Unit unit, List<Slice> slices) {
        this(name, Engine.DRIVER, frame, 0, 0, unit, slices);
    }

    public Measure withSlices(List<Slice> others) {
        return new Measure(name, engine, frame, burst, queues, unit, others);
    }

    /** What tells it from all others of a report: {@code rate-64}, {@code pmd-rate-64-b32-q1}. */
    public String key() {
        return engine.prefix() + name + (frame == 0 ? "" : "-" + frame) + (burst == 0 ? "" : "-b" + burst)
                + (queues == 0 ? "" : "-q" + queues);
    }

    public Quartiles quartiles() {
        return Quartiles.of(slices.stream().mapToDouble(Slice::value).toArray());
    }

    public long disturbed() {
        return slices.stream().filter(Slice::isDisturbed).count();
    }

    /** Packets in a second, or bits, that 200 Gbit/s are; 0 for what is no rate. */
    public double needed() {
        return switch (unit) {
            case PACKETS_PER_SECOND -> frame == 0 ? 0 : LINE_RATE / ((frame + AROUND) * 8.0);
            case BITS_PER_SECOND -> LINE_RATE;
            case SECONDS, PERCENT, BYTES_PER_PACKET -> 0;
        };
    }

    /** How many cores like those that were busy would be needed for that; 0 if that cannot be said. */
    public double coresNeeded() {
        double value = quartiles().median();
        double cores = Quartiles.of(slices.stream().mapToDouble(Slice::cores).toArray()).median();
        return value <= 0 || cores <= 0 ? 0 : needed() / value * cores;
    }
}
