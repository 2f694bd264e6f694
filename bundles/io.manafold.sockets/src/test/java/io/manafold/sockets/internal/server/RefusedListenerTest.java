package io.manafold.sockets.internal.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.memory.MemorySource;
import io.manafold.api.refusal.Refusal;
import io.manafold.sockets.internal.nio.NioTransport;
import io.manafold.streams.Blocks;
import io.manafold.streams.Context;
import java.lang.annotation.Annotation;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A listener of the configuration whose address another has already. */
@Timeout(60)
class RefusedListenerTest {
    private record At(String at) implements ListenerEntry.Config {
        @Override
        public String do$() {
            return "echo";
        }

        @Override
        public String file() {
            return "";
        }

        @Override
        public String transport() {
            return "nio";
        }

        @Override
        public String[] knobs() {
            return new String[0];
        }

        @Override
        public Class<? extends Annotation> annotationType() {
            return ListenerEntry.Config.class;
        }
    }

    @Test
    void isRefusedAtOnce() throws Exception {
        MemorySource memory = Blocks.source();
        Context context = new Context(new NioTransport(), "test", memory);
        try (AutoCloseable _ = context::close;
                ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            ListenerEntry entry = new ListenerEntry(null, Map.of(), new At("127.0.0.1:" + other.getLocalPort()),
                    new Servers(memory));
            entry.add(context);
            long begin = System.nanoTime();
            assertThatThrownBy(entry::activate).isInstanceOf(Refusal.class);
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).as("until it was refused")
                    .isLessThan(Duration.ofSeconds(5));
        }
        assertThat(memory.blocks()).isEmpty();
    }
}
