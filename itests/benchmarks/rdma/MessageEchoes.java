package io.manafold.benchmark;

/** Messages that go to the other end and come back, one after the other. Quoted is the half of the median. */
abstract class MessageEchoes implements Pairs.Ours {
    final HalfTrips trips = new HalfTrips();
    /** In all runs. */
    long messages;

    /** Messages, two for each echo. */
    @Override
    public final long packets() {
        return 2L * trips.count();
    }

    /** As if each had taken as long as the median. */
    @Override
    public final long wallNanos() {
        return Math.round(trips.median() * packets());
    }

    @Override
    public final long cpuNanos() {
        return wallNanos();
    }
}
