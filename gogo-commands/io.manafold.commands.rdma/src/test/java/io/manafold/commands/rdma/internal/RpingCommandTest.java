package io.manafold.commands.rdma.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.rdma.CompletionQueue;
import io.manafold.api.rdma.ConnectionPlan;
import io.manafold.api.rdma.ProtectionDomain;
import io.manafold.api.rdma.QueuePair;
import io.manafold.api.rdma.QueuePairPlan;
import io.manafold.api.rdma.RdmaConnection;
import io.manafold.api.rdma.SendList;
import io.manafold.fabric.internal.TestSwitch;
import io.manafold.rdma.internal.device.Node;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.assertj.core.api.ThrowingConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server of rping, and peers that behave and do not, over real devices. */
@Timeout(300)
class RpingCommandTest {
    private static final int PORT = 7174;

    private final TestSwitch net = new TestSwitch("left/1", "right/1");
    private final Node left = new Node("left", net);
    private final Node right = new Node("right", net);
    private final InetAddress there = Words.address(right.device().gids(1).getFirst());
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final Devices serving = devices(right);
    private final CompletableFuture<Fakes.Answer> served = new CompletableFuture<>();
    private final Thread server = new Thread(() -> served.complete(
            Fakes.run(new RpingCommand(serving), "-s -P -v", out, err)));

    private static Devices devices(Node node) {
        Devices devices = new Devices();
        devices.devices = List.of(node.device());
        devices.memory = node.source();
        devices.connections = node.connections();
        return devices;
    }

    @BeforeEach
    void serve() throws InterruptedException {
        server.start();
        await(() -> !right.connections().list().isEmpty());
    }

    @AfterEach
    void close() throws InterruptedException {
        server.interrupt();
        server.join(TimeUnit.MINUTES.toMillis(1));
        left.close();
        right.close();
        net.close();
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(end);
            Thread.sleep(10);
        }
    }

    private Fakes.Answer ask(String words) {
        return Fakes.run(new RpingCommand(devices(left)), "-c -a " + there.getHostAddress() + " " + words);
    }

    private void awaitServed(String text) throws InterruptedException {
        await(() -> out.toString(StandardCharsets.UTF_8).contains("server ping data: " + text));
    }

    private void awaitRefused(String sentence) throws InterruptedException {
        await(() -> !server.isAlive() || err.toString(StandardCharsets.UTF_8).contains(sentence));
        assertThat(server.isAlive()).as("goes on serving").isTrue();
    }

    /** Connects a pair of the test's own to the server, and lets it do something. */
    private void connected(ThrowingConsumer<QueuePair> does) throws InterruptedException {
        try (ProtectionDomain domain = left.device().allocateDomain();
                CompletionQueue queue = left.device().createCompletionQueue(16);
                QueuePair pair = domain.createQueuePair(QueuePairPlan.reliable(queue, 4, 4));
                RdmaConnection connection = left.connections().connect(pair, new InetSocketAddress(there, PORT),
                        ConnectionPlan.USUAL)) {
            connection.established(Duration.ofMinutes(1));
            does.accept(pair);
        }
    }

    @Test
    void aPeerThatMisbehavesDoesNotEndTheServer() throws Exception {
        connected(pair -> {
            pair.post(new SendList(1).send(1, SendList.SIGNALED));
            awaitRefused("it is not rping. (EPROTO)");
        });
        assertThat(ask("-S 100 -C 1").status()).as("a text for which the server has no room").isEqualTo(1);
        awaitRefused("say the same -S at both ends. (EMSGSIZE)");
        assertThat(ask("-C 2 -V")).isEqualTo(new Fakes.Answer(0, "", ""));
        awaitServed("rdma-ping-1: BCDEF");
        server.interrupt();
        assertThat(served.get(1, TimeUnit.MINUTES).err()).endsWith("manafold: interrupted\n");
        assertThat(right.device().resources()).containsEntry("qp", 0).containsEntry("pd", 1);
    }

    @Test
    void aPeerThatCannotBeServedHearsSoAtOnce() throws Exception {
        serving.memory = Fakes.noMemory();
        Fakes.Answer answer = ask("-C 1");
        assertThat(answer.err()).contains("has rejected the connection").endsWith("(ECONNREFUSED)\n");
        assertThat(answer.status()).isEqualTo(1);
        awaitRefused("There is no memory. (ENOMEM)");
        serving.memory = right.source();
        assertThat(ask("-C 1 -V")).isEqualTo(new Fakes.Answer(0, "", ""));
    }

    @Test
    void aPeerThatIsSilentHoldsUpNoOther() throws Exception {
        connected(silent -> assertThat(ask("-C 1 -V")).isEqualTo(new Fakes.Answer(0, "", "")));
        awaitServed("rdma-ping-0: ABCDEF");
    }
}
