package io.manafold.ethernet.internal.queue;

import io.manafold.agent.Agent;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.EventEntry;
import io.manafold.gdma.Limits;
import io.manafold.gdma.driver.ClientSession;
import io.manafold.gdma.driver.EventHandler;
import io.manafold.gdma.driver.EventQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** An event queue with its interrupt, which wakes the agent that reads the queue. */
final class EventLine implements EventHandler, Runnable {
    private static final long PATIENCE_MILLIS = 10_000;
    private static final int BUDGET = 256;

    private final ClientSession client;
    private final int vector;
    private EventQueue queue;
    private final Semaphore signals = new Semaphore(0);
    private volatile boolean signalled;
    /** The agent that polls, {@code null} until it is in use. */
    private volatile Agent reader;
    private boolean tested;
    private boolean armed;

    private EventLine(ClientSession client, int vector) {
        this.client = client;
        this.vector = vector;
        client.function().vectors().listen(vector, this);
    }

    /** Opens one for each vector and has test events sent: interrupts work when this returns. */
    static List<EventLine> open(ClientSession client, int... vectors) {
        List<EventLine> lines = new ArrayList<>();
        try {
            for (int vector : vectors) {
                lines.add(new EventLine(client, vector));
            }
            List<EventQueue> queues = client.createEventQueues(Limits.ETHERNET_EVENT_QUEUE, vectors);
            for (int i = 0; i < vectors.length; i++) {
                lines.get(i).queue = queues.get(i);
                // a new queue is armed from the start
                lines.get(i).armed = true;
            }
            client.requestTestEvents(queues);
            for (EventLine line : lines) {
                line.awaitTest();
            }
            return lines;
        } catch (RuntimeException refused) {
            destroy(client, lines);
            throw refused;
        }
    }

    /** Ends them, whatever the device says; the driver polls no more. */
    static void destroy(ClientSession client, List<EventLine> lines) {
        List<EventQueue> queues = new ArrayList<>();
        for (EventLine line : lines) {
            client.function().vectors().forget(line.vector, line);
            if (line.queue != null) {
                queues.add(line.queue);
            }
        }
        client.destroyEventQueues(queues);
    }

    /** The interrupt. */
    @Override
    public void run() {
        signalled = true;
        Agent now = reader;
        if (now == null) {
            signals.release();
        } else {
            now.wake();
        }
    }

    int id() {
        return queue.id();
    }

    int vector() {
        return vector;
    }

    /** The agent that is woken from now on. */
    void wakes(Agent agent) {
        reader = agent;
        if (signalled) {
            agent.wake();
        }
    }

    /** Hands over what has come. One thread at a time. Returns how many events there were. */
    int poll(EventHandler handler) {
        // no interrupt comes while none is asked for: a thread that never rests finds events by looking
        if (!signalled && armed) {
            return 0;
        }
        // the flag goes first: an interrupt after this is seen by the next poll
        signalled = false;
        int count = queue.poll(handler, BUDGET);
        if (count > 0) {
            armed = false;
        }
        if (count == BUDGET) {
            signalled = true;
        }
        return count;
    }

    boolean isOverrun() {
        return queue.isOverrun();
    }

    /** Asks for the next interrupt, unless it is asked for already. */
    void arm() {
        if (!armed) {
            armed = true;
            queue.arm();
        }
    }

    private void awaitTest() {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
        while (!tested) {
            try {
                if (!signals.tryAcquire(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                    throw new Refusal(Errno.ETIMEDOUT, "The test event for vector " + vector + " did not come within "
                            + PATIENCE_MILLIS + " ms; interrupts of " + client.function().pci().id() + " do not work.");
                }
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                throw new Refusal(Errno.EINTR, "The wait for a test event was interrupted.");
            }
            poll(this);
            arm();
        }
    }

    /** An event before the agent polls. */
    @Override
    public void event(int type, int data) {
        tested |= type == EventEntry.TEST;
    }
}
