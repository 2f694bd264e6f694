package io.manafold.vfio.internal.borrow;

import io.manafold.api.refusal.Errno;
import io.manafold.linux.UnixSocket;
import io.manafold.vfio.internal.protocol.Line;
import io.manafold.vfio.internal.protocol.MessageReader;
import io.manafold.vfio.internal.protocol.Request;
import io.manafold.vfio.internal.protocol.SessionEndedException;
import io.manafold.vfio.internal.protocol.VfioUser;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Questions to the lender of a function, and the answers. Any thread asks; one thread receives. An answer that does not
 * come in time, or cannot be one, ends the conversation for good: threads that wait are told, and none waits any more.
 */
final class Conversation {
    private static final Logger LOG = LoggerFactory.getLogger(Conversation.class);
    private static final int ANSWER = VfioUser.TYPE_REPLY;
    private static final int REFUSAL = VfioUser.TYPE_REPLY | VfioUser.FLAG_ERROR;
    private static final int IDS = 0xffff;

    private final Line line;
    private final MessageReader reader;
    private final MessageWriter writer;
    private final Request message = new Request();
    private final long patience;
    private final Map<Integer, PendingRequest> open = new ConcurrentHashMap<>();
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicReference<LenderGoneException> lenderGone = new AtomicReference<>();
    private final Runnable onEnd;
    private final Thread thread;
    private volatile boolean over;

    /** @param onEnd called once, on a thread of this conversation's own, when it has ended */
    Conversation(String name, UnixSocket socket, Duration patience, Runnable onEnd) throws IOException {
        this.patience = patience.toNanos();
        this.onEnd = onEnd;
        line = new Line(socket, this.patience);
        reader = new MessageReader(line);
        writer = new MessageWriter(line);
        thread = Thread.ofPlatform().daemon().name("manafold-borrow-" + name).unstarted(this::receive);
    }

    void begin() {
        thread.start();
    }

    boolean isOver() {
        return over;
    }

    /** Why it ended, or {@code null}. */
    LenderGoneException lenderGone() {
        return lenderGone.get();
    }

    /** From now on several writes may go in one message. */
    void together() {
        writer.together();
    }

    /**
     * Asks, and waits for the answer.
     *
     * @param least the shortest body that an answer can have, and {@code most} the longest
     * @throws io.manafold.api.refusal.Refusal with the errno of the answer, if that says no
     */
    ByteBuffer ask(RequestBuilder question, int least, int most) throws LenderGoneException {
        PendingRequest asked = new PendingRequest(question.command(), most);
        int id = next.getAndIncrement() & IDS;
        while (open.putIfAbsent(id, asked) != null) {
            id = next.getAndIncrement() & IDS;
        }
        try {
            send(question.named(id));
            if (!asked.await(patience)) {
                end(Errno.ETIMEDOUT, "it did not answer " + question.name() + " within "
                        + Duration.ofNanos(patience).toMillis() + " ms");
            }
            if (!asked.isAnswered()) {
                throw why();
            }
        } finally {
            open.remove(id, asked);
        }
        ByteBuffer body = asked.body(question.name());
        if (body.capacity() < least) {
            throw violated("its answer to " + question.name() + " has " + body.capacity() + " bytes; it has " + least
                    + (least == most ? "" : " at least"));
        }
        return body;
    }

    private void send(RequestBuilder question) throws LenderGoneException {
        if (over) {
            throw why();
        }
        try {
            writer.send(question.message(), question.descriptors());
        } catch (SessionEndedException silent) {
            end(Errno.ETIMEDOUT, silent.getMessage());
        } catch (IOException broken) {
            end(Errno.ENODEV, "the connection broke: " + broken.getMessage());
        }
    }

    /** Writes to a region without waiting. Goes nowhere when the conversation is over. */
    void post(int region, long offset, int width, long value) {
        if (over) {
            return;
        }
        try {
            writer.post(region, offset, width, value);
        } catch (SessionEndedException silent) {
            end(Errno.ETIMEDOUT, silent.getMessage());
        } catch (IOException broken) {
            end(Errno.ENODEV, "the connection broke: " + broken.getMessage());
        }
    }

    /** The other side did what it may not: ends the conversation, and is what to throw. */
    LenderGoneException violated(String clause) {
        end(Errno.EPROTO, clause);
        return why();
    }

    private LenderGoneException why() {
        LenderGoneException known = lenderGone.get();
        return known != null ? known : new LenderGoneException(Errno.ENODEV, "it left");
    }

    /** Ends the conversation soon; the first reason counts. Any thread may call, and none waits. */
    void end(Errno errno, String clause) {
        lenderGone.compareAndSet(null, new LenderGoneException(errno, clause));
        over = true;
        writer.end();
        line.shutdown();
        open.values().forEach(PendingRequest::abandon);
    }

    /** Waits until the thread has ended. */
    void join(Duration limit) {
        try {
            thread.join(limit);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    private void receive() {
        Errno errno = Errno.ENODEV;
        String why;
        try {
            listen();
            why = "it left";
        } catch (LenderGoneException wrong) {
            errno = wrong.errno();
            why = wrong.getMessage();
        } catch (SessionEndedException left) {
            why = left.getMessage();
        } catch (IOException broken) {
            why = "the connection broke: " + broken.getMessage();
        } catch (RuntimeException unexpected) {
            LOG.error("an answer could not be read", unexpected);
            why = "an error here";
        }
        end(errno, why);
        reader.closeDescriptors();
        line.close();
        onEnd.run();
    }

    private void listen() throws LenderGoneException, SessionEndedException, IOException {
        while (!over) {
            while (reader.next(message)) {
                try {
                    take();
                } finally {
                    message.closeDescriptors();
                }
            }
            reader.receive(true);
        }
    }

    private void take() throws LenderGoneException, SessionEndedException, IOException {
        int flags = message.flags();
        if ((flags & VfioUser.TYPE_MASK) == VfioUser.TYPE_REQUEST) {
            decline();
            return;
        }
        PendingRequest asked = open.get(message.id());
        if (asked == null || asked.command() != message.command() || flags != ANSWER && flags != REFUSAL) {
            throw new LenderGoneException(Errno.EPROTO,
                    "its " + VfioUser.name(message.command()) + " with id " + message.id()
                    + " and flags 0x" + Integer.toHexString(flags) + " is no answer to anything that was asked");
        }
        if (flags == REFUSAL) {
            open.remove(message.id());
            asked.answer(message.error() == 0 ? Errno.EIO.number() : message.error(), null);
            return;
        }
        if (message.bodySize() > asked.most()) {
            throw new LenderGoneException(Errno.EPROTO, "its answer to " + VfioUser.name(message.command()) + " has "
                    + message.bodySize() + " bytes; it has at most " + asked.most());
        }
        byte[] body = new byte[message.bodySize()];
        message.get(0, body);
        open.remove(message.id());
        asked.answer(0, body);
    }

    /** Memory is lent as files, so the lender needs not to ask for its contents here. */
    private void decline() throws SessionEndedException, IOException {
        if (message.wantsReply()) {
            ByteBuffer no = ByteBuffer.allocate(VfioUser.HEADER).order(ByteOrder.LITTLE_ENDIAN);
            no.putShort(VfioUser.ID, (short) message.id()).putShort(VfioUser.COMMAND, (short) message.command())
                    .putInt(VfioUser.SIZE, VfioUser.HEADER).putInt(VfioUser.FLAGS, REFUSAL)
                    .putInt(VfioUser.ERROR, Errno.EOPNOTSUPP.number());
            writer.send(no.array(), new int[0]);
        }
    }
}
