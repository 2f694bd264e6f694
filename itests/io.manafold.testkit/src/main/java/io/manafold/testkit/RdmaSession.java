package io.manafold.testkit;

import io.manafold.api.net.MacAddress;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.DeviceId;
import io.manafold.gdma.Gid;
import io.manafold.gdma.driver.ClientSession;
import io.manafold.gdma.driver.DoorbellPage;
import io.manafold.gdma.driver.EthernetSession;
import io.manafold.gdma.driver.EventQueue;
import io.manafold.gdma.driver.FunctionSession;
import io.manafold.gdma.driver.ProtectionDomain;
import io.manafold.gdma.message.ConfigureRdmaGid;
import io.manafold.gdma.message.ConfigureRdmaMac;
import io.manafold.gdma.message.CreateRdmaAdapter;
import io.manafold.gdma.message.DestroyRdmaAdapter;
import io.manafold.gdma.message.QueryRdmaCapabilities;
import io.manafold.gdma.message.Request;
import io.manafold.gdma.message.Response;
import io.manafold.memory.DmaArena;
import io.manafold.memory.DmaPiece;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongFunction;

/**
 * The RDMA device of a function in use: its adapter with one event queue, one station address and what addresses it is
 * given. It has no thread.
 *
 * <pre>{@code
 * try (RdmaSession rdma = new RdmaSession(ethernet, 0, memory);
 *         ProtectionDomain domain = rdma.createDomain();
 *         RdmaQueue completions = rdma.createQueue(256);
 *         RcPair pair = new RcPair(rdma, domain, completions, completions, RcSettings.of(4096))) {
 *     rdma.add(gid);
 *     pair.connect(pair.address(gid, psn), peer);
 *     pair.send(address, key, length);
 *     pair.ring();
 *     while (pair.outstanding() > 0) {
 *         pair.poll();
 *     }
 * }
 * }</pre>
 */
public final class RdmaSession implements AutoCloseable {
    private static final int EVENT_BYTES = 32 << 10;

    private final ClientSession client;
    private final DmaArena memory;
    private final MacAddress mac;
    private final QueryRdmaCapabilities.Result capabilities;
    private final EventQueue events;
    private final long adapter;
    /** Where rings lie that are not in the memory of the session, and those that do. */
    private LongFunction<DmaPiece> elsewhere;
    private final Set<DmaPiece> foreign = new HashSet<>();

    /**
     * Takes the device into use, as the Linux driver does.
     *
     * @param ethernet the same function's, which knows the station address
     * @param port of the function, from 0
     * @throws Refusal {@code ENODEV} without such a device; what it refuses itself
     */
    public RdmaSession(EthernetSession ethernet, int port, DmaArena memory) {
        this(ethernet.function(), ethernet.vports().get(port).mac(), memory);
        try {
            add(mac);
        } catch (RuntimeException refused) {
            client.close();
            throw refused;
        }
    }

    /** The same, but the adapter is not told the station address. */
    public static RdmaSession withoutAddress(EthernetSession ethernet, int port, DmaArena memory) {
        return new RdmaSession(ethernet.function(), ethernet.vports().get(port).mac(), memory);
    }

    private RdmaSession(FunctionSession function, MacAddress mac, DmaArena memory) {
        this.memory = memory;
        this.mac = mac;
        DeviceId device = function.device(DeviceId.TYPE_RDMA).orElseThrow(() -> new Refusal(Errno.ENODEV,
                function.pci().id() + " lists no RDMA device."));
        client = function.register(device, memory);
        try {
            capabilities = call(new QueryRdmaCapabilities());
            events = client.createEventQueue(EVENT_BYTES, 0);
            adapter = call(new CreateRdmaAdapter(events.id(), CreateRdmaAdapter.ERROR_COMPLETIONS)).adapter();
        } catch (RuntimeException refused) {
            client.close();
            throw refused;
        }
    }

    /** Asks the RDMA device. */
    public <R extends Response> R call(Request<R> request) {
        return client.call(request);
    }

    /** Packets may come from this address and go to it. */
    public void add(Gid gid) {
        call(new ConfigureRdmaGid(adapter, ConfigureRdmaGid.ADD, gid.family(), gid));
    }

    /** Packets may no more. */
    public void remove(Gid gid) {
        call(new ConfigureRdmaGid(adapter, ConfigureRdmaGid.REMOVE, gid.family(), gid));
    }

    /** Packets for a port of the function are RDMA's. */
    public void add(MacAddress other) {
        call(new ConfigureRdmaMac(adapter, ConfigureRdmaMac.ADD, other));
    }

    /** Makes a completion queue that is rung on the device's own page. */
    public RdmaQueue createQueue(int entries) {
        return createQueue(entries, page());
    }

    /** Makes a completion queue that is rung on another page. */
    public RdmaQueue createQueue(int entries, DoorbellPage page) {
        return new RdmaQueue(this, entries, page, events.id());
    }

    public ProtectionDomain createDomain() {
        return client.createDomain();
    }

    public ClientSession client() {
        return client;
    }

    public DmaArena memory() {
        return memory;
    }

    /** From now on rings and completion queues lie in memory of the caller's; {@code null} for the session's own. */
    public void ringsFrom(LongFunction<DmaPiece> other) {
        elsewhere = other;
    }

    DmaPiece allocate(long bytes) {
        if (elsewhere == null) {
            return memory.allocate(bytes);
        }
        DmaPiece piece = elsewhere.apply(bytes);
        foreign.add(piece);
        return piece;
    }

    void free(DmaPiece piece) {
        if (!foreign.remove(piece)) {
            memory.free(piece);
        }
    }

    public MacAddress mac() {
        return mac;
    }

    public QueryRdmaCapabilities.Result capabilities() {
        return capabilities;
    }

    /** Events of its completion queues and failed queue pairs. */
    public EventQueue events() {
        return events;
    }

    /** The handle of the adapter in requests. */
    public long adapter() {
        return adapter;
    }

    /** The device's own doorbell page. */
    public DoorbellPage page() {
        return client.rights().page();
    }

    /** Ends the adapter with all that is in it, and gives the device back. */
    @Override
    public void close() {
        try {
            call(new DestroyRdmaAdapter(adapter));
            client.destroyEventQueue(events);
        } finally {
            client.close();
        }
    }
}
