package io.manafold.adapter.internal.rdma;

import io.manafold.adapter.internal.queue.MemoryKeys;
import io.manafold.api.adapter.RdmaQueuePair;
import io.manafold.gdma.AddressVector;
import io.manafold.gdma.Gid;
import io.manafold.gdma.QpState;
import io.manafold.gdma.RdmaCompletion;
import io.manafold.gdma.RdmaRequest;
import io.manafold.gdma.WorkRequest;
import io.manafold.gdma.WorkStatus;
import io.manafold.memory.DmaBlock;
import io.manafold.memory.DmaTable;
import io.manafold.memory.RawMemory;
import io.manafold.memory.Reader;
import io.manafold.memory.Readers;
import io.manafold.roce.Opcode;
import io.manafold.roce.Packet;

/**
 * The queue pair of management datagrams, number 1. Its driver may have more requests in the ring than fit, and takes
 * addresses back before they are complete: so each request is copied, with all that it names, when its doorbell is
 * rung.
 */
public final class UdQueuePair extends QueuePair {
    /** The number that datagrams for it carry. */
    public static final int NUMBER = 1;
    public static final int QUEUE_KEY = 0x8001_0000;

    private static final int COPIES = 256;
    private static final int LONGEST = 1024;
    private static final int VECTOR = AddressVector.SIZE;
    private static final int PAYLOAD = 64;
    private static final int COPY = PAYLOAD + LONGEST;
    private static final int FIRST_PSN = 0;

    private final int sendNumber;
    private final RequestRing sends;
    private final RequestRing receives;
    private final MemoryAccess access;
    private final ElementList elements = new ElementList();
    /** Of receives, which the agent takes; what their keys stood for ends with the queue pair. */
    private final ElementList into = new ElementList();
    private final Reader reader;
    private final Scratch scratch = new Scratch();
    private final DmaBlock copies = new DmaBlock("manafold-roce", (long) COPIES * COPY);
    /** Payload of each copy, or the negative status that it completes with. */
    private final int[] lengths = new int[COPIES];
    private final int[] peers = new int[COPIES];
    private final int[] queueKeys = new int[COPIES];
    private final boolean[] solicited = new boolean[COPIES];
    /** How many were copied and how many have left; changed under the lock. */
    private int copied;
    private int sent;
    private boolean closed;
    private int psn = FIRST_PSN;
    /** Whether it was told that nothing can be made of what was rung for; under the lock. */
    private boolean stopTold;
    /** What the request that was copied last breaks, if it cannot be sent; under the lock. */
    private RingRule broken;

    public UdQueuePair(RdmaEngine engine, int sendNumber, int slot, MemoryKeys keys, int pd, RequestRing sends,
            RequestRing receives, RdmaCompletions sendCompletions, RdmaCompletions receiveCompletions, DmaTable table) {
        super(engine, NUMBER, slot, keys, pd, sendCompletions, receiveCompletions);
        this.sendNumber = sendNumber;
        this.sends = sends;
        this.receives = receives;
        this.access = new MemoryAccess(table);
        this.reader = Readers.open("management of " + engine.name());
        scratch.open();
    }

    /** The number of its send ring. */
    public int sendNumber() {
        return sendNumber;
    }

    // ---- any thread

    @Override
    public RdmaQueuePair status() {
        return new RdmaQueuePair(number, "GSI", state().label(), engine().name(), null, 0, 0, psn, 0, 0, copied - sent,
                sendCompletions.queue().id(), receiveCompletions.queue().id(), pd, RdmaQueuePair.Congestion.NONE);
    }

    @Override
    public void ringSends(int produced) {
        if (state() != QpState.READY_TO_SEND) {
            engine().counters().earlyDoorbells++;
            return;
        }
        sends.ring(produced);
        copy();
        engine().ready(this);
    }

    @Override
    public void ringReceives(int produced) {
        receives.ring(produced);
    }

    /** Copies what was rung for, as long as there is room. */
    private synchronized void copy() {
        if (closed) {
            return;
        }
        reader.enter();
        try {
            while (copied - sent < COPIES) {
                int available = sends.available();
                if (available == 0) {
                    return;
                }
                if (!sends.isPlausible(available)) {
                    stopAt(RingRule.DOORBELL);
                    return;
                }
                int size = sends.copy(sends.position(), available, scratch.address());
                if (size <= 0) {
                    stopAt(RingRule.DATAGRAM_SIZE);
                    return;
                }
                int slot = copied & COPIES - 1;
                lengths[slot] = copy(scratch.address(), slot);
                if (lengths[slot] < 0) {
                    explain(broken, "the request at 0x%x of its ring completed with status " + -lengths[slot]);
                }
                RawMemory.settle();
                sends.consume(size);
                stopTold = false;
                copied++;
            }
        } catch (InternalError gone) {
            engine().vanish(this);
        } finally {
            reader.leave();
        }
    }

    /** Nothing can be made of what was rung for, nor of what is behind it; under the lock. */
    private void stopAt(RingRule rule) {
        if (!stopTold) {
            stopTold = true;
            explain(rule, "the queue pair takes no more requests, from 0x%x of its ring on, until it is reset, or rung "
                    + "for what can be one");
        }
    }

    /** @param consequence has a place for that of the request, which is not named before it: repeats are one */
    private void explain(RingRule rule, String consequence) {
        engine().rejections().note(where, sends.excerpt(sends.position(), scratch), rule.rule(), rule.right(),
                consequence.formatted(sends.offset(sends.position())));
    }

    private int fails(RingRule rule, WorkStatus status) {
        broken = rule;
        return -status.number();
    }

    private int copy(long at, int slot) {
        int word1 = RawMemory.get32(at + WorkRequest.WORD1);
        int control = RawMemory.get32(at + RdmaRequest.CONTROL);
        peers[slot] = RdmaRequest.number(RawMemory.get32(at + RdmaRequest.DATAGRAM_PEER));
        queueKeys[slot] = RawMemory.get32(at + RdmaRequest.DATAGRAM_QUEUE_KEY);
        solicited[slot] = RdmaRequest.isSolicited(control);
        int pieces = WorkRequest.pieces(word1);
        if (RdmaRequest.operation(control) != RdmaRequest.DATAGRAM || !RdmaRequest.hasAddress(word1)
                || WorkRequest.inlineBytes(word1) != WorkRequest.INLINE_LONG || pieces < 1
                || !elements.read(at, WorkRequest.firstPiece(word1), pieces) || elements.total() < VECTOR) {
            return fails(RingRule.DATAGRAM_FIELDS, WorkStatus.LOCAL_OPERATION);
        }
        int length = (int) Math.min(elements.total() - VECTOR, LONGEST + 1L);
        if (length > LONGEST) {
            return fails(RingRule.DATAGRAM_LENGTH, WorkStatus.LOCAL_LENGTH);
        }
        access.clear();
        long to = copies.address() + (long) slot * COPY;
        if (elements.add(access, keys, pd, 0, VECTOR, MemoryKeys.LOCAL_READ) != null) {
            return fails(RingRule.DATAGRAM_MEMORY, WorkStatus.LOCAL_PROTECTION);
        }
        access.copyTo(to);
        access.clear();
        if (elements.add(access, keys, pd, VECTOR, length, MemoryKeys.LOCAL_READ) != null) {
            return fails(RingRule.DATAGRAM_MEMORY, WorkStatus.LOCAL_PROTECTION);
        }
        access.copyTo(to + PAYLOAD);
        return length;
    }

    // ---- agent

    /** Brings it from one state into another; false if it was in another than that. */
    public synchronized boolean change(QpState before, QpState next) {
        if (state() != before) {
            return false;
        }
        if (next == QpState.RESET) {
            sends.reset();
            receives.reset();
            copied = 0;
            sent = 0;
            psn = FIRST_PSN;
            stopTold = false;
        }
        state(next);
        return true;
    }

    @Override
    boolean work(SendBatch out, int packets, long now) {
        for (int turn = 0; turn < packets && !out.isFull(); turn++) {
            int slot;
            synchronized (this) {
                if (state() != QpState.READY_TO_SEND || sent == copied) {
                    return false;
                }
                slot = sent & COPIES - 1;
            }
            int status = 0;
            if (lengths[slot] < 0) {
                status = -lengths[slot];
            } else if (!engine().has(AddressVector.source(copies.address() + (long) slot * COPY))) {
                status = WorkStatus.LOCAL_OPERATION.number();
                engine().rejections().note(where, new byte[0], RingRule.DATAGRAM_SOURCE.rule(),
                        RingRule.DATAGRAM_SOURCE.right(), "the datagram to queue pair " + peers[slot]
                                + " completed with status " + status);
            } else {
                send(out, slot);
            }
            synchronized (this) {
                sent++;
            }
            sendCompletions.write(this, RdmaCompletion.first(RdmaCompletion.DATAGRAM, status), 0, 0,
                    sendNumber, true);
            copy();
            if (status != 0) {
                // a datagram that is none leaves no frame, and takes a while to explain: it costs a turn
                return true;
            }
        }
        return true;
    }

    private void send(SendBatch out, int slot) {
        long vector = copies.address() + (long) slot * COPY;
        Packet packet = out.packet();
        int last = AddressVector.last(vector);
        Gid source = AddressVector.source(vector);
        Gid destination = AddressVector.destination(vector);
        packet.sourceMac = engine().mac();
        packet.destinationMac = AddressVector.destinationMac(vector).value();
        packet.ipv6 = AddressVector.isIpv6(last);
        packet.sourceHigh = source.high();
        packet.sourceLow = source.low();
        packet.destinationHigh = destination.high();
        packet.destinationLow = destination.low();
        packet.trafficClass = AddressVector.dscp(last) << 2;
        packet.hopLimit = AddressVector.hopLimit(last);
        packet.flowLabel = 0;
        packet.sourcePort = AddressVector.sourcePort(vector);
        packet.partitionKey = 0xffff;
        packet.becn = false;
        packet.opcode = Opcode.UD_SEND_ONLY;
        packet.solicited = solicited[slot];
        packet.acknowledgeRequest = false;
        packet.queuePair = peers[slot];
        packet.psn = psn;
        psn = psn + 1 & 0xff_ffff;
        packet.queueKey = queueKeys[slot];
        packet.sourceQueuePair = NUMBER;
        packet.payloadBytes = lengths[slot];
        RawMemory.copy(vector + PAYLOAD, out.payload(), lengths[slot]);
        out.send();
    }

    @Override
    boolean isThere() {
        return super.isThere() && receives.isThere();
    }

    @Override
    void receive(Packet packet, ReceivedFrame arrival, long now) {
        QpState now0 = state();
        if (now0 != QpState.READY_TO_RECEIVE && now0 != QpState.READY_TO_SEND || !Opcode.hasDeth(packet.opcode)
                || packet.queueKey != QUEUE_KEY) {
            engine().counters().wrongState++;
            return;
        }
        int available = receives.available();
        long at = engine().scratch().address();
        int size = available == 0 || !receives.isPlausible(available) ? 0
                : receives.copy(receives.position(), available, at);
        if (size <= 0) {
            engine().counters().noRoom++;
            return;
        }
        int word1 = RawMemory.get32(at + WorkRequest.WORD1);
        int length = RdmaCompletion.DATAGRAM_HEADER + packet.payloadBytes;
        MemoryAccess target = engine().access();
        target.clear();
        if (!into.read(at, WorkRequest.firstPiece(word1), WorkRequest.pieces(word1)) || into.total() < length
                || into.add(target, keys, pd, 0, length, MemoryKeys.LOCAL_WRITE) != null) {
            engine().counters().noRoom++;
            return;
        }
        target.put(arrival.networkHeader(packet), RdmaCompletion.DATAGRAM_HEADER);
        arrival.payloadTo(target, packet.payloadBytes);
        int immediate = Opcode.hasImmediate(packet.opcode) ? packet.immediate : 0;
        receiveCompletions.write(this, Entries.pair(RdmaCompletion.first(RdmaCompletion.DATAGRAM, 0), length),
                Entries.pair(packet.sourceQueuePair, immediate), receives.position() & 0xffff_ffffL, NUMBER, false);
        receives.consume(size);
    }

    @Override
    void expire(long now) {
        // nothing of a datagram is waited for
    }

    @Override
    synchronized void stop() {
        state(QpState.ERROR);
    }

    @Override
    synchronized void close() {
        if (!closed) {
            closed = true;
            reader.close();
            scratch.close();
            copies.close();
        }
    }
}
