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
    private static final int UNITS = Limits.CHANNEL_QUEUE / WorkRequest.UNIT;

    final EventQueue events;
    private final DmaArena memory;
    private final CompletionQueue completions;
    private final WorkQueue receive;
    private final WorkQueue send;
    private final int[] bufferAt = new int[UNITS];
    private final DmaPiece queues;
    private DmaPiece requests;
    private DmaPiece responses;
    private int key;
    private int responseBuffer;
    private int responseLength;

    ChannelRings(DmaArena memory, Registers registers) {
        this.memory = memory;
        int size = Limits.CHANNEL_QUEUE;
        queues = memory.allocate(4 * size);
        events = new EventQueue(queues.part(0, size), size, registers);
        completions = new CompletionQueue(queues.part(size, size), size, registers);
        receive = new WorkQueue(queues.part(2 * size, size), size, Doorbell.RECEIVE, registers);
        send = new WorkQueue(queues.part(3 * size, size), size, Doorbell.SEND, registers);
        Arrays.fill(bufferAt, -1);
    }

    SharedMemory.Establish establish() {
        return new SharedMemory.Establish(events.memory().dma(), completions.memory().dma(), receive.memory().dma(),
                send.memory().dma(), 0);
    }

    /** Begins work when the device has said what everything is called. */
    void open(int page, int[] init, int depth) {
        completions.name(init[ChannelInit.COMPLETION_QUEUE], page);
        receive.name(init[ChannelInit.RECEIVE_QUEUE], page);
        send.name(init[ChannelInit.SEND_QUEUE], page);
        key = init[ChannelInit.MEMORY_KEY];
        requests = memory.allocate(depth * Limits.MESSAGE);
        responses = memory.allocate(depth * Limits.MESSAGE);
        for (int i = 0; i < depth; i++) {
            post(i);
        }
        receive.ring();
    }

    private void post(int buffer) {
        bufferAt[(receive.produced() & Limits.CHANNEL_QUEUE - 1) / WorkRequest.UNIT] = buffer;
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
                int unit = (offset & Limits.CHANNEL_QUEUE - 1) / WorkRequest.UNIT;
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
        completions.ring(true);
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
