package io.manafold.rdma.internal.device;

import io.manafold.agent.Agent;
import io.manafold.agent.Mistakes;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.EventEntry;
import io.manafold.gdma.Limits;
import io.manafold.gdma.driver.ClientSession;
import io.manafold.gdma.driver.EventHandler;
import io.manafold.gdma.driver.EventQueue;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The event queues of a device, one for failures and one for completions, and the agent that reads them after
 * interrupts.
 */
final class EventLines implements Agent.Work, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EventLines.class);
    private static final long PATIENCE_MILLIS = 4_000;
    private static final Duration END = Duration.ofSeconds(2);
    private static final int BUDGET = 256;

    private final ClientSession client;
    private final EventHandler handler;
    private final EventHandler events = this::event;
    private final Agent agent;
    private final Mistakes mistakes;
    private final int[] vectors;
    private final Runnable interrupt;
    private final CountDownLatch tests;
    private final List<EventQueue> queues;
    private volatile boolean signalled = true;
    private volatile boolean ended;

    /**
     * Opens them and has test events sent: interrupts work when this returns.
     *
     * @param first the first interrupt, counted from 0 without that of the channel, which is the channel's alone
     * @param count how many queues, each with the next interrupt as far as there are
     */
    EventLines(ClientSession client, String name, EventHandler handler, int first, int count) {
        this.client = client;
        this.handler = handler;
        int others = Math.max(1, client.function().pci().interrupts().count() - 1);
        vectors = IntStream.range(first, first + count).map(vector -> 1 + vector % others).toArray();
        tests = new CountDownLatch(vectors.length);
        mistakes = new Mistakes(mistake -> LOG.error("{}: an event failed; further failures of this kind are not "
                + "logged", name, mistake));
        agent = new Agent(name, this);
        interrupt = () -> {
            signalled = true;
            agent.wake();
        };
        for (int vector : vectors) {
            client.function().vectors().listen(vector, interrupt);
        }
        try {
            queues = client.createEventQueues(Limits.ETHERNET_EVENT_QUEUE, vectors);
        } catch (RuntimeException refused) {
            forget();
            throw refused;
        }
        agent.start();
        try {
            client.requestTestEvents(queues);
            awaitTests();
        } catch (RuntimeException refused) {
            close();
            destroy();
            throw refused;
        }
    }

    private void awaitTests() {
        try {
            if (!tests.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
                throw new Refusal(Errno.ETIMEDOUT, "The test events of " + client.device() + " did not come within "
                        + PATIENCE_MILLIS + " ms; interrupts of " + client.function().pci().id() + " do not work.");
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new Refusal(Errno.EINTR, "The wait for a test event was interrupted.");
        }
    }

    /** Where failures are told. */
    int failures() {
        return queues.getFirst().id();
    }

    /** Where completion queues tell that they have something. */
    int completions() {
        return queues.getLast().id();
    }

    @Override
    public int doWork() {
        if (!signalled || ended) {
            return 0;
        }
        // the flag goes first: an interrupt after this is seen by the next cycle
        signalled = false;
        int count = 0;
        // neither an iterator nor a handler is made for an interrupt
        for (int i = 0; i < queues.size(); i++) {
            EventQueue queue = queues.get(i);
            int some = queue.poll(events, BUDGET);
            if (some == BUDGET) {
                signalled = true;
            }
            queue.arm();
            count += some;
        }
        return count;
    }

    private void event(int type, int data) {
        if (type == EventEntry.TEST) {
            tests.countDown();
        } else {
            handler.event(type, data);
        }
    }

    /** Whether the device wrote over events before they were read. */
    boolean isOverrun() {
        return queues.stream().anyMatch(EventQueue::isOverrun);
    }

    @Override
    public void failed(Throwable mistake) {
        mistakes.log(mistake);
    }

    private void forget() {
        for (int vector : vectors) {
            client.function().vectors().forget(vector, interrupt);
        }
    }

    /** Reads no more. */
    @Override
    public void close() {
        ended = true;
        forget();
        agent.end(() -> { });
        if (!agent.isCurrent() && !agent.join(END)) {
            LOG.error("{} did not end within {} s", agent.name(), END.toSeconds());
        }
    }

    /** Has the device forget them, whatever it says. */
    void destroy() {
        client.destroyEventQueues(queues);
    }
}
