package io.manafold.qualify.internal;

import io.manafold.api.ethdev.CoreRun;
import io.manafold.api.ethdev.Environment;
import io.manafold.api.ethdev.Environments;
import io.manafold.api.ethdev.EthDev;
import io.manafold.api.ethdev.EthDevPlan;
import io.manafold.api.ethdev.ReceiveQueue;
import io.manafold.api.ethdev.SendQueue;
import io.manafold.api.qualify.QualificationPlan;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.memory.PacketPlan;
import io.manafold.memory.PacketPool;
import io.manafold.memory.PacketPools;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** Two ports in poll mode with a core that polls both. */
final class PollPorts implements AutoCloseable {
    private static final int CORE = 1;
    private static final int DESCRIPTORS = 1024;
    private static final int CACHE = 512;

    private final PollChoice choice;
    private final Environment environment;
    private PacketPool pool;
    private EthDev from;
    private EthDev to;
    private int queues;
    private CoreRun run;
    private PollWork work;

    /** @throws Refusal if the ports cannot be had, or have not so many queues */
    PollPorts(Environments environments, PacketPools pools, PollChoice choice, int mostQueues) {
        this.choice = choice;
        environment = choice.start(environments);
        boolean complete = false;
        try {
            from = find(choice.from().device()).orElseThrow(this::gone);
            to = find(choice.to().device()).orElseThrow(this::gone);
            int most = Math.min(from.info().maxQueues(), to.info().maxQueues());
            if (mostQueues > most) {
                throw new Refusal(Errno.EINVAL, mostQueues + " queues are more than the ports of " + names()
                        + " have: choose " + most + " at most.");
            }
            pool = pools.make(new PacketPlan("qualify", 2 * (mostQueues * (descriptors(from) + descriptors(to)) + CACHE
                    + QualificationPlan.MOST_BURST), CACHE, Math.max(PacketPlan.DEFAULT_ROOM, mtu()
                    + FrameSizes.AROUND_MTU)));
            complete = true;
        } finally {
            if (!complete) {
                environment.close();
            }
        }
    }

    private String names() {
        return choice.from().device() + " and " + choice.to().device();
    }

    private Optional<EthDev> find(String device) {
        return environment.ports().stream().filter(port -> port.info().device().equals(device)).findFirst();
    }

    private Refusal gone() {
        return new Refusal(Errno.ENODEV, "A port of " + names() + " has gone meanwhile; 'devices' shows what there "
                + "is.");
    }

    private static int descriptors(EthDev port) {
        int step = port.info().descriptorAlignment();
        return Math.min(DESCRIPTORS, port.info().maxDescriptors() / step * step);
    }

    EthDev from() {
        return from;
    }

    int mtu() {
        return Math.min(from.mtu(), to.mtu());
    }

    /** Whether a function has one of the two. */
    boolean isOf(String function) {
        return from.info().address().equals(function) || to.info().address().equals(function);
    }

    /** Has both ports started with so many queues, and polled. */
    void use(int wanted) {
        if (run != null && queues == wanted && from.isStarted() && to.isStarted()) {
            return;
        }
        rest();
        start(from, wanted);
        start(to, wanted);
        if (!from.link().isUp() || !to.link().isUp()) {
            throw new Refusal(Errno.ENETDOWN, "The link of " + (from.link().isUp() ? choice.to() : choice.from())
                    .device() + " is down: 'link list' shows what its port is plugged into.");
        }
        SendQueue[] out = new SendQueue[wanted];
        ReceiveQueue[] in = new ReceiveQueue[wanted];
        for (int queue = 0; queue < wanted; queue++) {
            out[queue] = from.sendQueue(queue);
            in[queue] = to.receiveQueue(queue);
        }
        queues = wanted;
        work = new PollWork(pool, out, in);
        run = environment.launch(CORE, work);
    }

    private void start(EthDev port, int wanted) {
        port.stop();
        port.configure(EthDevPlan.of(wanted));
        for (int queue = 0; queue < wanted; queue++) {
            port.setUpSend(queue, descriptors(port));
            port.setUpReceive(queue, descriptors(port), pool.number());
        }
        port.start();
    }

    /** Frames with a mark of their own go to the core. */
    PollTrial begin(int size, int burst, long rate) {
        PollTrial trial = new PollTrial(new PollFrames(pool, from.info().mac(), to.info().mac(), size,
                ThreadLocalRandom.current().nextLong()), burst, rate);
        work.take(trial);
        return trial;
    }

    /** @throws Refusal {@code EIO} if the core has come to an end by itself */
    PollWork work() {
        Throwable failure = run.failure();
        if (failure != null) {
            throw new Refusal(Errno.EIO, "The core that polls " + names() + " has come to an end: " + failure + ".");
        }
        return work;
    }

    /** No port is polled any more. */
    private void rest() {
        if (run != null) {
            run.stop();
            work.giveBack();
            run = null;
        }
    }

    /**
     * Ports that have gone with their function are closed, and new ones of the same devices are taken and started when
     * they are there.
     *
     * @return whether both are there and are polled
     */
    boolean comeBack() {
        rest();
        from = renewed(from, choice.from().device());
        to = renewed(to, choice.to().device());
        if (!environment.ports().contains(from) || !environment.ports().contains(to)) {
            return false;
        }
        try {
            use(queues);
            return true;
        } catch (Refusal notYet) {
            return false;
        }
    }

    private EthDev renewed(EthDev port, String device) {
        if (environment.ports().contains(port)) {
            return port;
        }
        port.close();
        return find(device).orElse(port);
    }

    /** Whether a port of the two has gone. */
    boolean isIncomplete() {
        return !environment.ports().contains(from) || !environment.ports().contains(to);
    }

    @Override
    public void close() {
        try {
            rest();
        } finally {
            try {
                environment.close();
            } finally {
                pool.close();
            }
        }
    }
}
