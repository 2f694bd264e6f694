package io.manafold.commands.sock.internal;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.sockets.Completions;
import io.manafold.api.sockets.Endpoint;
import io.manafold.api.sockets.EndpointPlan;
import io.manafold.api.sockets.Knobs;
import io.manafold.api.sockets.Operation;
import io.manafold.api.sockets.Queues;
import io.manafold.api.sockets.QueuesPlan;
import io.manafold.api.sockets.Region;
import io.manafold.api.sockets.Sockets;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.time.Duration;

/** One connection with memory of its own, on the calling thread, for as long as a command takes. */
final class ClientConnection implements AutoCloseable {
    private final MemoryBlock block;
    private final Region region;
    private final Queues queues;
    private final Endpoint endpoint;
    private final Completions completions = new Completions(64);

    /** Connects; waits as long as it takes, and not longer than {@code limit}. */
    ClientConnection(Transports transports, Sockets sockets, InetSocketAddress to, Knobs knobs, long bytes,
            Duration limit) throws InterruptedException {
        block = transports.memory().make("sock", bytes);
        Region registered = null;
        Queues made = null;
        Endpoint connected = null;
        try {
            registered = sockets.register(block, Region.SEND | Region.RECEIVE);
            made = sockets.queues(QueuesPlan.USUAL.named("sock").with(knobs));
            connected = sockets.connect(made, to, EndpointPlan.USUAL.with(knobs).withConnectLimit(limit), 0);
        } finally {
            // on refusals, too
            region = registered;
            queues = made;
            endpoint = connected;
            if (connected == null) {
                close();
            }
        }
        try {
            for (boolean there = false; !there;) {
                await();
                for (int i = 0; i < completions.count(); i++) {
                    check(i);
                    there |= completions.operation(i) == Operation.CONNECT;
                }
            }
        } catch (Refusal | InterruptedException failed) {
            close();
            throw failed;
        }
    }

    Endpoint endpoint() {
        return endpoint;
    }

    int key() {
        return region.key();
    }

    MemorySegment memory() {
        return block.segment();
    }

    Completions completions() {
        return completions;
    }

    /** Submits, and waits until completions are there. */
    void await() throws InterruptedException {
        queues.submit();
        while (!queues.await(Duration.ofMinutes(1))) {
            // until the command is interrupted
        }
        queues.poll(completions);
    }

    /** A completion that is an error ends the command. */
    void check(int index) {
        int number = completions.errno(index);
        if (number != 0) {
            Errno errno = Errno.of(number);
            String failure = completions.endpoint(index).failure();
            throw new Refusal(errno == null ? Errno.EIO : errno, failure == null ? "The connection ended." : failure);
        }
    }

    @Override
    public void close() {
        if (queues != null) {
            queues.close();
        }
        if (region != null) {
            region.close();
        }
        block.close();
    }
}
