package io.manafold.pmd.internal.device;

import io.manafold.api.ethdev.EthDevInfo;
import io.manafold.api.ethdev.EthDevPlan;
import io.manafold.api.ethdev.RssHash;
import io.manafold.api.net.SyntheticDevice;
import io.manafold.api.net.SyntheticPort;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.pmd.internal.queue.PairedReceiveSlot;
import io.manafold.pmd.internal.queue.PairedSendSlot;
import io.manafold.pmd.internal.words.LogLevels;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A port over a pair from configuring to closing. What is configured is mirrored on its virtual function, now or when
 * that comes; packets go by it once it is started, and by the synthetic device whenever it is not. Control calls wait
 * for each other.
 */
final class PairedLife {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final PmdEnvironment environment;
    private final SyntheticDevice synthetic;
    private final PortSentences say;
    private final PairedQueues queues;
    private final PairedCount count;
    private final Supplier<PollDevice> function;
    private final Supplier<EthDevInfo> info;
    /** Since when the virtual function is missing that the host has told of; 0 if it is not. */
    private long missedSince;
    private PortState state = PortState.HERE;
    private PortPlan plan;
    /** While it is started. */
    private SyntheticPort open;
    /** The virtual function that has the plan. */
    private PollDevice mirrored;
    /** The virtual function by which packets go; {@code null} for the synthetic device. */
    private PollDevice path;
    /** The virtual function that is on its way out. */
    private PollDevice leaving;
    /** Set within a burst, which waits for nothing. */
    private volatile Failure failed;
    /** How long a virtual function that fails again and again is not begun. */
    private final Backoff pause = new Backoff();
    /** Whether a line of the log has told already that packets will go by the virtual function again. */
    private boolean told;
    /** Why the virtual function is not used, so that it is said once. */
    private String complaint = "";

    /** A virtual function a queue of which moves nothing any more, and what the queue says. */
    private record Failure(PollDevice below, String why) {
    }

    PairedLife(PmdEnvironment environment, SyntheticDevice synthetic, PortSentences say, PairedQueues queues,
            PairedCount count, Supplier<PollDevice> function, Supplier<EthDevInfo> info) {
        this.environment = environment;
        this.synthetic = synthetic;
        this.say = say;
        this.queues = queues;
        this.count = count;
        this.function = function;
        this.info = info;
    }

    private void checkHere() {
        if (state != PortState.HERE) {
            throw say.notHere(state);
        }
    }

    private void checkStopped(String what) {
        checkHere();
        if (open != null) {
            throw say.refusal(Errno.EBUSY, "is started; stop it before " + what + ".");
        }
    }

    private PortPlan configured() {
        checkHere();
        if (plan == null) {
            throw say.refusal(Errno.EINVAL, "is not configured.");
        }
        return plan;
    }

    synchronized boolean isHere() {
        return state == PortState.HERE;
    }

    synchronized EthDevPlan plan() {
        return plan == null ? null : plan.plan();
    }

    synchronized void configure(EthDevPlan wanted) {
        checkStopped("it is configured");
        if (wanted.interrupts()) {
            throw say.refusal(Errno.EOPNOTSUPP, "has no interrupts, since it is over a pair: poll it.");
        }
        EthDevInfo most = info.get();
        plan = new PortPlan(say.name(), wanted, most.maxQueues(), most.maxDescriptors(), most.receiveOffloads(),
                most.sendOffloads());
        mirrored = null;
        queues.use(wanted.receiveQueues());
    }

    synchronized void setUpSend(int queue, int descriptors) {
        checkStopped("queues are set up");
        configured().setUpSend(queue, descriptors);
        mirrored = null;
    }

    synchronized void setUpReceive(int queue, int descriptors, int pool) {
        checkStopped("queues are set up");
        configured().setUpReceive(queue, descriptors, pool);
        mirrored = null;
    }

    synchronized void start() {
        configured().checkComplete();
        if (open != null) {
            return;
        }
        SyntheticPort taken;
        try {
            taken = synthetic.poll("port " + say.number() + " of the environment " + environment.prefix());
        } catch (Refusal refused) {
            throw refused.errno() == Errno.EBUSY ? say.refusal(Errno.ENODEV, "is not started: " + refused.getMessage(),
                    refused) : refused;
        }
        PollDevice below = usable();
        pause.clear();
        told = false;
        boolean begun = false;
        try {
            if (below != null) {
                begin(below);
            }
            begun = true;
        } finally {
            if (!begun) {
                taken.close();
            }
        }
        open = taken;
        queues.open(taken, plan);
        queues.by(null);
        choose(below);
    }

    synchronized void stop() {
        SyntheticPort ending = open;
        if (ending == null) {
            return;
        }
        open = null;
        ending.steer(false);
        queues.shut();
        PollDevice below = path != null ? path : function.get();
        path = null;
        try {
            if (below != null) {
                below.life().stop();
            }
        } finally {
            failed = null;
            queues.end();
            ending.close();
        }
    }

    synchronized boolean isStarted() {
        return open != null;
    }

    /** It is closed, or its synthetic device goes. Returns whether that is new. */
    synchronized boolean end(PortState last) {
        if (state != PortState.HERE) {
            if (last == PortState.CLOSED) {
                state = last;
            }
            return false;
        }
        state = last;
        stop();
        return true;
    }

    // ---- the virtual function comes and goes

    /** The virtual function, if the host has told of it and it is not about to go; {@code null} otherwise. */
    private PollDevice usable() {
        PollDevice there = function.get();
        if (!synthetic.isAssociated()) {
            complain(there == null ? "" : "does not use " + there.name() + ", whose serial number it was not told of.");
            return null;
        }
        if (there == null) {
            missing();
            return null;
        }
        missedSince = 0;
        return there != leaving && there.is(PortState.HERE) ? there : null;
    }

    /** One that is only on its way is not worth a word. */
    private void missing() {
        long now = System.nanoTime();
        missedSince = missedSince == 0 ? now : missedSince;
        if (now - missedSince > PATIENCE_NANOS) {
            complain("is told of a virtual function, and no port has its address " + synthetic.mac() + "; it goes on "
                    + "looking.");
        }
    }

    /** A reason is said once. */
    private void complain(String why) {
        if (!why.equals(complaint)) {
            complaint = why;
            if (!why.isEmpty()) {
                environment.note(LogLevels.NOTICE, say, why);
            }
        }
    }

    /** Has a virtual function be as this port is, and started. */
    private void begin(PollDevice below) {
        PortLife its = below.life();
        if (mirrored != below) {
            its.stop();
            its.configure(plan.plan());
            int number = plan.plan().receiveQueues();
            for (int queue = 0; queue < number; queue++) {
                its.setUpSend(queue, plan.sendDescriptors(queue));
                its.setUpReceive(queue, plan.receiveDescriptors(queue), plan.pool(queue).number());
            }
            its.redirection(plan.table());
            its.rss(plan.hash());
            mirrored = below;
        }
        int mtu = synthetic.device().mtu();
        if (below.mtu() != mtu) {
            below.network().mtu(mtu);
        }
        its.start();
    }

    /** Sees what the virtual function is like, and has packets go by it or not. */
    synchronized void look() {
        PollDevice lost = function.get();
        if (lost != null && lost.is(PortState.FAILED)) {
            environment.departures().giveUp(lost);
        }
        if (state != PortState.HERE || open == null) {
            return;
        }
        PollDevice below = usable();
        try {
            if (below != null) {
                mend(below);
                if (!pause.isOver(System.nanoTime())) {
                    return;
                }
                begin(below);
            } else if (path == null && mirrored != null && mirrored.life().isStarted() && !synthetic.isAssociated()) {
                mirrored.life().stop();
            }
            choose(below);
            if (below != null) {
                complain("");
            }
        } catch (Refusal refused) {
            choose(null);
            // one that the host has dissociated is stopped, and may refuse that
            PollDevice refusing = below != null ? below : mirrored;
            complain("does not use " + refusing.name() + " yet: " + refused.getMessage());
        }
    }

    /** A queue of a virtual function moves nothing any more. Several of its queues may say so. */
    void failed(PollDevice below, String why) {
        failed = new Failure(below, why);
    }

    /**
     * Has a virtual function with a failed queue stopped, and packets take the other way. It is told in one line for
     * all of its queues, and for when packets come back, as a device can have it happen without end.
     */
    private void mend(PollDevice below) {
        Failure seen = failed;
        if (seen == null || seen.below() != below) {
            return;
        }
        long left = pause.failed(System.nanoTime());
        environment.note(LogLevels.NOTICE, say, "stops its virtual function, " + below.name() + ", and starts it again "
                + (left == 0 ? "at once" : "in " + TimeUnit.NANOSECONDS.toMillis(left) + " ms") + "; packets go by "
                + "its synthetic device meanwhile. " + seen.why());
        told = true;
        choose(null);
        try {
            below.life().stop();
        } finally {
            // others of its queues may say so until bursts are over, and those are not the queues of the next start
            failed = null;
        }
    }

    /** Packets go by a virtual function that is started and has its link, else by the synthetic device. */
    private void choose(PollDevice below) {
        PollDevice wanted = below != null && below.link().isUp() ? below : null;
        if (wanted == path) {
            return;
        }
        if (wanted == null) {
            open.steer(false);
        }
        queues.by(wanted == null ? null : wanted.life());
        if (wanted != null) {
            open.steer(true);
        }
        path = wanted;
        count.switched();
        if (told) {
            told = wanted == null;
            return;
        }
        environment.note(LogLevels.NOTICE, say, wanted == null ? "has its data path switched from its virtual function."
                : "has its data path switched to its virtual function, " + wanted.name() + ".");
    }

    /** A virtual function is about to go, or to be reset: packets take the other way before. */
    synchronized void leave(PollDevice below) {
        leaving = below;
        if (open != null && path == below) {
            choose(null);
        }
    }

    /** It has gone, and comes back as another port, or is being reset. */
    synchronized void left(PollDevice below, boolean forGood) {
        leaving = null;
        told = false;
        failed = null;
        if (forGood) {
            count.gone(below);
            mirrored = mirrored == below ? null : mirrored;
        }
    }

    // ---- its queues, and how packets are spread to them

    synchronized PairedReceiveSlot receiveQueue(int queue) {
        return queues.receive(known(queue));
    }

    synchronized PairedSendSlot sendQueue(int queue) {
        return queues.send(known(queue));
    }

    private int known(int queue) {
        if (plan == null || queue < 0 || queue >= plan.plan().receiveQueues()) {
            throw say.refusal(Errno.EINVAL, "has no queue " + queue + ".");
        }
        return queue;
    }

    synchronized void mtu(int bytes) {
        checkHere();
        EthDevInfo most = info.get();
        if (bytes < most.minMtu() || bytes > most.maxMtu()) {
            throw say.refusal(Errno.EINVAL, "has an MTU from " + most.minMtu() + " to " + most.maxMtu() + ", not "
                    + bytes + ".");
        }
        PollDevice below = usable();
        if (below != null) {
            below.network().mtu(bytes);
        }
        synthetic.device().setMtu(bytes);
    }

    synchronized int[] redirection() {
        return configured().table();
    }

    synchronized void redirection(int[] table) {
        configured().checkTable(table);
        PollDevice below = usable();
        if (below != null && below == mirrored) {
            below.life().redirection(table);
        }
        plan.table(Arrays.copyOf(table, table.length));
    }

    synchronized RssHash rss() {
        return configured().hash();
    }

    synchronized void rss(RssHash hash) {
        configured().check(hash);
        PollDevice below = usable();
        if (below != null && below == mirrored) {
            below.life().rss(hash);
        }
        plan.hash(hash);
    }
}
