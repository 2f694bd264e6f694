package io.manafold.itests.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.adapter.Adapter;
import io.manafold.api.memory.MemorySource;
import io.manafold.api.net.MacAddress;
import io.manafold.api.net.NetDevice;
import io.manafold.itests.bundles.Platform;
import io.manafold.itests.bundles.TestLab;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.InvalidSyntaxException;

/** A lab with two adapters whose functions are driven by the real drivers, each a bundle that can be replaced. */
public final class Drivers implements AutoCloseable {
    public static final String LEFT = "7870:00:00.0";
    public static final String RIGHT = "7870:00:01.0";

    private final Platform platform;
    private final BundleContext context;
    private final String name;
    private final TestLab lab;
    private final int ports;
    private final boolean apart;
    private final Deque<Bundle> bundles = new ArrayDeque<>();
    private final Bundle ethernet;
    private final Bundle rdma;
    /** Whether the first port of {@code left} is the virtual function of a pair. */
    private boolean paired;

    /**
     * Begins the lab, and starts the drivers.
     *
     * @param name of the lab
     * @param ports of the adapter {@code left}; the other has one
     */
    public Drivers(Platform platform, Path folder, String name, int ports) throws Exception {
        this(platform, folder, name, ports, false);
    }

    /** @param apart whether the ports of {@code left} from the second on are at a link of their own */
    public Drivers(Platform platform, Path folder, String name, int ports, boolean apart) throws Exception {
        this.platform = platform;
        this.apart = apart;
        this.name = name;
        this.ports = ports;
        context = platform.context();
        lab = new TestLab(platform, folder, name, text(all()));
        ethernet = start("ethernet");
        rdma = start("rdma");
    }

    /** The MAC address of a port. */
    public static MacAddress mac(String address, int port) {
        int last = address.equals(RIGHT) ? 2 : port == 1 ? 1 : port + 1;
        return MacAddress.parse("00:0d:3a:30:00:0" + last);
    }

    private String text(String linked) {
        StringBuilder macs = new StringBuilder();
        for (int port = 1; port <= ports; port++) {
            macs.append(port == 1 ? "" : ", ").append('"').append(mac(LEFT, port)).append('"');
        }
        return """
                adapters:
                  - name: left
                    address: %s
                    ports: %d
                    macs: [%s]
                  - name: right
                    address: %s
                    macs: ["%s"]
                links:
                  - name: between
                    ports: [%s]
                """.formatted(LEFT, ports, macs, RIGHT, mac(RIGHT, 1), linked) + (apart ? """
                  - name: beside
                    ports: [%s]
                """.formatted(left(2)) : "") + (paired ? """
                pairs:
                  - name: pair0
                    port: left/1
                """ : "");
    }

    /** Has the first port of {@code left} be the virtual function of a pair, whose network device goes down with it. */
    public void pair() throws Exception {
        start("failover");
        paired = true;
        link();
        context.getService(context.getServiceReferences(NetDevice.class, "(name=pair0)").iterator().next())
                .setUp(false);
    }

    private String all() {
        return (apart ? "left/1" : left(1)) + ", right/1";
    }

    private String left(int first) {
        return IntStream.rangeClosed(first, ports).mapToObj(port -> "left/" + port).collect(Collectors.joining(", "));
    }

    /** Has other ports be at the link, as a lab names them. */
    public void link(String linked) throws IOException, InterruptedException {
        lab.change(text(linked));
    }

    /** Has all ports be at the link. */
    public void link() throws IOException, InterruptedException {
        link(all());
    }

    /** Starts one more bundle, as {@link DriverJar} names it; it goes first at the end. */
    public Bundle start(String bundle) throws BundleException, IOException {
        Bundle started = context.installBundle("test:" + bundle + "-" + name, DriverJar.version(bundle, "1.0.0"));
        bundles.push(started);
        started.start();
        return started;
    }

    public Bundle ethernet() {
        return ethernet;
    }

    public Bundle rdma() {
        return rdma;
    }

    public List<Adapter> adapters() throws InvalidSyntaxException {
        return context.getServiceReferences(Adapter.class, null).stream().map(context::getService).toList();
    }

    /** No adapter has refused what a driver asked for. */
    public void refusedNothing() throws InvalidSyntaxException {
        for (Adapter adapter : adapters()) {
            assertThat(adapter.rejections()).as("what the adapter has refused").isEmpty();
        }
    }

    /** No adapter has any of these left. */
    public void assertUsesNo(String... things) throws InvalidSyntaxException {
        for (Adapter adapter : adapters()) {
            for (String thing : things) {
                assertThat(adapter.usage()).as("what the adapter holds").containsEntry(thing, 0L);
            }
        }
    }

    public NetDevice network(String address, int port) throws InvalidSyntaxException {
        return context.getService(context.getServiceReferences(NetDevice.class, "(&(address=" + address + ")(port="
                + port + "))").iterator().next());
    }

    /** How many services there are. */
    public int count(Class<?> type, String filter) {
        try {
            return context.getServiceReferences(type, filter).size();
        } catch (InvalidSyntaxException impossible) {
            throw new AssertionError(impossible);
        }
    }

    @Override
    public void close() throws Exception {
        for (Bundle bundle : bundles) {
            if (bundle.getState() != Bundle.UNINSTALLED) {
                bundle.uninstall();
            }
        }
        lab.close();
        assertThat(platform.service(MemorySource.class).blocks()).as("blocks of memory").isEmpty();
    }
}
