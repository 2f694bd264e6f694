package io.manafold.pmd.internal.process;

import io.manafold.api.ethdev.EthDev;
import io.manafold.api.ethdev.EthDevEvent;
import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.memory.MemorySource;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.linux.SystemCallException;
import io.manafold.linux.UnixSocket;
import io.manafold.memory.PacketPlan;
import io.manafold.memory.PacketPools;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A secondary process, as its primary has it: a thread answers what it asks, another moves packets of the queues that
 * it polls. It may send and write anything. What cannot be costs it its connection, and its packets come home, as they
 * do when it ends.
 */
final class Secondary implements AutoCloseable {
    static final int PACKETS = 8192;
    static final int MOST_QUEUES = 64;
    private static final Logger LOG = LoggerFactory.getLogger(Secondary.class);
    private static final long SEND_MILLIS = 1000;
    private static final int PATIENCE = 512;
    private static final long REST_NANOS = 20_000;

    private final UnixSocket socket;
    private final int process;
    private final PrimaryProcess primary;
    private final MemorySource memory;
    private final PacketPools pools;
    private final Consumer<Secondary> ended;
    private final List<LentQueue> queues = new CopyOnWriteArrayList<>();
    private final Thread answering;
    private LentPackets packets;
    private AutoCloseable listening;
    private Thread moving;
    private volatile boolean ending;

    Secondary(UnixSocket socket, int process, PrimaryProcess primary, PacketPools pools, MemorySource memory,
            Consumer<Secondary> ended, ThreadFactory threads) {
        this.socket = socket;
        this.process = process;
        this.primary = primary;
        this.pools = pools;
        this.memory = memory;
        this.ended = ended;
        answering = threads.newThread(this::answer);
        answering.setName("pmd-secondary-" + process);
    }

    void start() {
        answering.start();
    }

    private String who() {
        return "process " + process;
    }

    // ---- what it asks

    private void answer() {
        try {
            socket.sendLimit(SEND_MILLIS);
            byte[] bytes = new byte[SecondaryProtocol.QUESTION + 1];
            for (int length = socket.receive(bytes, 0, bytes.length); length > 0;
                    length = socket.receive(bytes, 0, bytes.length)) {
                if (length != SecondaryProtocol.QUESTION) {
                    LOG.warn("Secondary {} of {} is left: it asks by {} bytes, and not by {}.", process,
                            primary.prefix(), length, SecondaryProtocol.QUESTION);
                    return;
                }
                ByteBuffer question = ByteBuffer.wrap(bytes);
                if (!answer(question.getInt(), question.getInt(), question.getInt())) {
                    LOG.warn("Secondary {} of {} is left: it asks what is no question there.", process,
                            primary.prefix());
                    return;
                }
            }
        } catch (SystemCallException gone) {
            LOG.debug("Secondary {} of {} has gone: {}", process, primary.prefix(), gone.getMessage());
        } catch (RuntimeException wrong) {
            LOG.warn("Secondary {} of {} is left: {}", process, primary.prefix(), wrong.toString());
        } finally {
            end();
        }
    }

    private boolean answer(int what, int port, int queue) throws SystemCallException {
        if ((packets == null) != (what == SecondaryProtocol.HELLO)) {
            return false;
        }
        try {
            switch (what) {
                case SecondaryProtocol.HELLO -> hello(port);
                case SecondaryProtocol.STATE -> send(SecondaryProtocol.bytes(SecondaryProtocol.DONE,
                        out -> SecondaryProtocol.state(out, port(port))));
                case SecondaryProtocol.STATISTICS -> send(SecondaryProtocol.bytes(SecondaryProtocol.DONE,
                        out -> SecondaryProtocol.statistics(out, port(port))));
                case SecondaryProtocol.RESET -> {
                    port(port).resetStatistics();
                    send(SecondaryProtocol.bytes(SecondaryProtocol.DONE, _ -> { }));
                }
                case SecondaryProtocol.LEND -> lend(port, queue);
                default -> {
                    return false;
                }
            }
        } catch (Refusal refused) {
            String sentence = String.valueOf(refused.getMessage());
            send(SecondaryProtocol.bytes(SecondaryProtocol.REFUSED, out -> {
                out.writeInt(refused.errno().number());
                out.writeUTF(sentence.substring(0, Math.min(sentence.length(), 1000)));
            }));
            return what != SecondaryProtocol.HELLO;
        }
        return true;
    }

    private EthDev port(int number) {
        return primary.ports().stream().filter(port -> port.number() == number).findFirst().orElseThrow(() ->
                new Refusal(Errno.ENODEV, "The primary " + primary.prefix() + " has no port " + number + " any more."));
    }

    private void hello(int version) throws SystemCallException {
        if (version != SecondaryProtocol.VERSION) {
            throw new Refusal(Errno.EPROTO, "The primary " + primary.prefix() + " talks to secondaries by version "
                    + SecondaryProtocol.VERSION + ", not " + version + "; start both by the same release.");
        }
        PacketPlan plan = new PacketPlan("pool of " + who(), PACKETS, 0, primary.room());
        packets = new LentPackets(pools.make(plan));
        // before the secondary knows of ports: nothing that happens to them later escapes it
        listening = primary.listen(this::happened);
        send(SecondaryProtocol.bytes(SecondaryProtocol.DONE, out -> {
            out.writeInt(plan.packets());
            out.writeInt(plan.room());
            List<EthDev> ports = primary.ports();
            out.writeInt(ports.size());
            for (EthDev port : ports) {
                SecondaryProtocol.known(out, port);
            }
        }), packets.pool().block().descriptor());
        moving = Thread.ofPlatform().daemon().name("pmd-lent-" + process).start(this::move);
    }

    private void lend(int port, int queue) throws SystemCallException {
        if (queues.size() >= MOST_QUEUES) {
            throw new Refusal(Errno.ENOSPC, "A secondary has " + MOST_QUEUES + " queues at most.");
        }
        PrimaryProcess.Pair pair = primary.lend(port, queue, who());
        MemoryBlock block = null;
        boolean lent = false;
        try {
            block = memory.make("rings of " + who(), QueueRings.BYTES);
            LentQueue made = new LentQueue(pair, block, packets);
            send(SecondaryProtocol.bytes(SecondaryProtocol.DONE, _ -> { }), block.descriptor());
            queues.add(made);
            lent = true;
            LOG.info("Queue {} of port {} of {} is polled by {}.", queue, port, primary.prefix(), who());
        } finally {
            if (!lent) {
                pair.giveBack().run();
                if (block != null) {
                    block.close();
                }
            }
        }
    }

    // ---- what it is told

    private void happened(EthDevEvent event) {
        try {
            send(SecondaryProtocol.bytes(SecondaryProtocol.EVENT, out -> {
                out.writeByte(event.kind().ordinal());
                out.writeInt(event.port());
                out.writeUTF(event.text().substring(0, Math.min(event.text().length(), 1000)));
            }));
        } catch (SystemCallException deaf) {
            LOG.debug("Secondary {} of {} is left: {}", process, primary.prefix(), deaf.getMessage());
            // the thread that receives of it ends it
            socket.shutdown();
        }
    }

    void gone(int port, String name) {
        happened(new EthDevEvent(EthDevEvent.Kind.INTR_RMV, port, "Port " + port + " (" + name
                + ") has been closed by its primary."));
    }

    private void send(byte[] message, int... descriptors) throws SystemCallException {
        socket.send(message, 0, message.length, descriptors);
    }

    // ---- its packets

    private void move() {
        try {
            int idle = 0;
            while (!ending) {
                int moved = packets.turn();
                for (LentQueue queue : queues) {
                    moved += queue.turn();
                    if (queue.isBroken()) {
                        LOG.warn("Secondary {} of {} is left: it has written into a ring what cannot be.", process,
                                primary.prefix());
                        return;
                    }
                }
                idle = moved > 0 ? 0 : rest(idle);
            }
        } catch (Throwable wrong) {
            LOG.warn("Secondary {} of {} is left: {}", process, primary.prefix(), wrong.toString());
        } finally {
            // who answers ends the rest
            socket.shutdown();
        }
    }

    private static int rest(int idle) {
        if (idle < PATIENCE) {
            Thread.onSpinWait();
            return idle + 1;
        }
        LockSupport.parkNanos(REST_NANOS);
        return idle;
    }

    /** When this returns, it has no queue any more. */
    @Override
    public void close() {
        socket.shutdown();
        join(answering);
    }

    private void end() {
        socket.shutdown();
        ending = true;
        if (moving != null) {
            join(moving);
        }
        long deadline = System.nanoTime() + LentQueue.LAST_NANOS;
        try {
            queues.forEach(queue -> queue.end(deadline));
        } finally {
            if (packets != null) {
                packets.end();
            }
            leave();
        }
    }

    private void leave() {
        socket.close();
        ended.accept(this);
        if (listening != null) {
            try {
                listening.close();
            } catch (Exception impossible) {
                LOG.warn("Events of a secondary do not end", impossible);
            }
            LOG.info("Secondary {} of {} has ended; what it had is home.", process, primary.prefix());
        }
    }

    private static void join(Thread thread) {
        boolean interrupted = false;
        while (thread != Thread.currentThread() && thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
