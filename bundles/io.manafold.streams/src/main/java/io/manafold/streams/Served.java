package io.manafold.streams;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.sockets.Completions;
import io.manafold.api.sockets.Endpoint;
import io.manafold.api.sockets.EndpointPlan;
import io.manafold.api.sockets.Knobs;
import io.manafold.api.sockets.Operation;
import io.manafold.api.sockets.QueuesPlan;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Queues that a thread of ours serves, for programs that want channels and no queues; there when they are asked for the
 * first time.
 */
final class Served {
    private static final Logger LOG = LoggerFactory.getLogger(Served.class);

    private final Context context;
    private final ThreadFactory threads;
    /** Both are there or neither is; guarded by this. */
    private StreamQueues queues;
    private Thread thread;
    private boolean closed;

    /** @param threads makes the one that serves the queues */
    Served(Context context, ThreadFactory threads) {
        this.context = context;
        this.threads = threads;
    }

    Endpoint connect(InetSocketAddress remote, EndpointPlan plan, Duration limit) throws InterruptedException {
        CompletableFuture<Endpoint> connected = new CompletableFuture<>();
        StreamQueues on = queues();
        // of what runs inside the queues
        StreamEndpoint[] made = new StreamEndpoint[1];
        on.run(() -> {
            try {
                made[0] = context.connectInside(on, remote, plan.withConnectLimit(limit), 0);
                made[0].attach(connected);
            } catch (RuntimeException refused) {
                connected.completeExceptionally(refused);
            }
        });
        boolean isWanted = false;
        try {
            // the queues keep the limit; this is for queues that end meanwhile
            Endpoint endpoint = connected.get(limit.toMillis() + 10_000, TimeUnit.MILLISECONDS);
            isWanted = true;
            return endpoint;
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof Refusal refused ? refused
                    : new Refusal(Errno.EIO, "Connecting to " + remote + " failed: " + failed.getCause());
        } catch (TimeoutException late) {
            throw new Refusal(Errno.ETIMEDOUT, "There was no answer about the connection to " + remote + ".", late);
        } finally {
            if (!isWanted) {
                // connected already or not, the program never hears of it
                on.run(() -> {
                    if (made[0] != null) {
                        made[0].closeInside(false);
                    }
                });
            }
        }
    }

    private synchronized StreamQueues queues() {
        if (closed) {
            throw new Refusal(Errno.ENODEV, "The transport " + context.transport() + " is not there any more.");
        }
        if (queues == null) {
            StreamQueues made = context.make(QueuesPlan.USUAL.named("channels of " + context.owner())
                    .with(Knobs.USUAL));
            begin(made);
        }
        return queues;
    }

    private void begin(StreamQueues made) {
        Thread serving = threads.newThread(() -> serve(made));
        boolean begun = false;
        try {
            serving.start();
            begun = true;
        } finally {
            // the system may let no more threads begin: the next connect tries it with queues of its own
            if (!begun) {
                made.close();
            }
        }
        queues = made;
        thread = serving;
    }

    private static void serve(StreamQueues queues) {
        Completions completions = new Completions(64);
        while (true) {
            try {
                queues.await(Duration.ofHours(1));
                queues.poll(completions);
                for (int i = 0; i < completions.count(); i++) {
                    answer(completions, i);
                }
                queues.submit();
            } catch (Refusal _) {
                // they are closed, and all has come back
                return;
            } catch (InterruptedException _) {
                // nothing here interrupts it, and it ends with the queues
            } catch (RuntimeException wrong) {
                LOG.error("Queues of channels go on after an error", wrong);
            }
        }
    }

    @SuppressWarnings("unchecked")
    private static void answer(Completions completions, int index) {
        Endpoint endpoint = completions.endpoint(index);
        if (completions.operation(index) != Operation.CONNECT || endpoint == null) {
            return;
        }
        CompletableFuture<Endpoint> connected = (CompletableFuture<Endpoint>) endpoint.attachment();
        if (completions.errno(index) == 0) {
            endpoint.attach(null);
            connected.complete(endpoint);
        } else {
            Errno errno = Errno.of(completions.errno(index));
            connected.completeExceptionally(new Refusal(errno == null ? Errno.EIO : errno, endpoint.failure() == null
                    ? "The connection to " + endpoint.remote() + " was given up." : endpoint.failure()));
            endpoint.close();
        }
    }

    void close() {
        StreamQueues gone;
        Thread serving;
        synchronized (this) {
            closed = true;
            gone = queues;
            serving = thread;
        }
        if (gone != null) {
            gone.close();
            try {
                serving.join(10_000);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
