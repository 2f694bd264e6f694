package io.manafold.commands.rdma.internal;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

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
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * One end of rping. A message between the ends is where some text is: its address, its key, its length, 16 bytes in the order of the
 * network; messages that mean 'go on' have the same length. The peer may say anything: only the own text is ever touched.
 */
final class Rping implements AutoCloseable {
    private static final int PAGE = 4096;
    private static final int MESSAGE = 16;
    private static final long IN = 0;
    private static final long OUT = 64;
    private static final int SENDS = 16;
    private static final int FIRST_LETTER = 65;
    private static final int LAST_LETTER = 122;
    private static final Duration GLANCE = Duration.ofMillis(50);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private final Deque<AutoCloseable> made = new ArrayDeque<>();
    private final int size;
    private final PrintStream out;
    private final MemorySegment memory;
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

    /** @param out where the text is printed, or {@code null} */
    Rping(RdmaDevice device, MemorySource source, int size, PrintStream out) {
        this.size = size;
        this.out = out;
        long room = (size + PAGE - 1L) / PAGE * PAGE;
        sink = PAGE;
        start = PAGE + room;
        try {
            ProtectionDomain domain = keep(device.allocateDomain());
            MemoryBlock block = keep(source.make("rping of " + device.name(), PAGE + 2 * room));
            memory = block.segment();
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

    /** Reads and writes back until the peer has gone; how often. */
    int serve() throws InterruptedException {
        for (int times = 0;; times++) {
            if (!awaitMessage()) {
                return times;
            }
            read();
            print("server ping data: ");
            goOn();
            if (!awaitMessage()) {
                return times;
            }
            write();
            goOn();
        }
    }

    /** Has the peer read and write back so often, 0 for without end. */
    int ask(int count, boolean check) throws InterruptedException {
        int letter = FIRST_LETTER;
        for (int times = 0; count == 0 || times < count; times++) {
            fill(times, letter);
            letter = next(letter);
            advertise(start);
            requireMessage();
            advertise(sink);
            requireMessage();
            if (check && memory.asSlice(start, size).mismatch(memory.asSlice(sink, size)) >= 0) {
                throw new Refusal(Errno.EIO, "What has come back the " + times + "th time is not what was sent.");
            }
            print("ping data: ");
        }
        return count;
    }

    /** Text that is another one each time. */
    private void fill(int times, int first) {
        byte[] begin = ("rdma-ping-" + times + ": ").getBytes(StandardCharsets.US_ASCII);
        MemorySegment.copy(begin, 0, memory, JAVA_BYTE, start, Math.min(begin.length, size));
        int letter = first;
        for (int i = begin.length; i < size; i++) {
            memory.set(JAVA_BYTE, start + i, (byte) letter);
            letter = next(letter);
        }
        memory.set(JAVA_BYTE, start + size - 1, (byte) 0);
    }

    private static int next(int letter) {
        return letter == LAST_LETTER ? FIRST_LETTER : letter + 1;
    }

    private void print(String before) {
        if (out != null) {
            byte[] text = memory.asSlice(sink, length()).toArray(JAVA_BYTE);
            for (int i = 0; i < text.length; i++) {
                // the peer may send what terminals obey
                text[i] = text[i] < ' ' || text[i] > '~' ? (byte) '?' : text[i];
            }
            out.println(before + new String(text, StandardCharsets.US_ASCII));
        }
    }

    /** Of the text, without its end. */
    private int length() {
        int length = 0;
        while (length < size - 1 && memory.get(JAVA_BYTE, sink + length) != 0) {
            length++;
        }
        return length;
    }

    // ---- messages

    private void postReceive() {
        pair.post(receive.clear().receive(0).piece(messages.address() + IN, messages.localKey(), MESSAGE));
    }

    private void advertise(long text) throws InterruptedException {
        memory.set(LONG, OUT, texts.address() + text - PAGE);
        memory.set(INT, OUT + 8, texts.remoteKey());
        memory.set(INT, OUT + 12, size);
        goOn();
    }

    private void goOn() throws InterruptedException {
        carryOut(send.clear().send(0, SendList.SIGNALED).piece(messages.address() + OUT, messages.localKey(), MESSAGE));
    }

    private void read() throws InterruptedException {
        int length = memory.get(INT, IN + 12);
        if (length < 1 || length > size) {
            throw new Refusal(Errno.EMSGSIZE, "The other end has a text of " + Integer.toUnsignedString(length) + " bytes, and there is room "
                    + "for " + size + "; say the same -S at both ends.");
        }
        carryOut(send.clear().read(0, SendList.SIGNALED, memory.get(LONG, IN), memory.get(INT, IN + 8))
                .piece(texts.address() + sink - PAGE, texts.localKey(), length));
    }

    private void write() throws InterruptedException {
        carryOut(send.clear().write(0, SendList.SIGNALED, memory.get(LONG, IN), memory.get(INT, IN + 8))
                .piece(texts.address() + sink - PAGE, texts.localKey(), length() + 1));
    }

    private void carryOut(SendList one) throws InterruptedException {
        int before = done;
        pair.post(one);
        while (done == before) {
            if (!advance()) {
                throw gone();
            }
        }
    }

    private void requireMessage() throws InterruptedException {
        if (!awaitMessage()) {
            throw gone();
        }
    }

    private static Refusal gone() {
        return new Refusal(Errno.EIO, "The other end has disconnected before it was done.");
    }

    /** False if the peer has gone instead. */
    private boolean awaitMessage() throws InterruptedException {
        while (received == 0) {
            if (!advance()) {
                return false;
            }
        }
        received--;
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
        if (status == CompletionStatus.FLUSHED) {
            return false;
        }
        if (status != CompletionStatus.SUCCESS) {
            throw new Refusal(Errno.EIO, "A request of queue pair " + pair.number() + " has failed: " + status.label() + " ("
                    + status.number() + ").");
        }
        switch (completions.opcode(0)) {
            case RECV -> {
                if (completions.length(0) != MESSAGE) {
                    throw new Refusal(Errno.EPROTO, "The other end has sent " + completions.length(0) + " bytes, and messages have "
                            + MESSAGE + "; it is not rping.");
                }
                received++;
            }
            default -> done++;
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
