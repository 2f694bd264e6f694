package io.manafold.example.store.internal;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.memory.MemorySource;
import io.manafold.api.sockets.EndpointPlan;
import io.manafold.api.sockets.Knobs;
import io.manafold.api.sockets.QueuesPlan;
import io.manafold.api.sockets.Sockets;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;

/**
 * A store of values for clients of RESP2, once for each configuration of the factory. Which transport carries it is
 * said by {@code sockets.target}, as {@code (transport=uring)}.
 */
@Component(service = {}, configurationPid = "io.manafold.example.store",
        configurationPolicy = ConfigurationPolicy.REQUIRE)
public final class Store {
    private static final int MOST_MEBIBYTES = 16 << 10;
    private static final int MOST_CLIENTS = 10_000;

    private final MemoryBlock block;
    private final Server server;
    private final Thread thread;

    /** How it is to be. */
    public @interface Config {
        /** Where it listens, by number. */
        String address() default "127.0.0.1:6379";

        /** Of memory for values. */
        int mebibytes() default 64;

        /** At most. */
        int clients() default 256;

        /** As {@code memory=registered}. */
        String[] knobs() default {};
    }

    @Activate
    public Store(Config config, @Reference MemorySource memory,
            @Reference(name = "sockets", target = "(transport=nio)") Sockets sockets) {
        InetSocketAddress address = address(config.address());
        if (config.mebibytes() < 1 || config.mebibytes() > MOST_MEBIBYTES || config.clients() < 1
                || config.clients() > MOST_CLIENTS) {
            throw new IllegalArgumentException("A store has 1 to " + MOST_MEBIBYTES + " mebibytes and 1 to "
                    + MOST_CLIENTS + " clients, not " + config.mebibytes() + " and " + config.clients() + ".");
        }
        Knobs knobs = Knobs.parse(List.of(config.knobs()));
        QueuesPlan queues = QueuesPlan.USUAL.named("store " + config.address()).with(knobs)
                .withEntries(Math.max(QueuesPlan.USUAL.entries(), config.clients() * 2 * (Replies.SENDS + 2)));
        EndpointPlan endpoints = EndpointPlan.USUAL.with(knobs).withQueues(Replies.SENDS, 1).withPieces(Replies.PIECES);
        block = memory.make("store " + config.address(), ((long) config.mebibytes() << 20) + (long) config.clients()
                * Server.BYTES_OF_CLIENT);
        server = new Server(sockets, block, new Server.Plan(address, config.clients(), queues, endpoints));
        thread = Thread.ofPlatform().name("store " + config.address()).daemon().start(server);
    }

    private static InetSocketAddress address(String text) {
        try {
            int colon = text.lastIndexOf(':');
            return new InetSocketAddress(InetAddress.ofLiteral(text.substring(0, colon)),
                    Integer.parseInt(text.substring(colon + 1)));
        } catch (IllegalArgumentException | IndexOutOfBoundsException wrong) {
            throw new IllegalArgumentException("The store cannot listen at '" + text
                    + "'; write it as 127.0.0.1:6379 or [::1]:6379.", wrong);
        }
    }

    @Deactivate
    void end() throws InterruptedException {
        server.stop();
        thread.join();
        block.close();
    }
}
