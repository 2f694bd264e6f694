package io.manafold.rdma.internal.device;

import io.manafold.api.device.Removal;
import io.manafold.api.rdma.DeviceAttributes;
import io.manafold.api.rdma.Gid;
import io.manafold.api.rdma.PortAttributes;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.driver.ClientSession;
import io.manafold.gdma.message.SetQpState;
import io.manafold.memory.MemoryBorrower;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the devices of all parts have: a name, ports, memory that the function reaches, and contexts of those who use
 * them.
 */
abstract class PartDevice implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PartDevice.class);
    /** Longer than a queue is made, which waits for a test event. */
    private static final long PATIENCE_MILLIS = 5_000;
    private static final int LARGEST_MTU = 4096;

    private final String part;
    private final String name;
    private final ClientSession client;
    private final LentBlocks blocks;
    private final List<Context<?, ?>> contexts = new CopyOnWriteArrayList<>();
    /** Read by those who make, change or end something, written by the end of the device. */
    private final ReentrantReadWriteLock life = new ReentrantReadWriteLock();
    private volatile boolean checksThreads;
    private volatile boolean gone;
    private volatile Removal departure;

    /**
     * Has nothing yet.
     *
     * @param part the id of the auxiliary device
     * @param name what the device is called
     */
    PartDevice(String part, String name, ClientSession client, MemoryBorrower memory) {
        this.part = part;
        this.name = name;
        this.client = client;
        blocks = new LentBlocks(memory);
    }

    // ---- what it is

    final String name() {
        return name;
    }

    final String part() {
        return part;
    }

    final String summary() {
        return "ports " + ports().size() + ", qp " + resources().get("qp");
    }

    abstract DeviceAttributes attributes();

    /** Of the function, in their order. */
    abstract List<Port> ports();

    /** The addresses of a port. */
    abstract List<Gid> gids(int port);

    /** How many addresses a port can have. */
    abstract int mostGids();

    final Port at(int number) {
        if (number < 1 || number > ports().size()) {
            throw new Refusal(Errno.EINVAL, name + " has the ports 1 to " + ports().size() + ", not " + number + ".");
        }
        return ports().get(number - 1);
    }

    final PortAttributes port(int number) {
        Port port = at(number);
        int active = SetQpState.mtuBytes(SetQpState.mtuCode(port.mtu()));
        return new PortAttributes(port.name(), port.isActive(), LARGEST_MTU, active, mostGids(), port.speed());
    }

    final SortedMap<String, Integer> resources() {
        SortedMap<String, Integer> count = new TreeMap<>(Map.of("pd", 0, "mr", 0, "cq", 0, "qp", 0));
        contexts.forEach(context -> context.made().count(count));
        return count;
    }

    /** What it has counted; its life is held meanwhile. */
    Map<String, Long> counters() {
        return Map.of();
    }

    /** From now on queues that are made find threads that take turns. */
    final void checkThreads() {
        checksThreads = true;
    }

    // ---- for its contexts

    final boolean checksThreads() {
        return checksThreads;
    }

    final ClientSession client() {
        return client;
    }

    final LentBlocks blocks() {
        return blocks;
    }

    /** Ends something, of which nothing more can be made if it does not end. */
    final void quietly(Runnable end) {
        try {
            end.run();
        } catch (Refusal refused) {
            LOG.warn("{}: {}", name, refused.getMessage());
        }
    }

    final boolean enter() {
        life.readLock().lock();
        if (gone) {
            life.readLock().unlock();
            return false;
        }
        return true;
    }

    final void leave() {
        life.readLock().unlock();
    }

    final boolean isGone() {
        return gone;
    }

    final Refusal gone() {
        return new Refusal(Errno.ENODEV, name + " has gone: its function has left its driver, is being reset, or was "
                + "taken away; it comes back as a new service.");
    }

    /** Says why it is about to go. */
    final void depart(Removal why) {
        departure = why;
    }

    final Removal departure() {
        return departure;
    }

    /** A context for one more bundle. */
    abstract Context<?, ?> open();

    final <C extends Context<?, ?>> C opened(C context) {
        contexts.add(context);
        return context;
    }

    /** A bundle has given its context back; once the device has gone, what is left of it goes with the device. */
    final void close(Context<?, ?> context) {
        if (context.release()) {
            contexts.remove(context);
        }
    }

    final List<Context<?, ?>> contexts() {
        return contexts;
    }

    /** From here on nothing is made any more. */
    final void end() {
        // a thread that makes or ends something may complete it, unless the device does not answer
        boolean alone = lockForEnd(life);
        gone = true;
        if (alone) {
            life.writeLock().unlock();
        } else {
            LOG.error("{}: what is being made or ended is not waited for any longer", name);
        }
    }

    /** Waits for threads that hold the lock, but not without end: one may wait for a device that never answers. */
    static boolean lockForEnd(ReentrantReadWriteLock lock) {
        try {
            return lock.writeLock().tryLock(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** All that is under way comes back flushed, and nothing of it is left when this returns. */
    @Override
    public abstract void close();
}
