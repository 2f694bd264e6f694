package io.manafold.sockets.internal.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.memory.MemorySource;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.sockets.Endpoint;
import io.manafold.api.sockets.EndpointPlan;
import io.manafold.api.sockets.Knob;
import io.manafold.api.sockets.Knobs;
import io.manafold.api.sockets.ServerPlan;
import io.manafold.api.sockets.SocketServer;
import io.manafold.api.sockets.Sockets;
import io.manafold.api.sockets.TransportChoice;
import io.manafold.sockets.internal.nio.NioTransport;
import io.manafold.sockets.internal.uring.UringTransport;
import io.manafold.streams.Blocks;
import io.manafold.streams.Context;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The transport that suits what is asked of knobs, of the real ones. */
@Timeout(60)
class TransportChoiceTest {
    private final MemorySource memory = Blocks.source();
    private final Context nio = new Context(new NioTransport(), "test", memory);
    private final Context uring = new Context(new UringTransport(), "test", memory);
    /** The order in which services came says nothing. */
    private final List<Sockets> both = List.of(uring, nio);

    @AfterEach
    void end() {
        nio.close();
        uring.close();
    }

    private static Knobs knobs(String words) {
        return Knobs.parse(List.of(words.split(" ")));
    }

    @Test
    void whoAsksForNothingHasTheOneThatNeedsLeast() {
        assertThat(TransportChoice.choose(both, Knobs.USUAL)).isSameAs(nio);
        assertThat(TransportChoice.choose(both, Knobs.CLASSIC)).isSameAs(nio);
    }

    @ParameterizedTest
    @ValueSource(strings = {"gather=off", "receive=pool", "wait=spin", "accept=multishot", "buffers=65536", "queue=any",
        "prefer:gather=on prefer:receive=area"})
    void whatJavasChannelsHaveTheyCarry(String words) {
        assertThat(TransportChoice.choose(both, knobs(words))).isSameAs(nio);
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory=registered", "queues=ring", "send=zerocopy", "send=auto", "wait=kernel",
        "busypoll=50", "congestion=reno", "memory=registered send=zerocopy gather=on receive=pool accept=multishot"})
    void whatOnlyRingsHaveTheyCarry(String words) {
        Knobs asked = knobs(words);
        boolean canBeHad = asked.knobs().stream().allMatch(knob -> uring.offer(knob, asked.asked(knob)).available());
        if (canBeHad) {
            assertThat(TransportChoice.choose(both, asked)).isSameAs(uring);
        } else {
            assertThatThrownBy(() -> TransportChoice.choose(both, asked)).isInstanceOf(Refusal.class)
                    .hasMessageContaining("uring has no ");
        }
    }

    @Test
    void preferencesChooseAndDoNotRefuse() {
        Sockets expected = uring.offer(Knob.MEMORY, "registered").available() ? uring : nio;
        assertThat(TransportChoice.choose(both, knobs("prefer:memory=registered"))).isSameAs(expected);
        assertThat(TransportChoice.choose(both, knobs("prefer:memory=registered prefer:congestion=nothing")))
                .as("most of what is preferred").isSameAs(expected);
        assertThat(TransportChoice.choose(both, knobs("prefer:congestion=nothing"))).isSameAs(nio);
    }

    @Test
    void whatNoneHasIsRefusedWithTheReasonOfEach() {
        assertThatThrownBy(() -> TransportChoice.choose(both, knobs("gather=on congestion=nothing")))
                .isInstanceOfSatisfying(Refusal.class, refused -> {
                    assertThat(refused.getMessage()).startsWith("No transport has all that is demanded of knobs: nio "
                            + "has no congestion=nothing (Java's channels do not set it); uring has no congestion"
                            + "=nothing (the kernel answers to ").endsWith("instead of demanding it.");
                    assertThat(refused.errno()).as("what the kernel says").isEqualTo(Errno.ENOENT);
                });
        assertThatThrownBy(() -> TransportChoice.choose(List.of(), Knobs.USUAL)).isInstanceOf(Refusal.class)
                .hasMessageContaining("there is no transport");
        assertThat(TransportChoice.choose(List.of(nio), knobs("memory=registered"))).as("refuses by itself")
                .isSameAs(nio);
    }

    @Test
    void aValueThatTheKnobDoesNotAllowIsNoQuestion() {
        assertThatThrownBy(() -> nio.offer(Knob.MEMORY, "golden")).isInstanceOf(Refusal.class)
                .hasMessageContaining("it can be plain, registered");
    }

    @Test
    void aServerWithoutATransportIsOverTheOneThatSuits() throws InterruptedException {
        Servers servers = new Servers(memory);
        both.forEach(servers::add);
        try {
            Knobs ring = knobs("prefer:queues=ring");
            boolean isThere = uring.offer(Knob.QUEUES, "ring").available();
            SocketServer server = servers.open(new ServerPlan(null, new InetSocketAddress(InetAddress
                    .getLoopbackAddress(), 0), ServerPlan.Work.ECHO, null, ring));
            assertThat(server.listener().transport()).isEqualTo(isThere ? "uring" : "nio");
            assertThat(server.plan().transport()).isEqualTo(server.listener().transport());
            try (Endpoint peer = nio.connect(server.listener().local(), EndpointPlan.USUAL, Duration.ofSeconds(10))) {
                assertThat(peer.state().transport()).isEqualTo("nio");
            }
        } finally {
            servers.stop();
        }
    }
}
