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

/**
 * The RDMA device of a function in use: its adapter with one event queue, one station address and what addresses it is given.
 * It has no thread.
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

    /**
     * Takes the device into use, as the Linux driver does.
     *
     * @param ethernet the same function's, which knows the station address
     * @param port of the function, from 0
     * @throws Refusal {@code ENODEV} without such a device; what it refuses itself
     */
    public RdmaSession(EthernetSession ethernet, int port, DmaArena memory) {
        this(ethernet.function(), ethernet.vports().get(port).mac(), memory);
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
            call(new ConfigureRdmaMac(adapter, ConfigureRdmaMac.ADD, mac));
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

    /** Packets for another port of the function are RDMA's, too. */
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
