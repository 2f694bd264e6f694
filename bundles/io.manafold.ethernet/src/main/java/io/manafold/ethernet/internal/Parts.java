package io.manafold.ethernet.internal;

import io.manafold.api.device.AuxiliaryDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** The auxiliary devices of one function: what its driver offers to the drivers of its parts. Any thread may call. */
final class Parts {
    static final String ETHERNET = "mana.eth";
    static final String RDMA = "mana.rdma";

    private final String parent;
    private final Function<AuxiliaryDevice, Runnable> publisher;
    private final Numbers numbers;
    private final Map<String, Runnable> offered = new TreeMap<>();

    /** Finds a number that no other part of a name has. */
    @FunctionalInterface
    interface Numbers {
        int free(String name);
    }

    Parts(String parent, Numbers numbers, Function<AuxiliaryDevice, Runnable> publisher) {
        this.parent = parent;
        this.numbers = numbers;
        this.publisher = publisher;
    }

    /**
     * Offers a part.
     *
     * @param lent what its driver may borrow, by type
     */
    synchronized void offer(String name, Map<Class<?>, Object> lent) {
        if (!offered.containsKey(name)) {
            Part part = new Part(name, numbers.free(name), parent, lent);
            Runnable end = publisher.apply(part);
            offered.put(name, () -> {
                end.run();
                part.stale = true;
            });
        }
    }

    /** Takes a part back; on return its driver is at work no more. */
    void withdraw(String name) {
        Runnable end;
        synchronized (this) {
            end = offered.remove(name);
        }
        if (end != null) {
            end.run();
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
