package io.manafold.ethernet.internal.function;

import io.manafold.api.device.AuxiliaryDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.Map;
import java.util.TreeMap;

/** The auxiliary devices of one function: what its driver offers to the drivers of its parts. Any thread may call. */
final class Parts {
    static final String ETHERNET = "mana.eth";
    static final String RDMA = "mana.rdma";

    private final String parent;
    private final Outside outside;
    private final Map<String, Part> offered = new TreeMap<>();

    Parts(String parent, Outside outside) {
        this.parent = parent;
        this.outside = outside;
    }

    /**
     * Offers a part.
     *
     * @param lent what its driver may borrow, by type
     */
    synchronized void offer(String name, Map<Class<?>, Object> lent) {
        if (!offered.containsKey(name)) {
            Part part = new Part(name, outside.freeNumber(name), parent, lent);
            part.offer = outside.publish(part);
            offered.put(name, part);
        }
    }

    /** Takes a part back; on return its driver is at work no more. */
    void withdraw(String name) {
        Part part;
        synchronized (this) {
            part = offered.remove(name);
        }
        if (part != null) {
            part.offer.run();
            part.stale = true;
        }
    }

    void withdraw() {
        withdraw(RDMA);
        withdraw(ETHERNET);
    }

    private static final class Part implements AuxiliaryDevice {
        private final String name;
        private final int number;
        private final String parent;
        private final Map<Class<?>, Object> lent;
        /** Takes it back. */
        private Runnable offer;
        private volatile boolean stale;

        Part(String name, int number, String parent, Map<Class<?>, Object> lent) {
            this.name = name;
            this.number = number;
            this.parent = parent;
            this.lent = Map.copyOf(lent);
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public int number() {
            return number;
        }

        @Override
        public String parent() {
            return parent;
        }

        @Override
        public <T> T lend(Class<T> type) {
            if (stale) {
                throw new Refusal(Errno.ENODEV, id() + " is no more: the driver of " + parent + " has left it.");
            }
            Object thing = lent.get(type);
            if (thing == null) {
                throw new Refusal(Errno.EOPNOTSUPP, id() + " lends no " + type.getSimpleName() + ".");
            }
            return type.cast(thing);
        }
    }
}
