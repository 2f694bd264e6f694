package io.manafold.example.store.internal;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.sockets.Completions;
import io.manafold.api.sockets.Endpoint;
import io.manafold.api.sockets.EndpointPlan;
import io.manafold.api.sockets.Queues;
import io.manafold.api.sockets.QueuesPlan;
import io.manafold.api.sockets.Region;
import io.manafold.api.sockets.Sockets;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves all clients with one thread: whose commands came, in turns of one buffer each. */
final class Server implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Server.class);
    private static final Duration TURN = Duration.ofMillis(100);
    /** Of a client in the region: its buffer and its answers. */
    static final int BYTES_OF_CLIENT = Client.BYTES + Replies.BYTES;
    private static final long BUDGET = 16 << 20;

    private final Sockets sockets;
    private final MemoryBlock block;
    private final Plan plan;
    private final Client[] clients;
    private final ArrayDeque<Client> free = new ArrayDeque<>();
    private Region region;
    private Facts facts;
    private Commands commands;
    private boolean toldOfFullness;
    private volatile Queues queues;
    private volatile InetSocketAddress local;
    private volatile boolean isStopped;

    /**
     * @param clients at most
     * @param endpoints how they are to be
     */
    record Plan(InetSocketAddress address, int clients, QueuesPlan queues, EndpointPlan endpoints) {
    }

    /** @param block for the buffers of its clients and for values, which stays its maker's */
    Server(Sockets sockets, MemoryBlock block, Plan plan) {
        this.sockets = sockets;
        this.block = block;
        this.plan = plan;
        clients = new Client[plan.clients()];
    }

    /** Where it listens, {@code null} before it does. Any thread may call. */
    InetSocketAddress local() {
        return local;
    }

    /** Has {@link #run} end soon. Any thread may call. */
    void stop() {
        isStopped = true;
        Queues served = queues;
        if (served != null) {
            served.wakeup();
        }
    }

    @Override
    public void run() {
        try (Region all = sockets.register(block, Region.SEND | Region.RECEIVE);
                Queues made = sockets.queues(plan.queues())) {
            region = all;
            queues = made;
            long chunksAt = (long) plan.clients() * BYTES_OF_CLIENT;
            Values values = new Values(region, chunksAt);
            facts = new Facts(sockets.transport(), plan.clients(), values);
            commands = new Commands(values, facts, plan.clients());
            Arguments.Budget budget = new Arguments.Budget(BUDGET);
            for (int slot = 0; slot < clients.length; slot++) {
                clients[slot] = new Client(values, commands, budget, slot, (long) slot * BYTES_OF_CLIENT);
                free.add(clients[slot]);
            }
            local = sockets.listen(made, plan.address(), plan.endpoints(), 0).local();
            LOG.info("The store listens at {} over {}.", local, sockets.transport());
            serve(made);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException failed) {
            if (!isStopped) {
                LOG.error("The store at {} serves no clients: {}", plan.address(), failed.getMessage());
            }
        }
    }

    private void serve(Queues served) throws InterruptedException {
        Completions completions = new Completions(256);
        while (!isStopped) {
            served.await(TURN);
            commands.now(System.currentTimeMillis());
            // a client that sends all the time has this go on and on: time passes and the end comes all the same
            while (!isStopped && served.poll(completions) > 0) {
                commands.now(System.currentTimeMillis());
                for (int i = 0; i < completions.count(); i++) {
                    try {
                        handle(completions, i);
                    } catch (RuntimeException failed) {
                        // broken meanwhile, mostly; others have nothing to do with it
                        LOG.debug("{} ends: {}", completions.endpoint(i), failed.getMessage());
                        completions.endpoint(i).close();
                    }
                }
                served.submit();
            }
            served.submit();
        }
    }

    private void handle(Completions completions, int index) {
        Endpoint endpoint = completions.endpoint(index);
        if (endpoint == null) {
            LOG.warn("The store takes no clients for a while: error {}.", completions.errno(index));
            return;
        }
        Client client = (Client) endpoint.attachment();
        switch (completions.operation(index)) {
            case ACCEPT -> come(endpoint);
            case RECEIVE -> {
                if (client != null) {
                    client.received(completions, index);
                }
            }
            case SEND -> {
                if (client != null) {
                    client.sent(completions, index);
                }
            }
            case FINISH -> endpoint.close();
            case CLOSE -> {
                if (client != null) {
                    gone(endpoint, client);
                }
            }
            default -> {
                // connects to no client
            }
        }
    }

    private void come(Endpoint endpoint) {
        Client client = free.poll();
        if (client == null) {
            if (!toldOfFullness) {
                toldOfFullness = true;
                LOG.warn("The store has {} clients, which is all it takes; {} is turned away, as others are until one "
                        + "leaves.", plan.clients(), endpoint.remote());
            }
            endpoint.close();
            return;
        }
        endpoint.attach(client);
        facts.come();
        client.begin(endpoint);
    }

    private void gone(Endpoint endpoint, Client client) {
        endpoint.attach(null);
        client.end();
        facts.gone();
        toldOfFullness = false;
        free.push(client);
    }
}
