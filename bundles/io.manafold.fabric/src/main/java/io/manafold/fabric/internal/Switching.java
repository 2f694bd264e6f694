package io.manafold.fabric.internal;

import io.manafold.api.fabric.Frames;
import io.manafold.api.net.MacAddress;
import io.manafold.packet.PauseFrame;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * A learning switch. Frames for a station that was heard go to its jack, all others to every jack but the sender's,
 * each once. Neighbouring frames with the same way are passed on together. Pause frames of ports go nowhere.
 */
final class Switching implements Forwarding {
    static final int LIFETIME_SECONDS = 300;
    private static final int HEADER = 14;
    private static final int EVERYWHERE = -1;
    private static final int NOWHERE = -2;
    private static final long SECOND = 1_000_000_000L;
    private static final long GROUP = 1L << 40;

    private final Jack[] jacks;
    private final Delivery delivery;
    private final Counters counters;
    private final LongSupplier nanoTime;
    private final Stations stations;
    private final FrameAddresses heading = new FrameAddresses();
    private final long[] lastSource;
    private final int[] lastTick;
    private final int[] lastChanges;

    Switching(Jack[] jacks, Delivery delivery, Counters counters, LongSupplier nanoTime) {
        this.jacks = jacks;
        this.delivery = delivery;
        this.counters = counters;
        this.nanoTime = nanoTime;
        stations = new Stations(jacks.length, LIFETIME_SECONDS);
        lastSource = new long[jacks.length];
        lastTick = new int[jacks.length];
        lastChanges = new int[jacks.length];
    }

    @Override
    public void forward(Jack from, Frames frames, int begin, int end) {
        int tick = tick();
        int start = begin;
        int way = NOWHERE;
        for (int frame = begin; frame < end; frame++) {
            if (way != NOWHERE && frames.repeats(frame)) {
                continue;
            }
            int next = way(from, frames, frame, tick, way);
            if (next != way) {
                pass(from, way, frames, start, frame);
                start = frame;
                way = next;
            }
        }
        pass(from, way, frames, start, end);
    }

    /** @param before the way of the frame before it */
    private int way(Jack from, Frames frames, int frame, int tick, int before) {
        if (frames.length(frame) < HEADER) {
            counters.runts.add(1);
            return NOWHERE;
        }
        try {
            if (!heading.read(frames, frame) && before != NOWHERE) {
                return before;
            }
        } catch (InternalError gone) {
            counters.vanished.add(1);
            return NOWHERE;
        }
        long source = heading.source();
        if ((source & GROUP) == 0 && source != 0 && from.isPlugged()) {
            hear(from, source, tick);
        }
        long destination = heading.destination();
        if ((destination & GROUP) != 0) {
            if (destination == PauseFrame.DESTINATION) {
                counters.filtered.add(1);
                return NOWHERE;
            }
            return EVERYWHERE;
        }
        int place = stations.find(destination, tick);
        if (place == from.place) {
            counters.filtered.add(1);
            return NOWHERE;
        }
        return place == Stations.NOWHERE ? EVERYWHERE : place;
    }

    private void hear(Jack from, long source, int tick) {
        int place = from.place;
        if (lastSource[place] != source || lastTick[place] != tick || lastChanges[place] != stations.changes()) {
            stations.learn(source, place, tick);
            lastSource[place] = source;
            lastTick[place] = tick;
            lastChanges[place] = stations.changes();
        }
    }

    private void pass(Jack from, int way, Frames frames, int begin, int end) {
        if (begin == end || way == NOWHERE) {
            return;
        }
        if (way != EVERYWHERE) {
            delivery.deliver(from, jacks[way], frames, begin, end);
            return;
        }
        counters.flooded.add(end - begin);
        for (Jack jack : jacks) {
            if (jack != from && jack.isPlugged()) {
                delivery.deliver(from, jack, frames, begin, end);
            }
        }
    }

    @Override
    public void forget(Jack jack) {
        stations.forget(jack.place);
        lastSource[jack.place] = 0;
    }

    @Override
    public Map<String, String> stations() {
        Map<String, String> named = new LinkedHashMap<>();
        stations.list(tick()).forEach((address, place) -> named.put(new MacAddress(address).toString(),
                jacks[place].name));
        return named;
    }

    long moved() {
        return stations.moved();
    }

    long unlearned() {
        return stations.refused();
    }

    private int tick() {
        return (int) (nanoTime.getAsLong() / SECOND);
    }
}
