package io.manafold.sockets.internal.server;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.sockets.Knobs;
import io.manafold.api.sockets.ServerPlan;
import io.manafold.api.sockets.SocketServer;
import io.manafold.api.sockets.Sockets;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Hashtable;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.osgi.annotation.bundle.Capability;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.Designate;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server that the configuration wants: it listens while its transport is there, and is a service with the entry's
 * properties then, by which a lab knows that it has arrived.
 */
@Capability(namespace = "osgi.service", uses = SocketServer.class,
        attribute = "objectClass:List<String>='io.manafold.api.sockets.SocketServer'")
@Component(service = {}, immediate = true, configurationPid = "io.manafold.listener",
configurationPolicy = ConfigurationPolicy.REQUIRE)
@Designate(ocd = ListenerEntry.Config.class, factory = true)
public final class ListenerEntry {
    private static final Logger LOG = LoggerFactory.getLogger(ListenerEntry.class);
    private static final long AGAIN_MILLIS = 1000;

    private final BundleContext context;
    private final Map<String, Object> properties;
    private final Servers servers;
    private final ServerPlan plan;
    private Sockets transport;
    private boolean active;
    private Server server;
    private ServiceRegistration<SocketServer> registration;

    /** What a configuration says. */
    @ObjectClassDefinition(name = "Manafold listener",
            description = "Where connections come in, and what becomes of them.")
    public @interface Config {
        @AttributeDefinition(description = "Where it listens: address:port.")
        String at();

        @AttributeDefinition(description = "echo, sink, source or file.")
        String do$() default "echo";

        @AttributeDefinition(required = false, description = "The file that is sent.")
        String file() default "";

        @AttributeDefinition(description = "What carries the connections.")
        String transport() default "uring";

        @AttributeDefinition(required = false, description = "Knobs that are demanded, NAME=VALUE, or preferred, "
                + "prefer:NAME=VALUE.")
        String[] knobs() default {};
    }

    @Activate
    public ListenerEntry(BundleContext context, Map<String, Object> properties, Config config,
            @Reference Servers servers) {
        this.context = context;
        this.properties = Map.copyOf(properties);
        this.servers = servers;
        plan = new ServerPlan(config.transport(), address(config.at()),
                ServerPlan.Work.valueOf(config.do$().toUpperCase(Locale.ROOT)), config.file().isEmpty() ? null
                : Path.of(config.file()), Knobs.parse(List.of(config.knobs())));
    }

    private static InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        try {
            return new InetSocketAddress(InetAddress.ofLiteral(text.substring(0, Math.max(0, colon))
                    .replaceAll("^\\[|]$", "")), Integer.parseInt(text.substring(colon + 1)));
        } catch (IllegalArgumentException wrong) {
            throw new Refusal(Errno.EINVAL, "'" + text + "' is no address with a port, as 127.0.0.1:7000.", wrong);
        }
    }

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    synchronized void add(Sockets sockets) {
        if (sockets.transport().equals(plan.transport())) {
            transport = sockets;
            if (active) {
                try {
                    open();
                } catch (RuntimeException refused) {
                    later(refused);
                }
            }
        }
    }

    void remove(Sockets sockets) {
        synchronized (this) {
            if (sockets != transport) {
                return;
            }
            transport = null;
            notifyAll();
        }
        close();
    }

    /**
     * Refused as listening is, which the lab tells; but for an address of a device, which may come a moment after the
     * transport.
     */
    @Activate
    synchronized void activate() {
        active = true;
        if (transport == null) {
            return;
        }
        try {
            open();
        } catch (Refusal refused) {
            if (refused.errno() != Errno.EADDRNOTAVAIL || transport.protocol().equals("tcp") || !later(refused)) {
                throw refused;
            }
        }
    }

    /**
     * Tries again now and then, while its transport is there. With the lock of this.
     *
     * @return false if there is no thread to do it
     */
    private boolean later(RuntimeException refused) {
        Sockets with = transport;
        Thread trying = servers.threads().newThread(() -> tryAgain(with));
        trying.setName("manafold-listener");
        try {
            trying.start();
        } catch (OutOfMemoryError noMoreThreads) {
            LOG.warn("Nothing listens at {} with {}, and no thread can be started to try it again ({}); take the"
                    + " listener away and bring it again: {}", plan.local(), plan.transport(),
                    noMoreThreads.getMessage(), refused.getMessage());
            return false;
        }
        LOG.warn("Nothing listens at {} with {} yet, which is tried again every second: {}", plan.local(),
                plan.transport(), refused.getMessage());
        return true;
    }

    private synchronized void tryAgain(Sockets with) {
        try {
            while (true) {
                wait(AGAIN_MILLIS);
                if (!active || transport != with || server != null) {
                    return;
                }
                try {
                    open();
                    return;
                } catch (RuntimeException | OutOfMemoryError _) {
                    // told once
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void open() {
        server = servers.open(transport, plan, this::ended);
        registration = context.registerService(SocketServer.class, server, new Hashtable<>(properties));
    }

    /**
     * An administrator has closed it, or it failed: the configuration does not stand for what is not there, and a lab
     * brings it again.
     */
    private void ended(Server which) {
        synchronized (this) {
            if (which != server) {
                return;
            }
        }
        forget();
        try {
            OwnConfiguration.delete(context, String.valueOf(properties.get(Constants.SERVICE_PID)));
        } catch (RuntimeException refused) {
            // among others the platform may be stopping
            LOG.warn("The listener at {} has ended, and would come back: {}", plan.local(), refused.getMessage());
        }
    }

    private Server forget() {
        ServiceRegistration<SocketServer> gone;
        Server open;
        synchronized (this) {
            gone = registration;
            open = server;
            registration = null;
            server = null;
        }
        if (gone != null) {
            gone.unregister();
        }
        return open;
    }

    @Deactivate
    void stop() {
        synchronized (this) {
            active = false;
            notifyAll();
        }
        close();
    }

    private void close() {
        // its thread calls back, so that no lock is held meanwhile
        Server open = forget();
        if (open != null) {
            open.close();
        }
    }
}
