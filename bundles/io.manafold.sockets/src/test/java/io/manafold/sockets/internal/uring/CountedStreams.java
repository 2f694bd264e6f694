package io.manafold.sockets.internal.uring;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.memory.MemorySource;
import io.manafold.api.sockets.Completions;
import io.manafold.api.sockets.Endpoint;
import io.manafold.api.sockets.EndpointPlan;
import io.manafold.api.sockets.Listener;
import io.manafold.api.sockets.Operation;
import io.manafold.api.sockets.Queues;
import io.manafold.api.sockets.QueuesPlan;
import io.manafold.api.sockets.ReceivePool;
import io.manafold.api.sockets.Region;
import io.manafold.streams.Blocks;
import io.manafold.streams.Context;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * A process that sends over a ring, is woken by another thread meanwhile, and says how many system calls its queues
 * count.
 */
public final class CountedStreams {
    private static final int ROUNDS = 8000;
    private static final int WAKES = 400;
    private static final int MESSAGE = 4096;

    private CountedStreams() {
    }

    public static void main(String[] arguments) throws Exception {
        MemorySource memory = Blocks.source();
        Context context = new Context(new UringTransport(), "counted", memory);
        MemoryBlock block = memory.make("counted", 1 << 20);
        Region region = context.register(block, Region.SEND | Region.RECEIVE);
        Queues queues = context.queues(QueuesPlan.USUAL);
        ReceivePool pool = queues.pool(region, MESSAGE, 64);
        Listener listener = context.listen(queues, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                EndpointPlan.USUAL, 1);
        Endpoint near = context.connect(queues, listener.local(), EndpointPlan.USUAL, 2);
        Completions completions = new Completions(64);
        long got = 0;
        int sent = 0;
        boolean isFree = false;
        Endpoint far = null;
        Thread waker = Thread.ofPlatform().daemon().unstarted(() -> {
            for (int i = 0; i < WAKES; i++) {
                queues.wakeup();
                LockSupport.parkNanos(1_000_000);
            }
        });
        while (got < (long) ROUNDS * MESSAGE) {
            if (isFree && far != null && sent < ROUNDS) {
                near.send(region.key(), 1 << 19, MESSAGE, 3);
                isFree = false;
                sent++;
            }
            queues.submit();
            queues.await(Duration.ofSeconds(1));
            queues.poll(completions);
            for (int i = 0; i < completions.count(); i++) {
                Operation operation = completions.operation(i);
                if (operation == Operation.ACCEPT) {
                    far = completions.endpoint(i);
                    far.receive(pool, 4);
                    waker.start();
                } else if (operation == Operation.RECEIVE) {
                    got += completions.length(i);
                    pool.giveBack(completions.buffer(i));
                }
                isFree |= operation == Operation.CONNECT || operation == Operation.SEND;
            }
        }
        while (waker.isAlive()) {
            queues.await(Duration.ofMillis(20));
            queues.poll(completions);
        }
        System.out.println("counted: " + queues.systemCalls());
        context.close();
        block.close();
    }
}
