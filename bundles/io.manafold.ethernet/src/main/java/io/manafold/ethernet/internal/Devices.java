package io.manafold.ethernet.internal;

import io.manafold.api.net.NetDevice;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** The devices of this driver by name: who finds a name, who finds a device, who is told. Any thread may call. */
final class Devices implements Directory {
    private static final int FIRST_INDEX = 2;

    /** Where a device is found. */
    record Place(String name, int index) {
    }

    /** Lets the world know of a device; what is answered takes it back. */
    interface Publisher extends Function<Device, Runnable> {
    }

    private final Predicate<String> elsewhere;
    private final Predicate<String> planned;
    private final Publisher publisher;
    private final Map<String, Place> places = new HashMap<>();
    private final Map<String, Runnable> published = new HashMap<>();
    private volatile Map<String, Redirects> reachable = Map.of();
    private volatile Runnable freed = () -> { };

    /**
     * @param elsewhere whether somebody else has a device of a name
     * @param planned whether a plan wants a name
     */
    Devices(Predicate<String> elsewhere, Predicate<String> planned, Publisher publisher) {
        this.elsewhere = elsewhere;
        this.planned = planned;
        this.publisher = publisher;
    }

    /**
     * Takes a name.
     *
     * @param wanted the name, if it is free; {@code null} for the first free one that no plan wants
     */
    synchronized Place take(String wanted) {
        String name = wanted != null && isFree(wanted) ? wanted : IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> "mana" + i).filter(one -> isFree(one) && !planned.test(one)).findFirst().orElseThrow();
        int index = IntStream.iterate(FIRST_INDEX, i -> i + 1)
                .filter(i -> places.values().stream().noneMatch(place -> place.index == i)).findFirst().orElseThrow();
        Place place = new Place(name, index);
        places.put(name, place);
        return place;
    }

    synchronized boolean isFree(String name) {
        return !places.containsKey(name) && !elsewhere.test(name);
    }

    void giveBack(String name) {
        synchronized (this) {
            places.remove(name);
        }
        freed.run();
    }

    /** Has somebody told, on any thread, when a name has become free. */
    void onFreed(Runnable told) {
        freed = told;
    }

    /** Offers a device to everybody. */
    void publish(Device device) {
        Runnable end = publisher.apply(device);
        synchronized (this) {
            published.put(device.name(), end);
            Map<String, Redirects> more = new HashMap<>(reachable);
            more.put(device.name(), device.life().agent().redirects());
            reachable = Map.copyOf(more);
        }
    }

    /** Takes the offer back; on return nobody is told of the device any more. */
    void withdraw(NetDevice device) {
        Runnable end;
        synchronized (this) {
            end = published.remove(device.name());
            Map<String, Redirects> fewer = new HashMap<>(reachable);
            fewer.remove(device.name());
            reachable = Map.copyOf(fewer);
        }
        if (end != null) {
            end.run();
        }
    }

    @Override
    public Redirects find(String device) {
        return reachable.get(device);
    }
}
