package io.manafold.sockets.internal.server;

import io.manafold.api.memory.MemorySource;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.sockets.ServerPlan;
import io.manafold.api.sockets.SocketServer;
import io.manafold.api.sockets.SocketServers;
import io.manafold.api.sockets.Sockets;
import io.manafold.api.sockets.TransportChoice;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/** The servers that are open. One whose transport goes ends with it. */
@Component(service = {SocketServers.class, Servers.class})
public final class Servers implements SocketServers {
    private final MemorySource memory;
    private final ThreadFactory threads;
    /** Also those that are about to listen. */
    private final List<Server> servers = new CopyOnWriteArrayList<>();
    private final List<Sockets> transports = new CopyOnWriteArrayList<>();

    @Activate
    public Servers(@Reference MemorySource memory) {
        this(memory, Thread.ofPlatform().daemon().factory());
    }

    /** @param threads makes those that serve, and those of listeners that are tried again */
    Servers(MemorySource memory, ThreadFactory threads) {
        this.memory = memory;
        this.threads = threads;
    }

    ThreadFactory threads() {
        return threads;
    }

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    void add(Sockets transport) {
        transports.add(transport);
    }

    void remove(Sockets transport) {
        // what it carries ends when this returns, because the context is given back
        transports.remove(transport);
    }

    @Deactivate
    void stop() {
        servers.forEach(Server::close);
    }

    @Override
    public SocketServer open(ServerPlan plan) {
        if (plan.transport() == null) {
            Sockets chosen = TransportChoice.choose(transports, plan.knobs());
            return open(chosen, plan.over(chosen.transport()), _ -> { });
        }
        Sockets sockets = transports.stream().filter(one -> one.transport().equals(plan.transport())).findFirst()
                .orElseThrow(() -> new Refusal(Errno.EOPNOTSUPP, "There is no transport '" + plan.transport()
                + "' here; there is " + String.join(", ", transports.stream().map(Sockets::transport).sorted().toList())
                + "."));
        return open(sockets, plan, _ -> { });
    }

    /** @param ended is told when the server is over */
    Server open(Sockets sockets, ServerPlan plan, Consumer<Server> ended) {
        Server server = make(sockets, plan, over -> {
            servers.remove(over);
            ended.accept(over);
        });
        // before it begins: one that ends at once takes itself out of the list
        servers.add(server);
        boolean begun = false;
        try {
            server.begin();
            begun = true;
        } finally {
            if (!begun) {
                servers.remove(server);
            }
        }
        return server;
    }

    private Server make(Sockets sockets, ServerPlan plan, Consumer<Server> gone) {
        ConversationFactory factory = new ConversationFactory(sockets, memory, plan);
        try {
            return new Server(sockets, plan, factory, gone, threads);
        } catch (RuntimeException refused) {
            factory.close();
            throw refused;
        }
    }

    @Override
    public List<SocketServer> servers() {
        return servers.stream().filter(Server::isListening).<SocketServer>map(server -> server).toList();
    }
}
