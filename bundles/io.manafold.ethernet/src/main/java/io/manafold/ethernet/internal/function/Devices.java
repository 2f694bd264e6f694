package io.manafold.ethernet.internal.function;

import io.manafold.api.net.NetDevice;
import io.manafold.ethernet.internal.port.EthernetDevice;
import io.manafold.ethernet.internal.user.Directory;
import io.manafold.ethernet.internal.user.Redirects;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** The network devices of this driver by name: gives names, finds devices, registers them. Any thread may call. */
final class Devices implements Directory {
    private static final int FIRST_INDEX = 2;

    /** Where a device is found. */
    record Place(String name, int index) {
    }

    private final ServiceGateway services;
    private final NamingOrder naming = new NamingOrder();
    private final Map<String, Place> places = new HashMap<>();
    private final Map<String, Runnable> published = new HashMap<>();
    private volatile Map<String, Redirects> reachable = Map.of();

    Devices(ServiceGateway services) {
        this.services = services;
    }

    /** Which function takes names before which. */
    NamingOrder naming() {
        return naming;
    }

    /**
     * Takes a name.
     *
     * @param wanted by a plan, or {@code null}
     * @param former what the port was called before, or {@code null}: its name unless a plan wants one
     * @param reserved names that it gets only if it had them before
     */
    synchronized Place take(String wanted, String former, Set<String> reserved) {
        String name = wanted != null && isFree(wanted) ? wanted
                : former != null && isFree(former) && !services.isPlanned(former) ? former : firstFree(reserved);
        int index = FIRST_INDEX;
        while (isIndexTaken(index)) {
            index++;
        }
        Place place = new Place(name, index);
        places.put(name, place);
        return place;
    }

    private String firstFree(Set<String> reserved) {
        int number = 0;
        while (true) {
            String name = "mana" + number++;
            if (isFree(name) && !services.isPlanned(name) && !reserved.contains(name)) {
                return name;
            }
        }
    }

    private boolean isIndexTaken(int index) {
        for (Place place : places.values()) {
            if (place.index == index) {
                return true;
            }
        }
        return services.hasIndex(index);
    }

    synchronized boolean isFree(String name) {
        return !places.containsKey(name) && !services.hasDevice(name);
    }

    void giveBack(String name) {
        synchronized (this) {
            places.remove(name);
        }
        services.nameIsFree();
    }

    /** Registers a device, so that any bundle finds it. */
    void publish(EthernetDevice device) {
        Runnable end = services.publish(device, device.shapers());
        synchronized (this) {
            published.put(device.name(), end);
            Map<String, Redirects> more = new HashMap<>(reachable);
            more.put(device.name(), device.life().agent().redirects());
            reachable = Map.copyOf(more);
        }
    }

    /** Takes the offer back; on return no other bundle is told of the device any more. */
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
