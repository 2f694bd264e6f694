package io.manafold.commands.rdma.internal;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.memory.MemorySource;
import io.manafold.api.rdma.Access;
import io.manafold.api.rdma.CompletionQueue;
import io.manafold.api.rdma.CompletionStatus;
import io.manafold.api.rdma.Completions;
import io.manafold.api.rdma.ConnectionEvent;
import io.manafold.api.rdma.MemoryRegion;
import io.manafold.api.rdma.ProtectionDomain;
import io.manafold.api.rdma.QueuePair;
import io.manafold.api.rdma.QueuePairAttributes;
import io.manafold.api.rdma.QueuePairPlan;
import io.manafold.api.rdma.RdmaConnection;
import io.manafold.api.rdma.RdmaDevice;
import io.manafold.api.rdma.ReceiveList;
import io.manafold.api.rdma.SendList;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * One end of rping. A message between the ends is where some text is: its address, its key, its length, 16 bytes in the
 * order of the network; messages that mean 'go on' have the same length. The peer may say anything: only the own text
 * is ever touched.
 */
final class Rping implements AutoCloseable {
    private static final int PAGE = 4096;
    private static final int MESSAGE = 16;
    private static final long IN = 0;
    private static final long OUT = 64;
    private static final int SENDS = 16;
    private static final Duration GLANCE = Duration.ofMillis(50);
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** The number of a request that asks whether the peer is there. */
    private static final long ALIVE = 1;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private final Deque<AutoCloseable> made = new ArrayDeque<>();
    private final int size;
    private final MemorySegment memory;
    private final PingText text;
    private final MemoryRegion messages;
    private final MemoryRegion texts;
    private final CompletionQueue queue;
    private final QueuePair pair;
    private final Completions completions = new Completions(1);
    private final SendList send = new SendList(1);
    private final ReceiveList receive = new ReceiveList(1);
    private final long start;
    private final long sink;
    private RdmaConnection connection;
    private int received;
    private int done;
    private boolean over;
    /** Whether it has asked the peer if it is there, and since when nothing came from it. */
    private boolean asking;
    private long heard = System.nanoTime();

    /** @param out where the text is printed, or {@code null} */
    Rping(RdmaDevice device, MemorySource source, int size, PrintStream out) {
        this.size = size;
        long room = (size + PAGE - 1L) / PAGE * PAGE;
        sink = PAGE;
        start = PAGE + room;
        try {
            ProtectionDomain domain = keep(device.allocateDomain());
            MemoryBlock block = keep(source.make("rping of " + device.name(), PAGE + 2 * room));
            memory = block.segment();
            text = new PingText(memory, start, sink, size, out);
            messages = keep(domain.register(block, 0, PAGE, Access.LOCAL_WRITE));
            texts = keep(domain.register(block, PAGE, 2 * room, End.RIGHTS));
            queue = keep(device.createCompletionQueue(2 * SENDS));
            pair = keep(domain.createQueuePair(QueuePairPlan.reliable(queue, SENDS, 2)));
        } catch (RuntimeException refused) {
            close();
            throw refused;
        }
    }

    private <T extends AutoCloseable> T keep(T one) {
        made.push(one);
        return one;
    }

    QueuePair pair() {
        return pair;
    }

    /** Can take a message of a peer, whose connection comes to this port. */
    void ready(int port) {
        pair.modify(QueuePairAttributes.init(End.RIGHTS).port(port));
        postReceive();
    }

    /** Its pair has this connection. */
    RdmaConnection use(RdmaConnection by) {
        connection = by;
        return by;
    }

    // ---- the two ends

    /** Reads and writes back until the peer has gone, wherever it was then; how often. */
    int serve() throws InterruptedException {
        int times = 0;
        while (readOnce() && writeOnce()) {
            times++;
        }
        return times;
    }

    private boolean readOnce() throws InterruptedException {
        if (!awaitMessage() || !read()) {
            return false;
        }
        text.print("server ping data: ");
        return goOn();
    }

    private boolean writeOnce() throws InterruptedException {
        return awaitMessage() && write() && goOn();
    }

    /** Has the peer read and write back so often, 0 for without end. */
    int ask(int count, boolean check) throws InterruptedException {
        for (int times = 0; count == 0 || times < count; times++) {
            text.fill(times);
            advertise(start);
            requireMessage();
            advertise(sink);
            requireMessage();
            if (check && !text.isSame()) {
                throw new Refusal(Errno.EIO, "What has come back the " + times + "th time is not what was sent.");
            }
            text.print("ping data: ");
        }
        return count;
    }

    // ---- messages

    private void postReceive() {
        pair.post(receive.clear().receive(0).piece(messages.address() + IN, messages.localKey(), MESSAGE));
    }

    private void advertise(long place) throws InterruptedException {
        memory.set(LONG, OUT, texts.address() + place - PAGE);
        memory.set(INT, OUT + 8, texts.remoteKey());
        memory.set(INT, OUT + 12, size);
        require(goOn());
    }

    private boolean goOn() throws InterruptedException {
        return carryOut(send.clear().send(0, SendList.SIGNALED).piece(messages.address() + OUT, messages.localKey(),
                MESSAGE));
    }

    private boolean read() throws InterruptedException {
        int length = memory.get(INT, IN + 12);
        if (length < 1 || length > size) {
            throw new Refusal(Errno.EMSGSIZE, "The other end has a text of " + Integer.toUnsignedString(length)
                    + " bytes, and there is room for " + size + "; say the same -S at both ends.");
        }
        return carryOut(send.clear().read(0, SendList.SIGNALED, memory.get(LONG, IN), memory.get(INT, IN + 8))
                .piece(texts.address() + sink - PAGE, texts.localKey(), length));
    }

    private boolean write() throws InterruptedException {
        return carryOut(send.clear().write(0, SendList.SIGNALED, memory.get(LONG, IN), memory.get(INT, IN + 8))
                .piece(texts.address() + sink - PAGE, texts.localKey(), text.length() + 1));
    }

    /** False if the peer has gone meanwhile. */
    private boolean carryOut(SendList one) throws InterruptedException {
        int before = done;
        pair.post(one);
        while (done == before) {
            if (!advance()) {
                return false;
            }
        }
        return true;
    }

    private void requireMessage() throws InterruptedException {
        require(awaitMessage());
    }

    private static void require(boolean there) {
        if (!there) {
            throw new Refusal(Errno.EIO, "The other end has disconnected before it was done.");
        }
    }

    /**
     * A peer that was killed may say nothing, and its device answers no more. So a peer that lets this end wait is
     * written no bytes, for which there need be no memory, and which its device has to acknowledge; the peer does not
     * learn of that.
     */
    private void askIfAlive() {
        long now = System.nanoTime();
        if (!asking && now - heard > PAUSE_NANOS) {
            heard = now;
            asking = pair.post(send.clear().write(ALIVE, SendList.SIGNALED, 0, 0)) == 1;
        }
    }

    /** False if the peer has gone instead. */
    private boolean awaitMessage() throws InterruptedException {
        while (received == 0) {
            askIfAlive();
            if (!advance()) {
                return false;
            }
        }
        received--;
        heard = System.nanoTime();
        // a peer that sends the next one too soon spoils only what it has said itself
        postReceive();
        return true;
    }

    /** Takes a completion, or waits for one a while; false if there will be none any more. */
    private boolean advance() throws InterruptedException {
        if (queue.poll(completions) == 0) {
            queue.arm();
            if (queue.poll(completions) == 0) {
                if (over) {
                    return false;
                }
                over = isOver();
                if (!over) {
                    queue.await(GLANCE);
                }
                return true;
            }
        }
        CompletionStatus status = completions.status(0);
        if (status == CompletionStatus.FLUSHED || status == CompletionStatus.RETRIES_EXCEEDED) {
            return false;
        }
        if (status != CompletionStatus.SUCCESS) {
            throw new Refusal(Errno.EIO, "A request of queue pair " + pair.number() + " has failed: " + status.label()
                    + " (" + status.number() + ").");
        }
        switch (completions.opcode(0)) {
            case RECV -> {
                if (completions.length(0) != MESSAGE) {
                    throw new Refusal(Errno.EPROTO, "The other end has sent " + completions.length(0)
                            + " bytes, and messages have " + MESSAGE + "; it is not rping.");
                }
                received++;
            }
            default -> {
                boolean alive = completions.id(0) == ALIVE;
                asking &= !alive;
                done += alive ? 0 : 1;
            }
        }
        return true;
    }

    private boolean isOver() throws InterruptedException {
        Optional<ConnectionEvent> event = connection.next(Duration.ZERO);
        return event.isPresent() && event.get().type() != ConnectionEvent.Type.ESTABLISHED;
    }

    @Override
    public void close() {
        while (!made.isEmpty()) {
            try {
                made.pop().close();
            } catch (Refusal goneAlready) {
                // what is left goes all the same
            } catch (Exception impossible) {
                throw new IllegalStateException(impossible);
            }
        }
    }
}
