package io.manafold.rdma.internal.queue;

import io.manafold.api.net.MacAddress;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.AddressVector;
import io.manafold.gdma.CompletionEntry;
import io.manafold.gdma.Gid;
import io.manafold.gdma.QpAttribute;
import io.manafold.gdma.QpState;
import io.manafold.gdma.RdmaCompletion;
import io.manafold.gdma.driver.ClientSession;
import io.manafold.gdma.driver.CompletionQueue;
import io.manafold.gdma.driver.DoorbellPage;
import io.manafold.gdma.driver.ProtectionDomain;
import io.manafold.gdma.driver.ProtectionDomain.RegisteredMemory;
import io.manafold.gdma.driver.UdReceiveRing;
import io.manafold.gdma.driver.UdSendRing;
import io.manafold.gdma.message.CreateMr;
import io.manafold.gdma.message.CreateRdmaCq;
import io.manafold.gdma.message.CreateUdQp;
import io.manafold.gdma.message.DestroyRdmaCq;
import io.manafold.gdma.message.DestroyUdQp;
import io.manafold.gdma.message.Done;
import io.manafold.gdma.message.Request;
import io.manafold.gdma.message.SetQpState;
import io.manafold.memory.DmaPiece;
import io.manafold.memory.RawMemory;
import io.manafold.roce.cm.Mad;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The queue pair of management datagrams of a device's first port, with a domain, memory and a completion queue of its
 * own. Sending and polling are for one thread; what is read was written by the device and by strangers.
 */
public final class ManagementQueuePair {
    private static final int NUMBER = 1;
    private static final int SENDS = 128;
    private static final int RECEIVES = 512;
    private static final int HOP_LIMIT = 64;
    private static final int MTU = 256;

    private final ClientSession client;
    private final long adapter;
    private final DoorbellPage page;
    private final List<DmaPiece> memory = new ArrayList<>();
    /** What is being made lies over these. */
    private final List<Long> regions = new ArrayList<>();
    private final List<RegisteredMemory> registered = new ArrayList<>();
    private ProtectionDomain domain;
    /** How what was made ends. */
    private Request<Done> queueFarewell;
    private Request<Done> pairFarewell;
    private final CompletionQueue completions;
    private final UdSendRing sends;
    private final UdReceiveRing receives;
    private final int sendNumber;
    private final int receiveNumber;

    /** Is given datagrams. */
    @FunctionalInterface
    public interface Receiver {
        /**
         * A datagram has come.
         *
         * @param datagram {@code null} if it was none that can be
         */
        void datagram(Gid from, Gid to, byte[] datagram);
    }

    /** Makes it, in the order of the Linux driver, and brings it to RTS with receives posted. */
    public ManagementQueuePair(ClientSession client, long adapter, int eventQueue) {
        this.client = client;
        this.adapter = adapter;
        page = client.rights().page();
        try {
            domain = client.createDomain();
            int bytes = 2 * (SENDS + RECEIVES) * CompletionEntry.SIZE;
            DmaPiece ring = allocate(bytes);
            CreateRdmaCq.Result queue = made(() -> client.call(new CreateRdmaCq(adapter, region(ring, bytes),
                    eventQueue, page.number())));
            queueFarewell = new DestroyRdmaCq(adapter, queue.handle());
            completions = new CompletionQueue(ring, bytes, page, queue.id());
            int sendPlaces = UdSendRing.placeBytes(SENDS, Mad.BYTES);
            RegisteredMemory sendMemory = register(sendPlaces, CreateMr.LOCAL_READ);
            DmaPiece sendData = memory.getLast();
            int receivePlaces = UdReceiveRing.placeBytes(RECEIVES, Mad.BYTES);
            RegisteredMemory receiveMemory = register(receivePlaces, CreateMr.LOCAL_READ | CreateMr.LOCAL_WRITE);
            DmaPiece receiveData = memory.getLast();
            DmaPiece sendRing = allocate(UdSendRing.ringBytes(SENDS));
            DmaPiece receiveRing = allocate(UdReceiveRing.ringBytes(RECEIVES));
            CreateUdQp.Result pair = made(() -> client.call(new CreateUdQp(adapter, domain.handle(), queue.handle(),
                    queue.handle(), region(sendRing, UdSendRing.ringBytes(SENDS)),
                    region(receiveRing, UdReceiveRing.ringBytes(RECEIVES)), CreateUdQp.MANAGEMENT, page.number(), SENDS,
                    RECEIVES, 2, 1)));
            pairFarewell = new DestroyUdQp(adapter, pair.handle());
            sendNumber = pair.sendQueue();
            receiveNumber = pair.receiveQueue();
            sends = new UdSendRing(sendRing, sendData, sendMemory.localKey(), SENDS, Mad.BYTES, MTU, page, sendNumber);
            receives = new UdReceiveRing(receiveRing, receiveData, receiveMemory.localKey(), RECEIVES, Mad.BYTES, page,
                    receiveNumber);
            change(pair.handle(), QpState.INIT, QpAttribute.PARTITION | QpAttribute.QUEUE_KEY);
            change(pair.handle(), QpState.READY_TO_RECEIVE, 0);
            change(pair.handle(), QpState.READY_TO_SEND, QpAttribute.SEND_PSN);
            receives.fill();
        } catch (RuntimeException refused) {
            close();
            throw refused;
        }
    }

    private DmaPiece allocate(int bytes) {
        DmaPiece piece = client.memory().allocate(bytes);
        memory.add(piece);
        return piece;
    }

    private long region(DmaPiece piece, int bytes) {
        long region = client.function().createRegion(piece, bytes);
        regions.add(region);
        return region;
    }

    /** Regions belong to what is made over them, or are given up. */
    private <T> T made(Supplier<T> making) {
        try {
            return making.get();
        } catch (RuntimeException refused) {
            regions.forEach(client.function()::abandonRegion);
            throw refused;
        } finally {
            regions.clear();
        }
    }

    private RegisteredMemory register(int bytes, int access) {
        registered.add(domain.register(allocate(bytes), 0, bytes, CreateMr.ZERO_BASED, 0, access));
        return registered.getLast();
    }

    private void change(long handle, QpState state, int attributes) {
        client.call(new SetQpState(adapter, handle, attributes | QpAttribute.STATE, state.ordinal(), 0, 0, 0, 0, 0, 0,
                0, 0, 0, SetQpState.Path.NONE, Mad.QUEUE_KEY, 0, 0, 0));
    }

    /** The number of its completion queue in events. */
    public int queue() {
        return completions.id();
    }

    // ---- one thread

    /** Sends a datagram to the same queue pair of another port; false if there is no room at the moment. */
    public boolean send(Gid from, Gid to, MacAddress mac, int flowLabel, byte[] datagram) {
        if (!sends.hasRoom()) {
            return false;
        }
        sends.send(from, to, mac, AddressVector.sourcePort(flowLabel), HOP_LIMIT, NUMBER, Mad.QUEUE_KEY, datagram);
        return true;
    }

    /** Reads what has come, and what has left. Returns how much of both. */
    public int poll(Receiver receiver, int most) {
        int count = 0;
        for (long entry; count < most && completions.failure() == null && (entry = completions.next()) != 0; count++) {
            int last = completions.last();
            int number = CompletionEntry.workQueue(last);
            if (CompletionEntry.isSendSide(last)) {
                if (number != sendNumber || !sends.isUnderWay()) {
                    completions.fail("It got a completion of send queue " + number + ", which has nothing under way.");
                    break;
                }
                completions.consume();
                sends.complete();
            } else {
                if (number != receiveNumber) {
                    completions.fail("It got a completion of receive queue " + number + ", which is not its own.");
                    break;
                }
                int length = RawMemory.get32(entry + RdmaCompletion.LENGTH);
                completions.consume();
                byte[] datagram = receives.take(length);
                receiver.datagram(receives.source(), receives.destination(), datagram);
            }
        }
        completions.polled(count);
        return count;
    }

    /** Has the next completion be told by an event; one that is there already is so at once. */
    public void arm() {
        completions.disarm(completions.id());
        completions.arm();
    }

    /** What the device did that it must not, or {@code null}; nothing is sent or received after that. */
    public String failure() {
        return completions.failure();
    }

    // ---- the end

    /** Has the device forget the queue pair. */
    public Request<Done> destroyRequest() {
        return pairFarewell;
    }

    /** Has the device forget the completion queue, after the queue pair. */
    public Request<Done> queueFarewell() {
        return queueFarewell;
    }

    /** The device forgets the rest. */
    public void forget() {
        registered.forEach(region -> quietly(region::close));
        if (domain != null) {
            quietly(domain::close);
        }
    }

    private static void quietly(Runnable step) {
        try {
            step.run();
        } catch (Refusal refused) {
            // what the device still thinks ends with its adapter
        }
    }

    /** What it lies in. */
    public List<DmaPiece> memory() {
        return memory;
    }

    private void close() {
        for (Request<Done> step : Stream.of(pairFarewell, queueFarewell).filter(Objects::nonNull).toList()) {
            client.callQuietly(List.of(step));
        }
        forget();
        client.memory().free(memory);
    }
}
