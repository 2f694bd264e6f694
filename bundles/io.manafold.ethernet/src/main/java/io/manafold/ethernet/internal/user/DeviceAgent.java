package io.manafold.ethernet.internal.user;

import io.manafold.agent.Agent;
import io.manafold.agent.Lane;
import io.manafold.api.net.PacketBuffer;
import io.manafold.ethernet.internal.queue.PortConfig;
import io.manafold.ethernet.internal.queue.QueueSet;
import io.manafold.ethernet.internal.queue.ReceiveRing;
import io.manafold.memory.MemoryBorrower;
import io.manafold.netdev.CommandLane;
import io.manafold.netdev.CommandQueue;
import io.manafold.netdev.DeviceThread;
import io.manafold.netdev.PacketUsers;
import io.manafold.netdev.PacketWatchers;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread of a device and all that it does in a cycle: events, completions of sends, packets in, the users above,
 * doorbells. It rests when all queues are empty and will call.
 */
public final class DeviceAgent implements Agent.Work, DeviceThread {
    private static final Logger LOG = LoggerFactory.getLogger(DeviceAgent.class);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final QueueSet[] NONE = {};
    /** Packets of one turn, beyond a burst of each queue. */
    private static final int TURN = 256;

    private final String name;
    private final Agent agent;
    private final CommandQueue commands;
    private final Lane lane = new Lane();
    private final PacketWatchers watchers = new PacketWatchers();
    private final PacketUsers users;
    private final Hooks hooks;
    private final Redirects redirects;
    private final PacketBuffer[] burst = new PacketBuffer[ReceiveRing.BURST];
    private final PacketBuffer[] passed = new PacketBuffer[ReceiveRing.BURST];
    private final Sender sender;
    private final FailureListener failures;
    private QueueSet[] sets = NONE;
    private boolean polling;
    private int complaints;

    /** @param agents makes an agent of a name and what it does, which is not started yet */
    public DeviceAgent(String name, BiFunction<String, Agent.Work, Agent> agents, MemoryBorrower memory,
            Directory directory, FailureListener failures) {
        this.name = name;
        agent = agents.apply("manafold-" + name, this);
        commands = new CommandQueue(name, this);
        sender = new Sender(memory, watchers);
        users = new PacketUsers(this, commands, sender, watchers);
        hooks = new Hooks(name, sender, directory);
        redirects = new Redirects(agent);
        this.failures = failures;
    }

    public void start() {
        agent.start();
    }

    /**
     * Ends the thread after a last command.
     *
     * @param held queues that a user above has kept the caller from taking off it: they are ended with it
     */
    public void close(List<QueueSet> held) {
        agent.end(new End(this, held));
        if (!agent.isCurrent() && !agent.join(PATIENCE)) {
            LOG.error("{}: its thread did not end within {} s; a user above the device holds it", name,
                    PATIENCE.toSeconds());
        }
    }

    public Agent agent() {
        return agent;
    }

    @Override
    public boolean isCurrent() {
        return agent.isCurrent();
    }

    @Override
    public boolean isAlive() {
        return agent.isAlive();
    }

    @Override
    public void wake() {
        agent.wake();
    }

    @Override
    public CommandLane lane() {
        return new AgentLane(agent, new Lane());
    }

    /** A lane of the agent. */
    private record AgentLane(Agent agent, Lane lane) implements CommandLane {
        @Override
        public boolean execute(Runnable command) {
            return agent.execute(lane, command);
        }

        @Override
        public boolean shut(Runnable last) {
            return agent.shut(lane, last);
        }
    }

    public PacketUsers users() {
        return users;
    }

    public PacketWatchers watchers() {
        return watchers;
    }

    public Redirects redirects() {
        return redirects;
    }

    /** Has something done on the device's thread and waits for it; what is given up is not done later. */
    public void run(Runnable command) {
        commands.run(command);
    }

    /** Takes a set of queues on; sends go to it from here on. */
    public void add(QueueSet set) {
        run(new Command(this, Command.ADD, set));
    }

    /**
     * As {@link #add}, but soon, however long a user above holds the thread.
     *
     * @param now what has changed since the queues were made included
     */
    public void addSoon(QueueSet set, PortConfig now) {
        soon(() -> {
            use(set);
            use(now);
            set.features(now);
        });
    }

    /** Sends nothing new. */
    public void stopSending() {
        run(new Command(this, Command.SEND_TO, null));
    }

    /** Sends what is new there, or nowhere; soon, however long a user above holds the thread. */
    public void sendSoon(QueueSet set) {
        soon(new Command(this, Command.SEND_TO, set));
    }

    /** Lets a set of queues go: it is not touched any more. */
    public void remove(QueueSet set) {
        run(new Command(this, Command.REMOVE, set));
    }

    /** Lets a set of queues go; soon, however long a user above holds the thread. */
    public void removeSoon(QueueSet set) {
        soon(new Command(this, Command.REMOVE, set));
    }

    /** Has something done before all that is asked for later, and does not wait for it. */
    private void soon(Runnable command) {
        if (agent.isCurrent()) {
            command.run();
        } else {
            agent.execute(lane, command);
        }
    }

    /** Changes what needs no new queues. */
    public void change(PortConfig now) {
        run(() -> {
            use(now);
            for (QueueSet set : sets) {
                set.features(now);
            }
        });
    }

    private void use(PortConfig config) {
        polling = config.isPolling();
        hooks.use(config.hook());
    }

    /** Waits until a set has no send under way; false if that takes too long. */
    public boolean drain(QueueSet set, Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        Outstanding left = new Outstanding(set);
        do {
            run(left);
            if (left.count == 0) {
                return true;
            }
            try {
                TimeUnit.MICROSECONDS.sleep(200);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                return false;
            }
        } while (System.nanoTime() < deadline);
        return false;
    }

    // ---- on the device's thread

    /** A command about a set of queues, on the way to the first packet and from the last: no lambda for each. */
    private record Command(DeviceAgent device, int kind, QueueSet set) implements Runnable {
        static final int ADD = 0;
        static final int SEND_TO = 1;
        static final int REMOVE = 2;

        @Override
        public void run() {
            switch (kind) {
                case ADD -> device.use(set);
                case SEND_TO -> device.sender.use(set);
                default -> device.forget(set);
            }
        }
    }

    private record End(DeviceAgent device, List<QueueSet> held) implements Runnable {
        @Override
        public void run() {
            device.finish(held);
        }
    }

    /** Counts the sends of a set that are under way. */
    private static final class Outstanding implements Runnable {
        private final QueueSet set;
        private int count;

        Outstanding(QueueSet set) {
            this.set = set;
        }

        @Override
        public void run() {
            count = set.failure() == null ? set.outstanding() : 0;
        }
    }

    private void use(QueueSet set) {
        set.adopt(agent);
        set.features(set.config());
        use(set.config());
        QueueSet[] more = new QueueSet[sets.length + 1];
        System.arraycopy(sets, 0, more, 0, sets.length);
        more[sets.length] = set;
        sets = more;
        sender.use(set);
    }

    private void forget(QueueSet set) {
        if (!Arrays.asList(sets).contains(set)) {
            return;
        }
        QueueSet[] fewer = new QueueSet[sets.length - 1];
        int count = 0;
        for (QueueSet one : sets) {
            if (one != set) {
                fewer[count++] = one;
            }
        }
        sets = fewer;
        if (sender.forget(set) && fewer.length > 0) {
            // it was never put to use: the one before goes on
            sender.use(fewer[fewer.length - 1]);
        }
    }

    private void finish(List<QueueSet> held) {
        users.end();
        redirects.close(sender);
        held.forEach(this::forget);
        held.forEach(QueueSet::destroy);
    }

    @Override
    public void movesTo(Thread thread) {
        for (QueueSet set : sets) {
            set.movesTo(thread);
        }
    }

    @Override
    public int doWork() {
        QueueSet[] now = sets;
        try {
            return work(now);
        } finally {
            // what was sent before something went wrong is not kept from the device
            for (QueueSet set : now) {
                set.ring();
            }
        }
    }

    private int work(QueueSet[] now) {
        int work = 0;
        boolean first = true;
        for (QueueSet set : now) {
            if (set.failure() == null) {
                // what the old queues got comes before what the new ones get: those wait until the old are gone
                work += poll(set, first);
                first = false;
            }
        }
        work += redirects.send(sender);
        work += users.work();
        return work;
    }

    private int poll(QueueSet set, boolean receives) {
        int work = set.pollEvents() + set.pollSends();
        if (receives) {
            work += receive(set);
        }
        if (set.failure() != null) {
            failures.failed(set, set.failure());
        }
        return work;
    }

    /**
     * Takes a burst of each queue. If those were whole ones, takes more, because a turn of the thread has a price of
     * its own; but only while no user above has anything to send, which would wait.
     */
    private int receive(QueueSet set) {
        int work = 0;
        int all = 0;
        int packets;
        do {
            packets = 0;
            for (int queue = 0; queue < set.receiveCount(); queue++) {
                int seen = set.pollReceive(queue, burst);
                if (seen > 0) {
                    work += seen;
                    packets += set.received(queue);
                    deliver(set.receive(queue));
                }
            }
            all += packets;
        } while (packets >= ReceiveRing.BUDGET && all + packets <= TURN && hooks.isEmpty() && !set.isUnannounced());
        return work;
    }

    private void deliver(ReceiveRing ring) {
        int count = ring.count();
        if (count == 0) {
            return;
        }
        if (hooks.isEmpty()) {
            users.deliver(burst, count);
        } else {
            users.deliver(passed, hooks.decide(burst, count, passed, ring.counters()));
        }
    }

    @Override
    public long restNanos() {
        if (polling && sets.length > 0) {
            return 0;
        }
        boolean busy = false;
        for (QueueSet set : sets) {
            busy |= set.failure() == null && set.arm();
        }
        return busy ? 0 : users.restNanos();
    }

    @Override
    public void failed(Throwable mistake) {
        if (complaints++ < 10) {
            LOG.error("{}: something went wrong in its cycle, which goes on", name, mistake);
        }
    }
}
