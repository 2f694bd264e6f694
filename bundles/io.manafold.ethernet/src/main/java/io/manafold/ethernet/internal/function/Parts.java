package io.manafold.ethernet.internal.function;

import io.manafold.api.net.NetDevices;
import io.manafold.api.net.PortClaims;
import io.manafold.gdma.DeviceId;
import io.manafold.gdma.driver.EthernetSession;
import io.manafold.gdma.driver.FunctionSession;
import io.manafold.memory.FunctionMemory;
import io.manafold.memory.MemoryBorrower;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The auxiliary devices of one function: what its driver offers to the drivers of its parts. They belong to one life of
 * the function and are withdrawn before that ends. Any thread may call, with no port's lock held.
 */
final class Parts {
    static final String ETHERNET = "mana.eth";
    static final String RDMA = "mana.rdma";
    private static final Logger LOG = LoggerFactory.getLogger(Parts.class);

    private final String parent;
    private final ServiceGateway services;
    private final Ports ports;
    private final FunctionMemory memory;
    private final Map<String, Offered> offered = new TreeMap<>();
    private boolean suspended;

    /** A part that its driver may have. */
    private record Offered(Part part, PartClaims claims, MemoryBorrower memory, EthernetSession session,
            Runnable unpublish) {
    }

    Parts(String parent, ServiceGateway services, Ports ports, FunctionMemory memory) {
        this.parent = parent;
        this.services = services;
        this.ports = ports;
        this.memory = memory;
    }

    /** Offers what the function has, unless that has been suspended meanwhile: then it is offered after that. */
    synchronized void offer(EthernetSession session) {
        offer(ETHERNET, session);
        offerRdma(session);
    }

    /** Offers the RDMA part, if the function lists that device. */
    synchronized void offerRdma(EthernetSession session) {
        if (session.function().device(DeviceId.TYPE_RDMA).isPresent()) {
            offer(RDMA, session);
        }
    }

    private void offer(String name, EthernetSession session) {
        if (suspended || offered.containsKey(name)) {
            return;
        }
        int number = services.freeNumber(name);
        PartClaims claims = new PartClaims(ports);
        MemoryBorrower borrower = memory.borrower(name + "." + number);
        Map<Class<?>, Object> lent = new HashMap<>(Map.of(FunctionSession.class, session.function(), PortClaims.class,
                claims, NetDevices.class, (NetDevices) () -> List.copyOf(ports.devices())));
        EthernetSession shared = name.equals(ETHERNET) ? session.share(borrower::whole) : null;
        if (shared != null) {
            lent.put(EthernetSession.class, shared);
        }
        lent.put(MemoryBorrower.class, borrower);
        Part part = new Part(name, number, parent, lent);
        offered.put(name, new Offered(part, claims, borrower, shared, services.publish(part)));
    }

    void withdrawRdma() {
        withdraw(RDMA);
    }

    /** Takes all parts back before the function's life ends; none is offered until {@link #resume}. */
    void suspend() {
        synchronized (this) {
            suspended = true;
        }
        withdraw(RDMA);
        withdraw(ETHERNET);
    }

    /** The function has another life. */
    void resume(EthernetSession session) {
        synchronized (this) {
            suspended = false;
        }
        offer(session);
    }

    /** On return its driver is at work no more, and nothing of it is left. */
    private void withdraw(String name) {
        Offered gone;
        synchronized (this) {
            gone = offered.remove(name);
        }
        if (gone == null) {
            return;
        }
        gone.unpublish.run();
        gone.part.expire();
        List<String> left = new ArrayList<>();
        if (gone.session != null) {
            gone.session.client().open().forEach((kind, count) -> left.add(kind + ": " + count));
            gone.session.close();
        }
        // only now the network devices may have their ports' queues
        List<Integer> claimed = gone.claims.end();
        if (!claimed.isEmpty()) {
            left.add("ports claimed: " + claimed.stream().map(String::valueOf).collect(Collectors.joining(", ")));
        }
        if (gone.memory.blocks() > 0) {
            left.add("blocks lent: " + gone.memory.blocks());
        }
        if (gone.memory.pagesInUse() > 0) {
            left.add("pages in use: " + gone.memory.pagesInUse());
        }
        gone.memory.close();
        if (!left.isEmpty()) {
            LOG.warn("{}: its driver left behind, and that is ended now: {}", gone.part.id(), String.join("; ", left));
        }
    }
}
