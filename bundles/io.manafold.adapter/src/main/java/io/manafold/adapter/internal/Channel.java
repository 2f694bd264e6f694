package io.manafold.adapter.internal;

import io.manafold.adapter.internal.queue.CompletionQueue;
import io.manafold.adapter.internal.queue.EventQueue;
import io.manafold.adapter.internal.queue.KeyedMemory;
import io.manafold.adapter.internal.queue.QueueMemory;
import io.manafold.api.adapter.Fault;
import io.manafold.gdma.ChannelCompletion;
import io.manafold.gdma.ChannelInit;
import io.manafold.gdma.EventEntry;
import io.manafold.gdma.Limits;
import io.manafold.gdma.SharedMemory.Establish;
import io.manafold.gdma.WorkRequest;
import io.manafold.gdma.message.Message;
import io.manafold.gdma.message.RequestHead;
import io.manafold.memory.DmaTable;
import io.manafold.memory.RawMemory;
import io.manafold.memory.Reader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * The adapter's end of the hardware channel. A request is copied once, and it is the copy that is looked at; an answer
 * goes into the next posted buffer. All but the doorbells is done by the control agent.
 */
final class Channel {
    static final String NAME = "hardware channel";
    static final int EVENT_QUEUE = 0;
    static final int COMPLETION_QUEUE = 1;
    static final int RECEIVE_QUEUE = 2;
    static final int SEND_QUEUE = 3;
    /** As many requests as have room in the completion queue with their answers. */
    static final int DEPTH = 32;

    private static final int BURST = 32;
    private static final int MOST_LATE = 128;
    private static final int CUT_SHORT = 24;
    /** How long an answer waits for the one that is to overtake it. */
    private static final long OVERTAKEN_NANOS = 1_000_000_000;
    /** Where a response says how long it is. */
    private static final int RESPONSE_LENGTH = 0x0c;
    /** What is where the driver asked for nothing. */
    private static final byte SURPLUS = (byte) 0xa5;

    private final FunctionParts hardware;
    private final DmaTable memory;
    private final Reader reader;
    private final Runnable wake;
    private final int pd;
    private final int key;
    private final Keys keys;
    private final EventQueue events;
    private final CompletionQueue completions;
    private final ChannelRing sends;
    private final ChannelRing receives;
    private final Message request = new Message();
    private final Message response = new Message();
    private final ArrayDeque<Late> late = new ArrayDeque<>();
    private volatile boolean broken;
    private volatile long served;
    /** Answers that have gone; control agent only. */
    private long completed;

    /**
     * An answer that is not for now.
     *
     * @param overtaken whether it comes as soon as another one has gone
     */
    private record Late(long due, byte[] bytes, boolean overtaken) {
    }

    /**
     * What came of a request.
     *
     * @param fault what goes wrong with the answer, or {@code null}
     * @param after what is done once the answer is on its way, or {@code null}
     */
    record Outcome(Fault fault, Runnable after) {
    }

    Channel(FunctionParts hardware, Reader reader, Establish asked, Keys keys, int pd, Doorbells doorbells,
            Runnable wake) {
        this.hardware = hardware;
        this.memory = hardware.memory();
        this.reader = reader;
        this.wake = wake;
        this.keys = keys;
        this.pd = pd;
        this.key = keys.addLocal(pd, KeyedMemory.WHOLE);
        this.events = new EventQueue(EVENT_QUEUE, page(asked.eventQueue()),
                hardware.vectors().vector(asked.vector()), hardware.rejections());
        this.completions = new CompletionQueue(COMPLETION_QUEUE, page(asked.completionQueue()), events, true);
        this.receives = new ChannelRing(NAME + " receive queue", page(asked.receiveQueue()), hardware.rejections());
        this.sends = new ChannelRing(NAME + " send queue", page(asked.sendQueue()), hardware.rejections());
        int page = DoorbellPages.CHANNEL;
        doorbells.event.put(EVENT_QUEUE, new Doorbells.Door(page, events::doorbell));
        doorbells.completion.put(COMPLETION_QUEUE, new Doorbells.Door(page, completions::doorbell));
        doorbells.receive.put(RECEIVE_QUEUE, new Doorbells.Door(page, (index, arm) -> ring(receives, index)));
        doorbells.send.put(SEND_QUEUE, new Doorbells.Door(page, (index, arm) -> ring(sends, index)));
    }

    private QueueMemory page(long address) {
        return new QueueMemory(memory, new long[] {address}, Limits.CHANNEL_QUEUE);
    }

    private void ring(ChannelRing ring, int index) {
        ring.doorbell(index);
        wake.run();
    }

    /** Tells the driver what the channel consists of. */
    void introduce() {
        events.post(EventEntry.CHANNEL_DOORBELL,
                EventEntry.channelDoorbell(EVENT_QUEUE, DoorbellPages.CHANNEL));
        tell(ChannelInit.COMPLETION_QUEUE, COMPLETION_QUEUE);
        tell(ChannelInit.RECEIVE_QUEUE, RECEIVE_QUEUE);
        tell(ChannelInit.SEND_QUEUE, SEND_QUEUE);
        tell(ChannelInit.DEPTH, DEPTH);
        tell(ChannelInit.MAX_REQUEST, Limits.MESSAGE);
        tell(ChannelInit.MAX_RESPONSE, Limits.MESSAGE);
        tell(ChannelInit.COMPLETION_QUEUES, Doorbells.COMPLETION_IDS);
        tell(ChannelInit.PROTECTION_DOMAIN, pd);
        tell(ChannelInit.MEMORY_KEY, key);
        events.post(EventEntry.CHANNEL_DONE, 0);
    }

    private void tell(int type, int value) {
        events.post(EventEntry.CHANNEL_DATA, EventEntry.typed(type, value));
    }

    EventQueue events() {
        return events;
    }

    /** Whether there is nothing that could be served. Any thread. */
    boolean isIdle() {
        return broken || sends.isEmpty() || receives.isEmpty();
    }

    /** Requests answered since the channel came up. */
    long served() {
        return served;
    }

    boolean isBroken() {
        return broken;
    }

    /**
     * Serves what is there, within bounds.
     *
     * @param commands carries a request out and writes the answer
     * @return in how many nanoseconds there is more to do
     */
    long work(Commands commands) {
        deliverLate();
        for (int done = 0; done < BURST; done++) {
            if (isIdle()) {
                // what is late is not delivered any more once the channel is broken
                return broken || late.isEmpty() || receives.isEmpty() ? Long.MAX_VALUE
                        : Math.max(1, firstDue() - System.nanoTime());
            }
            serve(commands);
        }
        return 0;
    }

    private long firstDue() {
        long first = late.peek().due;
        for (Late one : late) {
            first = one.due - first < 0 ? one.due : first;
        }
        return first;
    }

    private void deliverLate() {
        Iterator<Late> each = late.iterator();
        while (each.hasNext() && !broken && !receives.isEmpty()) {
            Late one = each.next();
            if (one.due - System.nanoTime() <= 0) {
                each.remove();
                answer(one.bytes, one.bytes.length);
            }
        }
    }

    /** Another answer has gone: what it was to overtake follows. */
    private void deliverOvertaken() {
        Iterator<Late> each = late.iterator();
        while (each.hasNext() && !broken && !receives.isEmpty()) {
            Late one = each.next();
            if (one.overtaken) {
                each.remove();
                answer(one.bytes, one.bytes.length);
            }
        }
    }

    private void serve(Commands commands) {
        if (!receiveRequest()) {
            return;
        }
        Outcome outcome = commands.carryOut(request, response);
        served++;
        long before = completed;
        int waiting = late.size();
        if (outcome.fault() == null) {
            answer(response.bytes(), response.length());
        } else {
            misbehave(outcome.fault());
        }
        if (waiting > 0 && completed != before) {
            deliverOvertaken();
        }
        if (outcome.after() != null) {
            outcome.after().run();
        }
    }

    private void misbehave(Fault fault) {
        switch (fault.effect()) {
            case STATUS -> answer(response.bytes(), response.length());
            case LATE -> postpone(fault.delayNanos(), false);
            case TWICE -> {
                answer(response.bytes(), response.length());
                postpone(0, false);
                deliverLate();
            }
            case SHORT -> answer(response.bytes(), Math.min(CUT_SHORT, response.length()));
            case OVERSIZED -> {
                oversize();
                answer(response.bytes(), response.length());
            }
            case REORDERED -> {
                if (late.stream().anyMatch(Late::overtaken)) {
                    answer(response.bytes(), response.length());
                } else {
                    postpone(OVERTAKEN_NANOS, true);
                }
            }
            default -> {
                // withheld
            }
        }
    }

    /** The whole of what a message may be, and the head says so. */
    private void oversize() {
        Arrays.fill(response.bytes(), response.length(), Limits.MESSAGE, SURPLUS);
        response.resize(Limits.MESSAGE).put32(RESPONSE_LENGTH, Limits.MESSAGE);
    }

    private void postpone(long nanos, boolean overtaken) {
        if (late.size() < MOST_LATE) {
            late.add(new Late(System.nanoTime() + nanos, Arrays.copyOf(response.bytes(), response.length()),
                    overtaken));
        }
    }

    /** Takes the next request out of the ring and copies it; false if there is nothing that could be answered. */
    private boolean receiveRequest() {
        reader.enter();
        try {
            int[] words = sends.take(WorkRequest.MAX_SEND);
            if (words == null) {
                giveUp(NAME + " send queue");
                return false;
            }
            boolean copied = copy(words);
            complete(ChannelCompletion.SENT | ChannelCompletion.END_OF_MESSAGE, 0, 0, SEND_QUEUE, true);
            if (!copied) {
                completions.flush();
                hardware.rejections().note(NAME, bytes(words), "a request lies in the function's memory, under the "
                        + "channel's key, and has 40 to 4096 bytes", "send a message with a whole head, with the key "
                        + key, "the request was not answered");
            }
            return copied;
        } finally {
            reader.leave();
        }
    }

    /** Messages lie in the function's memory by its own addresses. */
    private boolean isWhole(int key, boolean write) {
        KeyedMemory keyed = keys.find(key, pd, write);
        return keyed != null && keyed.isWhole();
    }

    private boolean copy(int[] words) {
        int length = 0;
        for (Piece piece : pieces(words)) {
            if (!isWhole(piece.key, false) || piece.length < 0 || piece.length > Limits.MESSAGE - length
                    || !inMemory(() -> memory.read(piece.address, request.bytes(), piece.offset, piece.length))) {
                return false;
            }
            length += piece.length;
        }
        request.resize(length);
        return length >= RequestHead.SIZE;
    }

    /** Sends an answer into the next posted buffer. */
    private void answer(byte[] bytes, int length) {
        reader.enter();
        try {
            int offset = receives.offset();
            int[] words = receives.take(WorkRequest.MAX_RECEIVE);
            if (words == null) {
                giveUp(NAME + " receive queue");
                return;
            }
            int written = 0;
            for (Piece piece : pieces(words)) {
                int part = Math.min(length - written, piece.length);
                int from = written;
                if (part <= 0) {
                    break;
                }
                if (!isWhole(piece.key, true)
                        || !inMemory(() -> memory.write(piece.address, bytes, from, part))) {
                    hardware.rejections().note(NAME, bytes(words), "a buffer for answers lies in the function's "
                            + "memory, under the channel's key", "post writable memory with the key " + key,
                            "the answer was cut short");
                    break;
                }
                written += part;
            }
            complete(ChannelCompletion.RECEIVED | ChannelCompletion.END_OF_MESSAGE | ChannelCompletion.START_OF_MESSAGE,
                    offset, written, RECEIVE_QUEUE, false);
            completions.flush();
            completed++;
        } finally {
            reader.leave();
        }
    }

    private void complete(int flags, int offset, int length, int queue, boolean sent) {
        inMemory(() -> {
            long entry = completions.begin();
            if (entry != 0) {
                RawMemory.put32(entry + ChannelCompletion.FLAGS, flags);
                RawMemory.put32(entry + ChannelCompletion.REQUEST_OFFSET, offset);
                RawMemory.put32(entry + ChannelCompletion.LENGTH, length);
                completions.commit(queue, sent);
            }
            return entry != 0;
        });
    }

    /** False also if the file behind the memory has become shorter in the meantime. */
    private static boolean inMemory(BooleanSupplier access) {
        try {
            boolean done = access.getAsBoolean();
            RawMemory.settle();
            return done;
        } catch (InternalError gone) {
            return false;
        }
    }

    private void giveUp(String where) {
        broken = true;
        hardware.rejections().note(where, new byte[0], "a work request has 1 to 30 pieces, 8 or 24 inline bytes, and "
                + "is written before the doorbell", "write whole requests into memory that stays",
                "the channel is dead until it is established anew");
    }

    private static byte[] bytes(int[] words) {
        Message bytes = new Message(new byte[words.length * 4], words.length * 4);
        for (int i = 0; i < words.length; i++) {
            bytes.put32(4 * i, words[i]);
        }
        return bytes.bytes();
    }

    /** @param offset how many bytes are in the pieces before it */
    private record Piece(long address, int key, int length, int offset) {
    }

    private static List<Piece> pieces(int[] words) {
        List<Piece> pieces = new ArrayList<>();
        int at = WorkRequest.firstPiece(words[1]) / 4;
        int offset = 0;
        for (int i = WorkRequest.pieces(words[1]); i > 0; i--) {
            long address = Integer.toUnsignedLong(words[at]) | (long) words[at + 1] << 32;
            pieces.add(new Piece(address, words[at + 2], words[at + 3], offset));
            offset += words[at + 3];
            at += WorkRequest.PIECE / 4;
        }
        return pieces;
    }

    /** On return nothing is written to the driver's memory any more. */
    void close() {
        events.close();
        late.clear();
    }

    /** Carries requests out. */
    @FunctionalInterface
    interface Commands {
        /** @param response to be written, head and all */
        Outcome carryOut(Message request, Message response);
    }
}
