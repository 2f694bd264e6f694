package io.manafold.sockets.internal.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.memory.MemorySource;
import io.manafold.api.sockets.Knobs;
import io.manafold.api.sockets.Queues;
import io.manafold.api.sockets.ServerPlan;
import io.manafold.api.sockets.Sockets;
import io.manafold.sockets.internal.nio.NioTransport;
import io.manafold.streams.Blocks;
import io.manafold.streams.Context;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that is over as soon as it listens. */
@Timeout(120)
class ShortServerTest {
    /** The end comes before or after its opener goes on, by chance. */
    private static final int ROUNDS = 300;

    @Test
    void isNoneOfThoseThatAreOpen() throws Exception {
        MemorySource memory = Blocks.source();
        Context context = new Context(new NioTransport(), "test", memory);
        Sockets ending = (Sockets) Proxy.newProxyInstance(Sockets.class.getClassLoader(),
                new Class<?>[] {Sockets.class}, (_, method, arguments) -> {
                    Object answer = method.invoke(context, arguments);
                    if (method.getName().equals("listen")) {
                        ((Queues) arguments[0]).close();
                    }
                    return answer;
                });
        Servers servers = new Servers(memory);
        ServerPlan plan = new ServerPlan("nio", new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                ServerPlan.Work.ECHO, null, Knobs.USUAL);
        try (AutoCloseable _ = context::close) {
            for (int i = 0; i < ROUNDS; i++) {
                CompletableFuture<Server> ended = new CompletableFuture<>();
                Server server = servers.open(ending, plan, ended::complete);
                assertThat(ended.get(60, TimeUnit.SECONDS)).isSameAs(server);
                assertThat(servers.servers()).as("after round " + i).isEmpty();
            }
        }
        assertThat(memory.blocks()).isEmpty();
    }
}
