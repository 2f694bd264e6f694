package io.manafold.gdma.driver;

import io.manafold.gdma.ChannelCompletion;
import io.manafold.gdma.ChannelInit;
import io.manafold.gdma.ChannelRequest;
import io.manafold.gdma.CompletionEntry;
import io.manafold.gdma.Doorbell;
import io.manafold.gdma.Limits;
import io.manafold.gdma.SharedMemory;
import io.manafold.gdma.WorkRequest;
import io.manafold.gdma.message.Message;
import io.manafold.memory.DmaArena;
import io.manafold.memory.DmaPiece;
import io.manafold.memory.RawMemory;
import java.util.Arrays;

/** The memory of a hardware channel: its four queues, and for each outstanding request two buffers. */
final class ChannelRings {
    private static final int SIZE = Limits.CHANNEL_QUEUE;
    private static final int UNITS = SIZE / WorkRequest.UNIT;

    private final DmaArena memory;
    private final int[] bufferAt = new int[UNITS];
    private final DmaPiece queues;
    private EventRing events;
    private CompletionQueue completions;
    private WorkQueue receive;
    private WorkQueue send;
    private DmaPiece requests;
    private DmaPiece responses;
    private int key;
    private int responseBuffer;
    private int responseLength;

    ChannelRings(DmaArena memory) {
        this.memory = memory;
        queues = memory.allocate(4 * SIZE);
        events = new EventRing(queue(0), SIZE);
        Arrays.fill(bufferAt, -1);
    }

    SharedMemory.Establish establish() {
        return new SharedMemory.Establish(queue(0).dma(), queue(1).dma(), queue(2).dma(), queue(3).dma(), 0);
    }

    private DmaPiece queue(int index) {
        return queues.part(index * SIZE, SIZE);
    }

    EventRing events() {
        return events;
    }

    /** The device has said what the event queue is called and where it is rung; interrupts can be asked for. */
    EventQueue eventQueue(DoorbellPage page, int id) {
        EventQueue named = new EventQueue(events, page, id);
        events = named;
        return named;
    }

    /** Begins work when the device has said what everything is called. */
    void open(DoorbellPage page, int[] init, int depth) {
        completions = new CompletionQueue(queue(1), SIZE, page, init[ChannelInit.COMPLETION_QUEUE]);
        receive = new WorkQueue(queue(2), SIZE, Doorbell.RECEIVE, page, init[ChannelInit.RECEIVE_QUEUE]);
        send = new WorkQueue(queue(3), SIZE, Doorbell.SEND, page, init[ChannelInit.SEND_QUEUE]);
        key = init[ChannelInit.MEMORY_KEY];
        requests = memory.allocate(depth * Limits.MESSAGE);
        responses = memory.allocate(depth * Limits.MESSAGE);
        for (int i = 0; i < depth; i++) {
            post(i);
        }
        receive.ring();
    }

    private void post(int buffer) {
        bufferAt[(receive.produced() & SIZE - 1) / WorkRequest.UNIT] = buffer;
        receive.begin(0, WorkRequest.word1(1, WorkRequest.INLINE_SHORT, false, 0));
        receive.piece(0, responses.dma() + (long) buffer * Limits.MESSAGE, key, Limits.MESSAGE);
        receive.commit();
    }

    /** Sends a request; one thread at a time. */
    void send(int slot, Message request) {
        int place = slot * Limits.MESSAGE;
        RawMemory.copy(request.bytes(), 0, requests.pointer() + place, request.length());
        send.begin(0, WorkRequest.word1(1, WorkRequest.INLINE_LONG, false, 0));
        for (int at = WorkRequest.INLINE; at < WorkRequest.HEAD + WorkRequest.INLINE_LONG; at += 4) {
            send.put32(at, 0);
        }
        send.put32(ChannelRequest.SENDER_COMPLETION, completions.id());
        send.put32(ChannelRequest.SENDER_QUEUE, send.id());
        send.piece(0, requests.dma() + place, key, request.length());
        // as many as there are slots are outstanding, and the ring is larger
        send.complete(send.commit());
        send.ring();
    }

    /**
     * Goes to the next response.
     *
     * @return false if there is none
     */
    boolean nextResponse() {
        for (int i = 0; i < slots(); i++) {
            long entry = completions.next();
            if (entry == 0) {
                return false;
            }
            int last = completions.last();
            int offset = RawMemory.get32(entry + ChannelCompletion.REQUEST_OFFSET);
            int length = RawMemory.get32(entry + ChannelCompletion.LENGTH);
            completions.consume();
            if (!CompletionEntry.isSendSide(last) && CompletionEntry.workQueue(last) == receive.id()) {
                int unit = (offset & SIZE - 1) / WorkRequest.UNIT;
                responseBuffer = bufferAt[unit];
                responseLength = length;
                if (responseBuffer >= 0) {
                    bufferAt[unit] = -1;
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Takes the response that {@link #nextResponse} found and posts its buffer again.
     *
     * @return {@code null} if its length is impossible
     */
    Message takeResponse() {
        Message message = null;
        if (responseLength >= 0 && responseLength <= Limits.MESSAGE) {
            message = new Message();
            message.resize(responseLength);
            long from = responses.pointer() + (long) responseBuffer * Limits.MESSAGE;
            RawMemory.copy(from, message.bytes(), 0, responseLength);
        }
        receive.complete(WorkRequest.UNIT);
        post(responseBuffer);
        receive.ring();
        return message;
    }

    /** How many completions there can be at once. */
    int slots() {
        return completions.slots();
    }

    void armCompletions() {
        // a device that answers has been heard, and the next answer shall be
        completions.disarm(completions.id());
        completions.arm();
    }

    /** Gives the memory back; the device uses it no more. */
    void free() {
        memory.free(queues);
        if (requests != null) {
            memory.free(requests);
        }
        if (responses != null) {
            memory.free(responses);
        }
    }
}
