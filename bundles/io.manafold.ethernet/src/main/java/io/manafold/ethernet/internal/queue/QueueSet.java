package io.manafold.ethernet.internal.queue;

import io.manafold.agent.Agent;
import io.manafold.api.net.ByteQueueLimit;
import io.manafold.api.net.Moderation;
import io.manafold.api.net.PacketBuffer;
import io.manafold.api.net.PagePlan;
import io.manafold.api.net.QueueStatus;
import io.manafold.api.net.ReceivePolicy;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.EventEntry;
import io.manafold.gdma.driver.ClientSession;
import io.manafold.gdma.driver.CompletionQueue;
import io.manafold.gdma.driver.EventHandler;
import io.manafold.gdma.driver.QueuePair;
import io.manafold.memory.DmaArena;
import io.manafold.memory.MemoryBorrower;
import io.manafold.memory.PagePlans;
import io.manafold.memory.PagePool;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * All queues of a port in one shape. It is made completely before the one it replaces goes; from then until it is taken
 * off the device's agent it belongs to the device's thread.
 */
public final class QueueSet implements EventHandler {
    private static final int LINE = 64;
    private static final int TRANSMIT_HEADROOM = 256;
    /** So large that the largest send fits the pieces of one request. */
    private static final int LEAST_TRANSMIT_DATA = 2368;
    private static final int TRANSMIT_PAGE = 65536;

    private final Port port;
    private final PortConfig config;
    private final String name;
    private final PagePool transmit;
    private final List<PagePool> pools = new ArrayList<>();
    private final List<PacketBuffer[]> taken = new ArrayList<>();
    private final List<EventLine> events = new ArrayList<>();
    private final List<QueuePair> pairs = new ArrayList<>();
    private final List<SendRing> sends = new ArrayList<>();
    private final List<ReceiveRing> receives = new ArrayList<>();
    private SendRing[] sendRings = {};
    private ReceiveRing[] receiveRings = {};
    private EventLine[] lines = {};
    private EventModerator[] sendModerators = {};
    private EventModerator[] receiveModerators = {};
    private boolean always;
    private volatile String failure;

    private QueueSet(String name, Port port, PortConfig config, MemoryBorrower memory) {
        this.name = name;
        this.port = port;
        this.config = config;
        transmit = new PagePool(name + " transmit", memory.whole(), transmitPlan(config.mtu()), 1024);
    }

    /**
     * Takes all memory that the shape needs; the device does not know of it yet.
     *
     * @throws Refusal {@code ENOMEM}; nothing is left behind then
     */
    public static QueueSet reserve(String name, Port port, PortConfig config, MemoryBorrower memory) {
        QueueSet set = new QueueSet(name, port, config, memory);
        PagePlan plan = PagePlans.plan(config.cut(), config.page(), config.mtu(), config.hook() != null);
        try {
            DmaArena pages = memory.pages(config.mapping());
            for (int i = 0; i < config.channels(); i++) {
                PagePool pool = new PagePool(name + " rx-" + i, pages, plan, config.receiveEntries(),
                        config.mapping());
                pool.owner(Thread.currentThread());
                set.pools.add(pool);
                set.taken.add(ReceiveRing.take(pool, config.receiveEntries()));
            }
            return set;
        } catch (RuntimeException refused) {
            set.release();
            throw refused;
        }
    }

    /** Slots whose headers do not all fall on the same cache lines: an odd number of them. */
    static PagePlan transmitPlan(int mtu) {
        int data = Math.max(LEAST_TRANSMIT_DATA, mtu + PortConfig.HEADER + 4);
        int lines = (TRANSMIT_HEADROOM + data + LINE - 1) / LINE | 1;
        int slot = lines * LINE;
        return new PagePlan(ReceivePolicy.LEAN, mtu, TRANSMIT_PAGE, 0, TRANSMIT_HEADROOM, slot - TRANSMIT_HEADROOM,
                slot, TRANSMIT_PAGE / slot);
    }

    /**
     * Makes the queues known to the device.
     *
     * @param counters of the port, by queue
     * @throws Refusal what the device says; the reserved memory is given back then
     */
    public void open(PortCounters counters) {
        try {
            ClientSession client = port.session().client();
            int offset = port.transmit();
            long vport = port.vport().vport();
            int channels = config.channels();
            int[] vectors = new int[channels];
            for (int i = 0; i < channels; i++) {
                vectors[i] = port.vector(i);
            }
            events.addAll(EventLine.open(client, vectors));
            List<QueuePair.Shape> shapes = new ArrayList<>();
            boolean moderates = port.moderatesEvents();
            Moderation sending = config.moderation().transmit();
            Moderation receiving = config.moderation().receive();
            for (int i = 0; i < channels; i++) {
                shapes.add(SendRing.shape(client.rights(), vport, config, events.get(i).id(),
                        EventModerator.making(moderates, sending)));
            }
            for (int i = 0; i < channels; i++) {
                shapes.add(ReceiveRing.shape(client.rights(), vport, taken.get(i).length, events.get(i).id(),
                        EventModerator.making(moderates, receiving)));
            }
            pairs.addAll(QueuePair.create(client, shapes));
            for (int i = 0; i < channels; i++) {
                sends.add(new SendRing(pairs.get(i), i, offset, config, name + " tx-" + i, counters.send(i)));
                receives.add(new ReceiveRing(pairs.get(channels + i), i, config, pools.get(i), taken.get(i),
                        counters.receive(i)));
                taken.set(i, null);
            }
            sendModerators = moderators(sends.stream().map(SendRing::completions), moderates, sending);
            receiveModerators = moderators(receives.stream().map(ReceiveRing::completions), moderates, receiving);
        } catch (RuntimeException refused) {
            destroy();
            throw refused;
        }
        sendRings = sends.toArray(sendRings);
        receiveRings = receives.toArray(receiveRings);
        lines = events.toArray(lines);
    }

    private static EventModerator[] moderators(Stream<CompletionQueue> queues, boolean offered, Moderation made) {
        return queues.map(queue -> new EventModerator(queue::moderate, offered, made)).toArray(EventModerator[]::new);
    }

    public PortConfig config() {
        return config;
    }

    public int channels() {
        return config.channels();
    }

    /**
     * How its queues stand; any thread may ask.
     *
     * @param table the indirection table
     */
    public List<QueueStatus> status(int... table) {
        List<QueueStatus> all = new ArrayList<>();
        int channels = lines.length;
        for (int i = 0; i < channels; i++) {
            int queue = i;
            all.add(QueueSnapshot.receive(i, receiveRings[i], lines[i],
                    (int) Arrays.stream(table).filter(to -> to == queue).count(), receiveModerators[i]));
        }
        for (int i = 0; i < channels; i++) {
            all.add(QueueSnapshot.send(i, sendRings[i], lines[i], sendModerators[i]));
        }
        return all;
    }

    /** For how long events of its queues are held back at the moment, by the names of its queues; any thread. */
    public void moderation(Map<String, Long> into) {
        for (int i = 0; i < receiveModerators.length; i++) {
            into.put("rx_" + i + "_usecs", (long) receiveModerators[i].micros());
            into.put("rx_" + i + "_frames", (long) receiveModerators[i].frames());
            into.put("tx_" + i + "_usecs", (long) sendModerators[i].micros());
            into.put("tx_" + i + "_frames", (long) sendModerators[i].frames());
        }
    }

    /** How the limit of bytes under way of a send queue stands; any thread may ask. */
    public ByteQueueLimit byteQueueLimit(int queue, long reached) {
        return sends.get(queue).limit().status(queue, reached);
    }

    public ReceiveRing receive(int queue) {
        return receives.get(queue);
    }

    public SendRing send(int queue) {
        return sends.get(queue);
    }

    /** Where buffers to send come from. */
    public PagePool transmit() {
        return transmit;
    }

    // ---- on the device's thread

    /** The agent that calls from here on; it is woken by the interrupts. */
    public void adopt(Agent agent) {
        movesTo(agent.thread());
        for (EventLine line : lines) {
            line.wakes(agent);
        }
    }

    /** Whose thread calls from here on, {@code null} for no one's. */
    public void movesTo(Thread thread) {
        transmit.owner(thread);
        for (PagePool pool : pools) {
            pool.owner(thread);
        }
    }

    /** Changes what needs no new queues. */
    public void features(PortConfig now) {
        always = now.isPolling();
        for (ReceiveRing ring : receiveRings) {
            ring.features(now);
        }
        for (SendRing ring : sendRings) {
            ring.features(now);
        }
        for (int i = 0; i < receiveModerators.length; i++) {
            receiveModerators[i].use(now.moderation().receive());
            sendModerators[i].use(now.moderation().transmit());
        }
    }

    @Override
    public void event(int type, int data) {
        if (type != EventEntry.COMPLETION) {
            return;
        }
        int id = EventEntry.completionQueue(data);
        for (int i = 0; i < receiveRings.length; i++) {
            if (receiveRings[i].completions().disarm(id)) {
                receiveModerators[i].event(receiveRings[i].counters().packets);
                return;
            }
            if (sendRings[i].completions().disarm(id)) {
                sendModerators[i].event(sendRings[i].counters().packets);
                return;
            }
        }
    }

    /** Learns from the interrupts which queues have something. */
    public int pollEvents() {
        int work = 0;
        for (EventLine line : lines) {
            work += line.poll(this);
        }
        return work;
    }

    /** Takes the completions of sends. */
    public int pollSends() {
        int work = 0;
        for (SendRing ring : sendRings) {
            if (always || !ring.completions().isArmed()) {
                work += ring.poll();
                if (ring.failure() != null) {
                    failure = ring.failure();
                }
            }
        }
        return work;
    }

    public int receiveCount() {
        return receiveRings.length;
    }

    /** Takes packets of one queue; those are in the burst, as many as its {@link ReceiveRing#count}. */
    public int pollReceive(int queue, PacketBuffer[] burst) {
        ReceiveRing ring = receiveRings[queue];
        if (!always && ring.completions().isArmed()) {
            return 0;
        }
        int work = ring.poll(burst);
        if (ring.failure() != null) {
            failure = ring.failure();
        }
        return work;
    }

    public int received(int queue) {
        return receiveRings[queue].count();
    }

    /** The ring that a packet for a queue goes to. */
    public SendRing sendFor(int queue) {
        int count = sendRings.length;
        // nearly always it is one of them, and a division is dear
        return sendRings[queue >= 0 && queue < count ? queue : Integer.remainderUnsigned(queue, count)];
    }

    /** Whether there is something to tell the device of. */
    public boolean isUnannounced() {
        for (SendRing ring : sendRings) {
            if (ring.isUnannounced()) {
                return true;
            }
        }
        return false;
    }

    /** Tells the device of all that was sent since. */
    public void ring() {
        for (SendRing ring : sendRings) {
            ring.ring();
        }
    }

    /** Asks for an interrupt when there is something to do; true if there is something already. */
    public boolean arm() {
        boolean busy = false;
        for (int i = 0; i < receiveRings.length; i++) {
            CompletionQueue received = receiveRings[i].completions();
            CompletionQueue sent = sendRings[i].completions();
            received.arm();
            sent.arm();
            lines[i].arm();
            busy |= received.hasNext() || sent.hasNext();
        }
        return busy;
    }

    /** Sends that are not complete. */
    public int outstanding() {
        int outstanding = 0;
        for (SendRing ring : sendRings) {
            outstanding += ring.sends().outstanding();
        }
        return outstanding;
    }

    /** What the device did that it must not, or {@code null}. */
    public String failure() {
        return failure;
    }

    // ---- off the device's thread again

    /** Ends all queues; what cannot be undone at the device goes with its channel. Buffers come home. */
    public void destroy() {
        ClientSession client = port.session().client();
        QueuePair.destroy(client, pairs);
        for (ReceiveRing ring : receives) {
            ring.end();
        }
        for (SendRing ring : sends) {
            ring.end();
        }
        EventLine.destroy(client, events);
        release();
    }

    private void release() {
        for (PacketBuffer[] buffers : taken) {
            for (int i = 0; buffers != null && i < buffers.length; i++) {
                buffers[i].release();
            }
        }
        taken.clear();
        for (PagePool pool : pools) {
            pool.close();
        }
        transmit.close();
    }

    /** Its pools, those that are still waiting for buffers after the end included. */
    List<PagePool> pools() {
        return List.copyOf(pools);
    }
}
