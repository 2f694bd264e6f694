package io.manafold.sockets.internal.server;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.sockets.Completions;
import io.manafold.api.sockets.Endpoint;
import io.manafold.api.sockets.EndpointPlan;
import io.manafold.api.sockets.Listener;
import io.manafold.api.sockets.ListenerState;
import io.manafold.api.sockets.Operation;
import io.manafold.api.sockets.Queues;
import io.manafold.api.sockets.QueuesPlan;
import io.manafold.api.sockets.ServerPlan;
import io.manafold.api.sockets.SocketServer;
import io.manafold.api.sockets.Sockets;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A listener and its connections, which one thread serves. */
final class Server implements SocketServer {
    /** Each has memory of its own, so that one that does not read costs the others nothing. */
    static final int MOST = 4096;
    private static final Logger LOG = LoggerFactory.getLogger(Server.class);

    private final Sockets sockets;
    private final ServerPlan plan;
    private final ConversationFactory factory;
    private final Consumer<Server> gone;
    private final Queues queues;
    private final Thread thread;
    private final CompletableFuture<Listener> listening = new CompletableFuture<>();
    private final Set<Conversation> conversations = new LinkedHashSet<>();
    private volatile Listener listener;
    private volatile int connections;

    /**
     * Listens when this returns.
     *
     * @param gone is called when it is over; not of one that never listened, which {@link #begin} refuses
     * @param threads makes the one that serves it
     */
    Server(Sockets sockets, ServerPlan plan, ConversationFactory factory, Consumer<Server> gone,
            ThreadFactory threads) {
        this.sockets = sockets;
        this.plan = plan;
        this.factory = factory;
        this.gone = gone;
        queues = sockets.queues(QueuesPlan.USUAL.named("server at " + plan.local()).with(plan.knobs())
                .withEntries(1 << 16));
        thread = threads.newThread(this::serve);
        thread.setName("manafold-sockets-server");
    }

    /** Begins; refused as {@link Sockets#listen} is, and with {@code EAGAIN} where no thread can be started. */
    void begin() {
        try {
            thread.start();
        } catch (OutOfMemoryError noMoreThreads) {
            // which the thread would have done at its end
            queues.close();
            factory.close();
            throw new Refusal(Errno.EAGAIN, "No server listens at " + plan.local() + ": there is no thread to serve it"
                    + " (" + noMoreThreads.getMessage() + "). Let this user or container have more threads, or end"
                    + " some, and open it again.", noMoreThreads);
        }
        try {
            listener = listening.join();
        } catch (CompletionException failed) {
            close();
            if (failed.getCause() instanceof Refusal refused) {
                throw refused;
            }
            throw failed;
        }
    }

    private void serve() {
        try {
            try {
                listening.complete(sockets.listen(queues, plan.local(), EndpointPlan.USUAL.with(plan.knobs())
                        .withQueues(16, 16), 0));
            } catch (RuntimeException refused) {
                listening.completeExceptionally(refused);
                return;
            }
            Completions completions = new Completions(256);
            while (true) {
                cycle(completions);
            }
        } catch (Refusal _) {
            // the queues are closed, and all has come back
        } catch (InterruptedException _) {
            queues.close();
        } catch (RuntimeException | Error wrong) {
            LOG.error("The server at {} ends after an error", plan.local(), wrong);
            queues.close();
        } finally {
            factory.close();
            if (!listening.isCompletedExceptionally()) {
                // who began the other kind waits for this thread, perhaps with a lock that is taken here
                gone.accept(this);
            }
        }
    }

    private void cycle(Completions completions) throws InterruptedException {
        queues.await(Duration.ofHours(1));
        queues.poll(completions);
        for (int i = 0; i < completions.count(); i++) {
            try {
                come(completions, i);
            } catch (Refusal refused) {
                // that connection broke meanwhile, or the platform has no memory for it
                LOG.debug("A connection of the server at {} ends: {}", plan.local(), refused.getMessage());
                if (completions.endpoint(i) != null) {
                    completions.endpoint(i).close();
                }
            }
        }
        queues.submit();
    }

    private void come(Completions completions, int index) {
        Endpoint endpoint = completions.endpoint(index);
        if (endpoint == null) {
            if (completions.operation(index) == Operation.CLOSE) {
                // an administrator has closed its listener by name, which ends the server
                queues.close();
            }
            return;
        }
        if (completions.operation(index) == Operation.ACCEPT) {
            if (conversations.size() == MOST) {
                endpoint.close();
                return;
            }
            Conversation conversation = factory.begin(endpoint);
            endpoint.attach(conversation);
            conversations.add(conversation);
            conversation.begin();
        } else if (endpoint.attachment() instanceof Conversation conversation) {
            if (completions.operation(index) == Operation.CLOSE) {
                conversations.remove(conversation);
                factory.end(conversation);
            } else {
                conversation.completed(completions, index);
            }
        }
        connections = conversations.size();
    }

    @Override
    public ServerPlan plan() {
        return plan;
    }

    /** Whether it has begun. */
    boolean isListening() {
        return listener != null;
    }

    @Override
    public ListenerState listener() {
        return listener.state();
    }

    @Override
    public int connections() {
        return connections;
    }

    @Override
    public void close() {
        queues.close();
        try {
            // it has nothing to wait for any more
            thread.join(10_000);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
