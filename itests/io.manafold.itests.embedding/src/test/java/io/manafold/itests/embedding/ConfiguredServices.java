package io.manafold.itests.embedding;

import java.util.Collection;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import org.osgi.framework.ServiceReference;

/** What an embedder configures, so that services are there which stand for something: an adapter, a link, a port. */
final class ConfiguredServices implements AutoCloseable {
    private static final String ENVIRONMENTS = "io.manafold.api.ethdev.Environments";
    private static final String RAW = "(name=manae_*)";
    private static final String ADDRESS = "7870:00:07.0";

    private final Host host;
    private AutoCloseable environment;

    ConfiguredServices(Host host) {
        this.host = host;
    }

    /** One adapter with a port, and one link, of those that have a bundle among these. */
    void configure(Collection<String> ids) throws Exception {
        boolean adapter = has(ids, "io.manafold.adapter");
        boolean link = has(ids, "io.manafold.fabric");
        Configurations configurations = new Configurations(host);
        if (adapter) {
            configurations.make("io.manafold.adapter", "one",
                    new Hashtable<>(Map.of("name", "one", "address", ADDRESS)));
        }
        if (link) {
            configurations.make("io.manafold.link", "net",
                    new Hashtable<>(Map.of("name", "net", "ports", new String[] {"one/1"})));
        }
    }

    private static boolean has(Collection<String> ids, String artifact) {
        return ids.stream().anyMatch(id -> id.split(":")[1].equals(artifact));
    }

    /** Takes the adapter's port for poll mode. */
    void poll() throws Exception {
        poll(ADDRESS);
    }

    void poll(String device) throws Exception {
        host.await("raw packets of the port", () -> host.has("io.manafold.api.rdma.RdmaDevice", RAW));
        host.await("environments", () -> host.has(ENVIRONMENTS, null));
        ServiceReference<?> reference = host.context().getServiceReference(ENVIRONMENTS);
        environment = (AutoCloseable) reference.getBundle().loadClass(ENVIRONMENTS).getMethod("start", List.class)
                .invoke(host.context().getService(reference), List.of("-l", "0", "-a", device));
    }

    @Override
    public void close() throws Exception {
        if (environment != null) {
            environment.close();
        }
    }
}
