package io.manafold.gdma.driver;

import io.manafold.api.device.Bar;
import io.manafold.api.device.DmaSpace;
import io.manafold.api.device.Interrupts;
import io.manafold.api.device.PciAddress;
import io.manafold.api.device.PciFunction;
import io.manafold.api.device.PciId;
import io.manafold.gdma.ChannelCompletion;
import io.manafold.gdma.ChannelInit;
import io.manafold.gdma.Command;
import io.manafold.gdma.Doorbell;
import io.manafold.gdma.EventEntry;
import io.manafold.gdma.Limits;
import io.manafold.gdma.MemoryMap;
import io.manafold.gdma.SharedMemory;
import io.manafold.gdma.WorkRequest;
import io.manafold.gdma.message.Message;
import io.manafold.gdma.message.RequestHead;
import io.manafold.memory.DmaTable;
import io.manafold.memory.RawMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A device as small as the contract allows, on the thread that rings, that gets wrong what it is told to. */
final class FakeFunction implements PciFunction, Bar, Interrupts {
    static final int DOORBELLS = 0x10_0000;
    static final int APERTURE = 0x400;
    static final int CHANNEL_PAGE = 3;

    final DmaTable table = new DmaTable();
    final List<Command> seen = new CopyOnWriteArrayList<>();
    /** Commands that are answered only by {@link #answerHeld}. */
    final List<Command> held = new CopyOnWriteArrayList<>();
    int depth = 4;
    boolean doorbellFirst = true;
    boolean deaf;
    int completionQueues = 1024;
    int establishAnswer = SharedMemory.response(SharedMemory.ESTABLISH, SharedMemory.STATUS_OK);
    int resets;

    FakeQueues.Events channelEvents;
    private FakeQueues.Work channelSend;
    private FakeQueues.Work channelReceive;
    private final int[] aperture = new int[SharedMemory.WORDS];
    private final Runnable[] targets = new Runnable[8];
    private final boolean[] pending = new boolean[8];
    private final List<Message> waiting = new ArrayList<>();
    private FakeCommands commands;

    private void establish() {
        SharedMemory.Establish asked = SharedMemory.Establish.decode(aperture);
        channelEvents = new FakeQueues.Events(0, page(asked.eventQueue()), asked.vector(), this::raise);
        FakeQueues.Completions completions =
                new FakeQueues.Completions(1, page(asked.completionQueue()), channelEvents, true);
        channelReceive = new FakeQueues.Work(0x7d0, page(asked.receiveQueue()), completions);
        channelSend = new FakeQueues.Work(0x7d1, page(asked.sendQueue()), completions);
        commands = new FakeCommands(this);
        aperture[7] = establishAnswer;
        if (doorbellFirst) {
            channelEvents.post(EventEntry.CHANNEL_DOORBELL, EventEntry.channelDoorbell(0, CHANNEL_PAGE));
        }
        int[] told = {ChannelInit.COMPLETION_QUEUE, 1, ChannelInit.RECEIVE_QUEUE, 0x7d0, ChannelInit.SEND_QUEUE, 0x7d1,
            ChannelInit.DEPTH, depth, ChannelInit.COMPLETION_QUEUES, completionQueues, ChannelInit.MEMORY_KEY, 0x123};
        for (int i = 0; i < told.length; i += 2) {
            channelEvents.post(EventEntry.CHANNEL_DATA, EventEntry.typed(told[i], told[i + 1]));
        }
        channelEvents.post(EventEntry.CHANNEL_DONE, 0);
    }

    private FakeRing page(long dma) {
        return new FakeRing(table, new long[] {dma}, Limits.CHANNEL_QUEUE);
    }

    private void requests() {
        while (channelSend.consumed != channelSend.produced) {
            int at = channelSend.consumed;
            int word1 = RawMemory.get32(channelSend.ring.at(at + WorkRequest.WORD1));
            long piece = channelSend.ring.at(at + WorkRequest.firstPiece(word1));
            Message request = new Message();
            request.resize(RawMemory.get32(piece + WorkRequest.PIECE_LENGTH));
            RawMemory.copy(table.pointer(RawMemory.get64(piece), request.length(), false), request.bytes(), 0,
                    request.length());
            channelSend.consumed += WorkRequest.size(word1);
            channelSend.completions.post(channelSend.id, true, 0, 0x60);
            Command command = Command.of(RequestHead.decode(request).command());
            seen.add(command);
            if (held.contains(command)) {
                waiting.add(request);
            } else {
                answer(request);
            }
        }
    }

    private void answer(Message request) {
        Message response = commands.answer(request);
        int at = channelReceive.consumed;
        if (at == channelReceive.produced) {
            throw new AssertionError("no receive buffer is posted for the answer");
        }
        long piece = channelReceive.ring.at(at + WorkRequest.HEAD + WorkRequest.INLINE_SHORT);
        RawMemory.copy(response.bytes(), 0, table.pointer(RawMemory.get64(piece), response.length(), true),
                response.length());
        channelReceive.consumed += WorkRequest.UNIT;
        channelReceive.completions.post(channelReceive.id, false, ChannelCompletion.FLAGS, 0xc1,
                ChannelCompletion.REQUEST_OFFSET, at, ChannelCompletion.LENGTH, response.length());
    }

    /** Answers what was held back, the last first. */
    synchronized int answerHeld() {
        int count = waiting.size();
        for (Message request : waiting.reversed()) {
            answer(request);
        }
        waiting.clear();
        return count;
    }

    synchronized void post(int type, int data) {
        channelEvents.post(type, data);
    }

    synchronized int heldBack() {
        return waiting.size();
    }

    FakeCommands commands() {
        return commands;
    }

    // ---- registers

    @Override
    public synchronized int read32(long offset) {
        if (offset >= APERTURE && offset < APERTURE + 32) {
            return aperture[(int) (offset - APERTURE) / 4];
        }
        return offset == MemoryMap.DOORBELL_SIZE ? 0x1000 : 0;
    }

    @Override
    public long read64(long offset) {
        return offset == MemoryMap.DOORBELL_OFFSET ? DOORBELLS : offset == MemoryMap.APERTURE_OFFSET ? APERTURE : 0;
    }

    @Override
    public synchronized void write32(long offset, int value) {
        int word = (int) (offset - APERTURE) / 4;
        aperture[word] = value;
        if (word == 7 && deaf) {
            aperture[7] = SharedMemory.DEVICE_OWNS;
        } else if (word == 7 && SharedMemory.type(value) == SharedMemory.ESTABLISH) {
            establish();
        } else if (word == 7) {
            commands = null;
            aperture[7] = SharedMemory.response(SharedMemory.DESTROY, SharedMemory.STATUS_OK);
        }
    }

    @Override
    public synchronized void write64(long offset, long word) {
        int page = (int) (offset - DOORBELLS) >>> 12;
        int slot = (int) offset & 0xfff;
        if (page != CHANNEL_PAGE) {
            commands.doorbell(slot, word);
            return;
        }
        switch (slot) {
            case Doorbell.SEND -> {
                channelSend.produced = Doorbell.producedBytes(word);
                requests();
            }
            case Doorbell.RECEIVE -> channelReceive.produced = Doorbell.producedBytes(word);
            case Doorbell.COMPLETION ->
                channelSend.completions.doorbell(Doorbell.consumerIndex(word), Doorbell.arms(word));
            default -> channelEvents.doorbell(Doorbell.consumerIndex(word), Doorbell.arms(word));
        }
    }

    // ---- interrupts

    void raise(int vector) {
        if (targets[vector] == null) {
            pending[vector] = true;
        } else {
            targets[vector].run();
        }
    }

    @Override
    public int count() {
        return targets.length;
    }

    @Override
    public synchronized void target(int vector, Runnable callback) {
        targets[vector] = callback;
        if (pending[vector]) {
            pending[vector] = false;
            callback.run();
        }
    }

    @Override
    public synchronized void clear(int vector) {
        targets[vector] = null;
    }

    // ---- what a function has besides

    @Override
    public PciAddress address() {
        return PciAddress.parse("7870:00:00.0");
    }

    @Override
    public PciId identity() {
        return new PciId(MemoryMap.VENDOR, MemoryMap.VF, 0, 0, MemoryMap.CLASS, 0);
    }

    @Override
    public int configSize() {
        return 256;
    }

    @Override
    public int readConfig(int offset, int width) {
        return 0;
    }

    @Override
    public void writeConfig(int offset, int width, int value) {
        // nothing here depends on it
    }

    @Override
    public List<Bar> bars() {
        return List.of(this);
    }

    @Override
    public Interrupts interrupts() {
        return this;
    }

    @Override
    public DmaSpace dma() {
        return table;
    }

    @Override
    public void reset() {
        resets++;
    }

    @Override
    public int index() {
        return 0;
    }

    @Override
    public long size() {
        return 2 << 20;
    }

    @Override
    public boolean is64Bit() {
        return true;
    }

    @Override
    public boolean isPrefetchable() {
        return false;
    }
}
