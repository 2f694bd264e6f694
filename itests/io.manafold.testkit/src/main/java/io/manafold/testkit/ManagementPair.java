package io.manafold.testkit;

import io.manafold.api.net.MacAddress;
import io.manafold.gdma.AddressVector;
import io.manafold.gdma.Doorbell;
import io.manafold.gdma.Gid;
import io.manafold.gdma.QpAttribute;
import io.manafold.gdma.QpState;
import io.manafold.gdma.RdmaCompletion;
import io.manafold.gdma.RdmaReceiveRequest;
import io.manafold.gdma.RdmaRequest;
import io.manafold.gdma.driver.ProtectionDomain;
import io.manafold.gdma.driver.WorkQueue;
import io.manafold.gdma.message.CreateUdQp;
import io.manafold.gdma.message.DestroyUdQp;
import io.manafold.gdma.message.SetQpState;
import io.manafold.memory.DmaPiece;
import io.manafold.memory.RawMemory;
import java.util.List;

/**
 * The queue pair of management datagrams as the kernel of the real stack drives it: a doorbell for each request. For
 * one thread.
 */
public final class ManagementPair implements AutoCloseable, RdmaQueue.Taker {
    public static final int QUEUE_KEY = 0x8001_0000;

    private static final int SEND_BYTES = 8192;
    private static final int RECEIVE_BYTES = 16384;
    private static final int HOP_LIMIT = 64;

    private final RdmaSession session;
    private final CreateUdQp.Result made;
    private final List<DmaPiece> memory;
    private final WorkQueue sends;
    private final WorkQueue receives;
    private int psn;
    private int sent;
    private int sendStatus;
    private int received;
    private int length;
    private int peer;

    /** Makes it and brings it to where it sends. */
    public ManagementPair(RdmaSession session, ProtectionDomain domain, RdmaQueue completions) {
        this.session = session;
        memory = List.of(session.allocate(SEND_BYTES), session.allocate(RECEIVE_BYTES));
        made = session.call(new CreateUdQp(session.adapter(), domain.handle(), completions.handle(),
                completions.handle(), session.client().function().createRegion(memory.getFirst(), SEND_BYTES),
                session.client().function().createRegion(memory.getLast(), RECEIVE_BYTES), CreateUdQp.MANAGEMENT,
                session.page().number(), 128, 512, 2, 1));
        sends = new WorkQueue(memory.getFirst(), SEND_BYTES, Doorbell.SEND, session.page(), made.sendQueue());
        receives = new WorkQueue(memory.getLast(), RECEIVE_BYTES, Doorbell.RECEIVE, session.page(),
                made.receiveQueue());
        change(QpState.INIT, QpAttribute.PARTITION | QpAttribute.QUEUE_KEY);
        change(QpState.READY_TO_RECEIVE, 0);
        change(QpState.READY_TO_SEND, QpAttribute.SEND_PSN);
    }

    /** Asks for a state. */
    public void change(QpState state, int attributes) {
        session.call(new SetQpState(session.adapter(), made.handle(), attributes | QpAttribute.STATE, state.ordinal(),
                0, 0, 0, 0, 0, 0, 0, 0, 0, SetQpState.Path.NONE, QUEUE_KEY, 0, 0, 0));
    }

    /**
     * Sends a datagram and rings.
     *
     * @param vector where 48 bytes lie that are written with the addresses
     * @param vectorAddress what the key calls them
     */
    public void send(long vector, long vectorAddress, int key, Gid from, Gid to, MacAddress mac, long address,
            int bytes) {
        AddressVector.write(vector, to, mac, 0xc123, from, HOP_LIMIT, 0);
        sends.begin(0, RdmaRequest.word1(RdmaRequest.DATAGRAM, 2, 1024));
        sends.put32(RdmaRequest.CONTROL, RdmaRequest.control(RdmaRequest.DATAGRAM, RdmaRequest.SIGNALED, psn++));
        sends.put32(RdmaRequest.DATAGRAM_PEER, 1);
        sends.put32(RdmaRequest.DATAGRAM_QUEUE_KEY, QUEUE_KEY);
        sends.put32(RdmaRequest.DATAGRAM_IMMEDIATE, 0);
        sends.piece(0, vectorAddress, key, AddressVector.SIZE);
        sends.piece(1, address, key, bytes);
        int size = sends.commit();
        // as the real driver, which looks after no room
        sends.complete(size);
        sends.ring();
    }

    /** Posts a receive and rings. */
    public void receive(long address, int key, int bytes) {
        receives.begin(0, RdmaReceiveRequest.receive(1));
        receives.piece(0, address, key, bytes);
        receives.complete(receives.commit());
        receives.ring();
    }

    @Override
    public void completion(long entry, int workQueue, boolean sendSide) {
        int first = RawMemory.get32(entry + RdmaCompletion.FIRST);
        if (sendSide) {
            sent++;
            sendStatus = RdmaCompletion.datagramStatus(first);
        } else {
            received++;
            length = RawMemory.get32(entry + RdmaCompletion.LENGTH);
            peer = RawMemory.get32(entry + RdmaCompletion.PEER);
        }
    }

    /** Datagrams that were sent, or not. */
    public int sent() {
        return sent;
    }

    /** How the last of these ended, 0 for well. */
    public int sendStatus() {
        return sendStatus;
    }

    public int received() {
        return received;
    }

    /** Bytes of the last datagram, with the 40 before it. */
    public int length() {
        return length;
    }

    /** The number of the pair that sent it. */
    public int peer() {
        return peer;
    }

    public CreateUdQp.Result made() {
        return made;
    }

    /** The ring of requests, for those who write something else into it. */
    public WorkQueue sendRing() {
        return sends;
    }

    @Override
    public void close() {
        try {
            session.call(new DestroyUdQp(session.adapter(), made.handle()));
        } finally {
            memory.forEach(session::free);
        }
    }
}
