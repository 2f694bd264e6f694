package io.manafold.sockets.rdma.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.rdma.Access;
import io.manafold.api.rdma.CompletionQueue;
import io.manafold.api.rdma.CompletionStatus;
import io.manafold.api.rdma.Completions;
import io.manafold.api.rdma.ConnectionPlan;
import io.manafold.api.rdma.MemoryRegion;
import io.manafold.api.rdma.ProtectionDomain;
import io.manafold.api.rdma.QueuePair;
import io.manafold.api.rdma.QueuePairAttributes;
import io.manafold.api.rdma.QueuePairPlan;
import io.manafold.api.rdma.RdmaConnection;
import io.manafold.api.rdma.ReceiveList;
import io.manafold.api.rdma.SendList;
import io.manafold.rdma.internal.device.Hosts;
import io.manafold.streams.Blocks;
import java.net.InetSocketAddress;
import java.time.Duration;

/** A peer that has a queue pair of its own and sends with it what it likes. */
final class Stranger implements AutoCloseable {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final int BYTES = 64 << 10;
    private static final int RECEIVES = 64;

    private final MemoryBlock block = Blocks.source().make("stranger", 2 * BYTES);
    private final ProtectionDomain domain;
    private final CompletionQueue queue;
    private final MemoryRegion region;
    private final QueuePair pair;
    private final RdmaConnection connection;
    private final Completions completions = new Completions(64);

    /** Connects from the right host. */
    Stranger(Hosts hosts, InetSocketAddress to, byte[] privateData) throws InterruptedException {
        domain = hosts.right().allocateDomain();
        queue = hosts.right().createCompletionQueue(256);
        region = domain.register(block, Access.LOCAL_WRITE);
        pair = domain.createQueuePair(QueuePairPlan.reliable(queue, 64, RECEIVES));
        ReceiveList receives = new ReceiveList(RECEIVES);
        for (int i = 0; i < RECEIVES; i++) {
            receives.receive(1000 + i).piece(region.address() + BYTES, region.localKey(), BYTES);
        }
        // before the peer knows of it: what has been rejected takes no receives
        pair.modify(QueuePairAttributes.init(Access.LOCAL_WRITE | Access.REMOTE_WRITE));
        pair.post(receives);
        connection = hosts.rightConnections().connect(pair, to, ConnectionPlan.USUAL.withPrivateData(privateData));
        try {
            connection.established(MINUTE);
        } catch (RuntimeException refused) {
            close();
            throw refused;
        }
    }

    /** A message with an immediate value. */
    void send(int length, int immediate) {
        SendList list = new SendList(1).sendWithImmediate(1, SendList.SIGNALED, immediate);
        if (length > 0) {
            list.piece(region.address(), region.localKey(), length);
        }
        assertThat(pair.post(list)).isEqualTo(1);
    }

    void sendBare(int length) {
        assertThat(pair.post(new SendList(1).send(1, SendList.SIGNALED).piece(region.address(), region.localKey(),
                length))).isEqualTo(1);
    }

    void write(long address, int key, int length) {
        assertThat(pair.post(new SendList(1).write(1, SendList.SIGNALED, address, key).piece(region.address(),
                region.localKey(), length)))
                .isEqualTo(1);
    }

    /** How its oldest send ended; receives are passed over. */
    CompletionStatus ended() {
        while (true) {
            queue.poll(completions);
            for (int i = 0; i < completions.count(); i++) {
                if (completions.id(i) == 1) {
                    return completions.status(i);
                }
            }
            Thread.onSpinWait();
        }
    }

    /** Whether the peer has left it. */
    boolean isLeft() throws InterruptedException {
        return connection.next(Duration.ZERO).isPresent();
    }

    @Override
    public void close() {
        connection.close();
        pair.close();
        queue.close();
        region.close();
        domain.close();
        block.close();
    }
}
