package io.manafold.pmd.internal.process;

import io.manafold.api.ethdev.EthDevEvent;
import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.linux.Descriptor;
import io.manafold.linux.SystemCallException;
import io.manafold.linux.UnixSocket;
import io.manafold.memory.AttachedBlock;
import io.manafold.memory.PacketPlan;
import io.manafold.memory.PacketPool;
import io.manafold.memory.PacketPools;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The way of a secondary to its primary in another process: questions, answers, and events on a thread of its own. */
public final class PrimaryConnection implements AutoCloseable {
    private static final long ANSWER_MILLIS = 5000;
    private static final int ENOENT = 2;
    private static final int ECONNREFUSED = 111;

    private final Path path;
    private final UnixSocket socket;
    private final int process;
    private final Consumer<EthDevEvent> events;
    private final Runnable lost;
    /** At most one: a question waits for the answer to the one before. */
    private final BlockingQueue<Answer> answers = new ArrayBlockingQueue<>(1);
    private final List<SecondaryProtocol.Known> ports = new ArrayList<>();
    private final PacketPool pool;
    private volatile boolean over;

    /** What has come as an answer. */
    private record Answer(byte[] bytes, int length, List<Descriptor> descriptors) {
        int kind() {
            return bytes[0];
        }

        DataInputStream data() {
            return new DataInputStream(new ByteArrayInputStream(bytes, 1, length - 1));
        }
    }

    /** Reads an answer. */
    interface Reading<T> {
        T of(DataInputStream in) throws IOException;
    }

    /**
     * Connects.
     *
     * @param checks whether its pool knows who has each packet
     * @param events is told what happens to ports
     * @param lost is told once that the primary has gone
     * @throws Refusal {@code ENODEV} if there is no primary, or it does not answer, and what it says
     */
    public PrimaryConnection(Path path, PacketPools pools, int cache, boolean checks, Consumer<EthDevEvent> events,
            Runnable lost) {
        this.path = path;
        this.events = events;
        this.lost = lost;
        try {
            socket = UnixSocket.connectForPackets(path, ANSWER_MILLIS);
        } catch (SystemCallException none) {
            throw new Refusal(Errno.ENODEV, "There is no primary to attach to at " + path + ": " + none.getMessage()
                    + ". Start one with the same --file-prefix first, without --in-memory.", none);
        }
        PacketPool made = null;
        try {
            process = socket.peer().process();
            Thread.ofPlatform().daemon().name("pmd-attached-" + process).start(this::receive);
            made = hello(pools, cache, checks);
        } catch (SystemCallException gone) {
            throw gone(gone);
        } finally {
            if (made == null) {
                over = true;
                socket.close();
            }
        }
        pool = made;
    }

    /** Whether a connection was refused because no process listens there, though there may be a file. */
    public static boolean foundNone(Refusal refused) {
        return refused.getCause() instanceof SystemCallException why && why.call().startsWith("connect ")
                && (why.errno() == ENOENT || why.errno() == ECONNREFUSED);
    }

    private PacketPool hello(PacketPools pools, int cache, boolean checks) {
        Answer answer = ask(SecondaryProtocol.HELLO, SecondaryProtocol.VERSION, 0, 1);
        Descriptor file = answer.descriptors.getFirst();
        try {
            DataInputStream in = answer.data();
            PacketPlan plan = new PacketPlan("packets of process " + process, in.readInt(), cache, in.readInt(),
                    checks);
            for (int left = SecondaryProtocol.ports(in); left > 0; left--) {
                ports.add(SecondaryProtocol.known(in));
            }
            return pools.attach(plan, new AttachedBlock(plan.name(), file.duplicate(), PacketPools.bytes(plan)));
        } catch (IOException wrong) {
            throw nonsense(wrong);
        } finally {
            file.close();
        }
    }

    /** The process of the primary. */
    public int process() {
        return process;
    }

    /** Packets that this side has. */
    public PacketPool pool() {
        return pool;
    }

    public List<AttachedPort> ports() {
        return ports.stream().map(port -> new AttachedPort(this, port)).toList();
    }

    // ---- questions

    <T> T ask(int what, int port, Reading<T> reading) {
        try {
            return reading.of(ask(what, port, 0, 0).data());
        } catch (IOException wrong) {
            throw nonsense(wrong);
        }
    }

    AttachedQueue lend(int port, int queue) {
        Descriptor file = ask(SecondaryProtocol.LEND, port, queue, 1).descriptors.getFirst();
        MemoryBlock block = new AttachedBlock("rings of queue " + queue + " of port " + port, file, QueueRings.BYTES);
        return new AttachedQueue(pool, block, why -> socket.shutdown());
    }

    private synchronized Answer ask(int what, int port, int queue, int descriptors) {
        if (over) {
            throw gone(null);
        }
        byte[] question = ByteBuffer.allocate(SecondaryProtocol.QUESTION).putInt(what).putInt(port).putInt(queue)
                .array();
        Answer answer;
        try {
            socket.send(question, 0, question.length);
            answer = answers.poll(ANSWER_MILLIS, TimeUnit.MILLISECONDS);
        } catch (SystemCallException failed) {
            throw gone(failed);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            // an answer that comes later would be taken for another's
            socket.shutdown();
            throw new Refusal(Errno.EINTR, "The question to the primary at " + path
                    + " was interrupted; attach again.");
        }
        if (answer == null) {
            socket.shutdown();
            // as the real driver, for which a primary that says nothing is one that has gone
            throw new Refusal(Errno.ENODEV, "The primary at " + path + " has not answered for "
                    + TimeUnit.MILLISECONDS.toSeconds(ANSWER_MILLIS) + " seconds and is left. See what holds process "
                    + process + ".");
        }
        if (answer.length < 0) {
            throw gone(null);
        }
        if (answer.kind() == SecondaryProtocol.DONE && answer.descriptors.size() == descriptors) {
            return answer;
        }
        answer.descriptors.forEach(Descriptor::close);
        throw answer.kind() == SecondaryProtocol.REFUSED ? refusal(answer) : nonsense(null);
    }

    private Refusal refusal(Answer answer) {
        try {
            DataInputStream in = answer.data();
            Errno errno = Errno.of(in.readInt());
            return new Refusal(errno == null ? Errno.EPROTO : errno, in.readUTF());
        } catch (IOException wrong) {
            return nonsense(wrong);
        }
    }

    private Refusal nonsense(IOException why) {
        socket.shutdown();
        return new Refusal(Errno.EPROTO, "The primary at " + path
                + " answers what is no answer here, and is left; start both by the same release.", why);
    }

    private Refusal gone(SystemCallException why) {
        return new Refusal(Errno.ENODEV, "The primary at " + path + " (process " + process
                + ") has ended; start another, and attach to it.", why);
    }

    // ---- what comes

    private void receive() {
        try {
            while (true) {
                byte[] bytes = new byte[SecondaryProtocol.MOST_BYTES];
                List<Descriptor> descriptors = new ArrayList<>();
                int length = socket.receive(bytes, 0, bytes.length, descriptors);
                if (length < 0) {
                    break;
                }
                if (bytes[0] == SecondaryProtocol.EVENT) {
                    descriptors.forEach(Descriptor::close);
                    tell(new DataInputStream(new ByteArrayInputStream(bytes, 1, length - 1)));
                } else if (!answers.offer(new Answer(bytes, length, descriptors))) {
                    descriptors.forEach(Descriptor::close);
                    break;
                }
            }
        } catch (IOException | RuntimeException gone) {
            // it has gone, or says what cannot be: there is no difference for what is attached
        } finally {
            boolean expected = over;
            over = true;
            socket.close();
            answers.offer(new Answer(new byte[1], -1, List.of()));
            if (!expected) {
                lost.run();
            }
        }
    }

    private void tell(DataInputStream in) throws IOException {
        int kind = in.readUnsignedByte();
        if (kind < EthDevEvent.Kind.values().length) {
            events.accept(new EthDevEvent(EthDevEvent.Kind.values()[kind], in.readInt(), in.readUTF()));
        }
    }

    /** Leaves the primary, whose queues may still have packets. */
    public void leave() {
        over = true;
        socket.close();
    }

    /** Leaves the primary. Packets that are out keep the memory of the pool. */
    @Override
    public void close() {
        leave();
        if (pool != null) {
            pool.close();
        }
    }
}
