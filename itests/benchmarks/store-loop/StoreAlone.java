package io.manafold.example.store.internal;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.memory.MemorySource;
import io.manafold.api.sockets.EndpointPlan;
import io.manafold.api.sockets.QueuesPlan;
import io.manafold.memory.SharedBlocks;
import io.manafold.sockets.internal.nio.NioTransport;
import io.manafold.sockets.internal.uring.UringTransport;
import io.manafold.streams.Context;
import java.lang.annotation.Annotation;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** The example store without a framework, until its standard input ends. It says its port. */
public final class StoreAlone {
    private static final int MEBIBYTES = 256;
    private static final int CLIENTS = 256;

    private StoreAlone() {
    }

    public static void main(String[] arguments) throws Exception {
        MemorySource memory = new SharedBlocks(new Limits());
        Context sockets = new Context(arguments[0].equals("nio") ? new NioTransport() : new UringTransport(), "store",
                memory);
        MemoryBlock block = memory.make("store", ((long) MEBIBYTES << 20) + (long) CLIENTS * Server.BYTES_OF_CLIENT);
        Server server = new Server(sockets, block, new Server.Plan(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), CLIENTS, QueuesPlan.USUAL,
                EndpointPlan.USUAL.withQueues(Replies.SENDS, 1).withPieces(Replies.PIECES)));
        Thread thread = Thread.ofPlatform().daemon().start(server);
        while (server.local() == null && thread.isAlive()) {
            Thread.sleep(5);
        }
        System.out.println(server.local().getPort());
        while (System.in.read() >= 0) {
            // what is typed is nothing to it
        }
        server.stop();
        thread.join();
        sockets.close();
        block.close();
    }

    /** Of memory: enough. */
    @SuppressWarnings("ClassExplicitlyAnnotation")
    private static final class Limits implements SharedBlocks.Config {
        @Override
        public int blocks() {
            return 16;
        }

        @Override
        public long bytes() {
            return 1L << 30;
        }

        @Override
        public Class<? extends Annotation> annotationType() {
            return SharedBlocks.Config.class;
        }
    }
}
