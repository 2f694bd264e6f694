package io.manafold.testkit;

import io.manafold.api.net.MacAddress;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.EventEntry;
import io.manafold.gdma.Limits;
import io.manafold.gdma.driver.EthernetSession;
import io.manafold.gdma.driver.EventHandler;
import io.manafold.gdma.driver.EventQueue;
import io.manafold.gdma.message.ConfigureVportRx;
import io.manafold.gdma.message.ConfigureVportTx;
import io.manafold.gdma.message.FenceRq;
import io.manafold.gdma.message.QueryVportConfig;
import io.manafold.memory.DmaArena;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * A vPort that is up. It has no thread: who uses it polls, and may wait for an interrupt in between. Packets that come
 * while a fence is waited for go to the handler too.
 *
 * <pre>{@code
 * try (PortSession port = new PortSession(session, 0, PortSettings.small(1), handler)) {
 *     port.send(0).send(frame, frame.length);
 *     port.send(0).ring();
 *     while (port.send(0).outstanding() > 0) {
 *         if (port.poll() == 0) {
 *             port.await(1000);
 *         }
 *     }
 * }
 * }</pre>
 */
public final class PortSession implements AutoCloseable {
    private static final long FENCE_MILLIS = 10_000;

    private final EthernetSession session;
    private final QueryVportConfig.Result vport;
    private final PortSettings settings;
    private final PacketHandler handler;
    private final EventHandler eventHandler = this::event;
    private final Semaphore interrupts = new Semaphore(0);
    private final Runnable signal = interrupts::release;
    private final List<EventQueue> events = new ArrayList<>();
    private final List<Integer> vectors = new ArrayList<>();
    private final List<SendQueue> sends = new ArrayList<>();
    private final List<ReceiveQueue> receives = new ArrayList<>();
    private int tests;
    private long completionEvents;

    /**
     * Opens, as the Linux driver does.
     *
     * @param index of the vPort, from 0
     * @throws Refusal what the device or the memory refuse; the port is closed again then
     */
    public PortSession(EthernetSession session, int index, PortSettings settings, PacketHandler handler) {
        this.session = session;
        this.settings = settings;
        this.handler = handler;
        vport = session.call(new QueryVportConfig(index));
        try {
            int offset = session.call(new ConfigureVportTx(vport.vport(), session.client().rights().protectionDomain(),
                    session.client().rights().page().number())).offset();
            openEvents(index * settings.queues());
            openQueues(offset);
            steer(true);
        } catch (RuntimeException refused) {
            release();
            throw refused;
        }
    }

    /** Ports of a function share its vectors only when there are too few. */
    private void openEvents(int before) {
        int usable = Math.min(session.function().pci().interrupts().count(), session.function().resources().vectors());
        for (int i = 0; i < settings.queues(); i++) {
            int vector = usable < 2 ? 0 : 1 + (before + i) % (usable - 1);
            if (!vectors.contains(vector)) {
                session.function().vectors().listen(vector, signal);
                vectors.add(vector);
            }
            EventQueue queue = session.client().createEventQueue(Limits.ETHERNET_EVENT_QUEUE, vector);
            events.add(queue);
            test(queue);
        }
    }

    private void test(EventQueue queue) {
        int before = tests;
        session.client().requestTestEvents(List.of(queue));
        awaitUntil(() -> tests != before, "test event", session.function().channel().timeoutMillis());
    }

    private void openQueues(int vportOffset) {
        for (int i = 0; i < settings.queues(); i++) {
            sends.add(SendQueue.open(session.client(), vport.vport(), settings, events.get(i).id(), vportOffset));
            sends.getLast().arm();
        }
        for (int i = 0; i < settings.queues(); i++) {
            receives.add(ReceiveQueue.open(session.client(), vport.vport(), settings, events.get(i).id()));
            receives.getLast().arm();
        }
    }

    /** Switches receiving on or off; on return everything received before has been handled. */
    public void steer(boolean on) {
        long[] table = new long[vport.indirection()];
        for (int k = 0; on && k < table.length; k++) {
            table[k] = receives.get(k % receives.size()).pair().object();
        }
        steer(on, table);
    }

    /** Switches receiving on or off with a table of one's own: objects of receive queues. */
    public void steer(boolean on, long[] table) {
        int rss = on && receives.size() > 1 ? ConfigureVportRx.ON : ConfigureVportRx.OFF;
        session.call(new ConfigureVportRx(vport.vport(), on ? ConfigureVportRx.ON : ConfigureVportRx.OFF, rss, on, on,
                on, on ? receives.getFirst().pair().object() : Limits.NO_OBJECT,
                on ? settings.key() : new byte[Limits.HASH_KEY], on ? settings.frames() : 1, table));
        for (ReceiveQueue queue : receives) {
            fence(queue);
        }
    }

    private void fence(ReceiveQueue queue) {
        int before = queue.fences();
        session.call(new FenceRq(queue.pair().object()));
        awaitUntil(() -> queue.fences() != before, "fence", FENCE_MILLIS);
    }

    private interface Condition {
        boolean holds();
    }

    private void awaitUntil(Condition condition, String what, long millis) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (!condition.holds()) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                throw new Refusal(Errno.ETIMEDOUT, "The " + what + " did not come within " + millis
                        + " ms; the port's interrupts or queues do not work.");
            }
            if (poll() == 0) {
                await(TimeUnit.NANOSECONDS.toMillis(left) + 1);
            }
        }
    }

    /** Takes events, completions and packets. What is found empty asks for an interrupt. Returns how much there was. */
    public int poll() {
        int work = 0;
        for (int i = 0; i < events.size(); i++) {
            int count = events.get(i).poll(eventHandler, Integer.MAX_VALUE);
            if (count > 0) {
                events.get(i).arm();
            }
            work += count;
        }
        for (int i = 0; i < sends.size(); i++) {
            int count = sends.get(i).poll();
            if (count > 0) {
                sends.get(i).arm();
            }
            work += count;
        }
        for (int i = 0; i < receives.size(); i++) {
            int count = receives.get(i).poll(handler);
            if (count > 0) {
                receives.get(i).arm();
            }
            work += count;
        }
        return work;
    }

    private void event(int type, int data) {
        if (type == EventEntry.TEST) {
            tests++;
        } else if (type == EventEntry.COMPLETION) {
            completionEvents++;
            arm(EventEntry.completionQueue(data));
        }
    }

    /** A queue whose event has come is not armed any more, even if a poll has emptied it before. */
    private void arm(int completionQueue) {
        for (int i = 0; i < sends.size(); i++) {
            if (sends.get(i).pair().completions().id() == completionQueue) {
                sends.get(i).poll();
                sends.get(i).arm();
            }
        }
        for (int i = 0; i < receives.size(); i++) {
            if (receives.get(i).pair().completions().id() == completionQueue) {
                receives.get(i).poll(handler);
                receives.get(i).arm();
            }
        }
    }

    /** Waits for an interrupt. Returns whether there was one. */
    public boolean await(long millis) {
        try {
            boolean came = interrupts.tryAcquire(millis, TimeUnit.MILLISECONDS);
            interrupts.drainPermits();
            return came;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new Refusal(Errno.EINTR, "The wait for an interrupt of the port was interrupted.");
        }
    }

    public MacAddress mac() {
        return vport.mac();
    }

    public QueryVportConfig.Result vport() {
        return vport;
    }

    public SendQueue send(int queue) {
        return sends.get(queue);
    }

    public ReceiveQueue receive(int queue) {
        return receives.get(queue);
    }

    /** How many events said that a completion queue has something. */
    public long completionEvents() {
        return completionEvents;
    }

    /** Waits for what is under way, then closes. */
    @Override
    public void close() {
        try {
            awaitUntil(() -> sends.stream().allMatch(queue -> queue.outstanding() == 0), "end of all sends",
                    FENCE_MILLIS);
            steer(false);
        } finally {
            release();
        }
    }

    private void release() {
        DmaArena memory = session.client().memory();
        for (ReceiveQueue queue : receives) {
            quietly(() -> queue.destroy(memory));
        }
        receives.clear();
        for (SendQueue queue : sends) {
            quietly(() -> queue.destroy(memory));
        }
        sends.clear();
        for (EventQueue queue : events) {
            quietly(() -> test(queue));
            quietly(() -> session.client().destroyEventQueue(queue));
        }
        events.clear();
        for (int vector : vectors) {
            session.function().vectors().forget(vector, signal);
        }
        vectors.clear();
    }

    /** What cannot be undone now goes with the channel; the rest is undone all the same. */
    private static void quietly(Runnable step) {
        try {
            step.run();
        } catch (Refusal _) {
            // the device may be gone
        }
    }
}
