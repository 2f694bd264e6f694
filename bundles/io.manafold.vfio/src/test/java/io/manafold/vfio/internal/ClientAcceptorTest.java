package io.manafold.vfio.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.linux.Descriptor;
import io.manafold.linux.EventFd;
import io.manafold.linux.Memfd;
import io.manafold.linux.SystemCallException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients that come and go, and what they leave behind: nothing. */
class ClientAcceptorTest {
    private static final int EBUSY = 16;

    @TempDir
    Path folder;

    private Server server;

    @BeforeEach
    void open() throws IOException {
        server = new Server(folder);
    }

    @AfterEach
    void close() {
        server.close();
    }

    /** Those who come while another has the function are told so after two fifths of this. */
    private void hurry() throws IOException {
        server.close();
        server = new Server(folder, Duration.ofSeconds(3));
    }

    @Test
    void aSecondClientIsToldThatTheFunctionIsTaken() throws IOException {
        hurry();
        try (Client first = server.client(); Client second = new Client(server.path)) {
            Client.Reply reply = second.greet();
            assertThat(reply.errno()).isEqualTo(EBUSY);
            assertThat(second.isTurnedOut()).isTrue();
            assertThat(first.read(7, 0, 4).errno()).isZero();
            assertThat(server.reception.sessions()).isEqualTo(1);
        }
    }

    @Test
    void theNextClientIsServedWhenTheOneBeforeHasLeft() throws IOException {
        Client first = server.client();
        try (Client second = new Client(server.path)) {
            first.close();
            assertThat(second.greet().errno()).isZero();
            assertThat(server.reception.sessions()).isEqualTo(2);
        }
    }

    /** QEMU ends with its virtual machine when the connection is reset: what it has sent must have been received. */
    @Test
    void partingLeavesNothingUnread() throws IOException {
        byte[] noise = new byte[150_000];
        for (int i = 0; i < 10; i++) {
            try (Client client = server.client()) {
                try {
                    client.raw(noise);
                } catch (SystemCallException turnedOut) {
                    assertThat(turnedOut).hasMessageContaining("EPIPE");
                }
                assertThat(client.isPartedFromInPeace()).isTrue();
            }
        }
        hurry();
        try (Client first = server.client(); Client second = new Client(server.path)) {
            second.send(Client.VERSION, 0, Client.body(2000));
            assertThat(second.receive().errno()).isEqualTo(EBUSY);
            assertThat(second.isPartedFromInPeace()).isTrue();
            assertThat(first.read(7, 0, 4).errno()).isZero();
        }
    }

    @Test
    void aCrowdIsToldOneByOne() throws IOException {
        hurry();
        List<Client> crowd = new ArrayList<>();
        try (Client first = server.client()) {
            for (int i = 0; i < 12; i++) {
                Client one = new Client(server.path);
                crowd.add(one);
                one.send(Client.VERSION, 0, Client.body(4));
            }
            for (Client one : crowd) {
                assertThat(one.receive().errno()).isEqualTo(EBUSY);
                assertThat(one.isTurnedOut()).isTrue();
            }
            assertThat(first.read(7, 0, 4).errno()).isZero();
        } finally {
            crowd.forEach(Client::close);
        }
    }

    @Test
    void nothingIsLeftOfAHundredClients() throws Exception {
        visit();
        Server.eventually("a clean function", server::isClean);
        Server.eventually("two threads", () -> Processes.threads() == 2);
        long before = Processes.descriptors();
        int resets = server.function.resets.get();
        for (int i = 0; i < 100; i++) {
            visit();
        }
        Server.eventually("a clean function", server::isClean);
        // the one that waits at sockets, and the one that writes interrupts
        Server.eventually("two threads", () -> Processes.threads() == 2);
        assertThat(Processes.descriptors()).isLessThanOrEqualTo(before);
        assertThat(server.function.resets.get()).isEqualTo(resets + 100);
        assertThat(server.reception.sessions()).isEqualTo(101);
    }

    private void visit() throws IOException {
        try (Client client = server.client(); Memfd ram = Memfd.create("ram", 1 << 20);
                EventFd eventfd = EventFd.create()) {
            Descriptor[] one = {eventfd.descriptor()};
            client.map(0, 1 << 20, 0, 3, ram.descriptor());
            client.setIrqs(0x24, 2, 0, 1, one);
            client.setIrqs(0x24, 2, 0, 1, one);
            client.setIrqs(0x24, 3, 0, 1, one);
            // and leaves in the middle of a message that has brought descriptors
            client.raw(Arrays.copyOf(Client.message(1, Client.DMA_MAP, 0, Client.mapBody(1 << 30, 1 << 20, 0, 3)), 20),
                    ram.descriptor());
        }
    }

    /** A virtual machine that is killed closes its end at any moment; here by another process that is. */
    @Test
    void aKilledClientLeavesNothing() throws Exception {
        for (int i = 0; i < 2; i++) {
            Process killed = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path"),
                    Visitor.class.getName(), server.path.toString()).redirectErrorStream(true).start();
            try {
                assertThat(killed.inputReader().readLine()).isEqualTo("connected");
                assertThat(server.reception.connected()).isTrue();
                assertThat(server.function.memory.ranges()).isEqualTo(1);
                assertThat(server.function.interrupts.targeted()).isEqualTo(1);
            } finally {
                killed.destroyForcibly();
            }
            assertThat(killed.waitFor(20, TimeUnit.SECONDS)).isTrue();
            Server.eventually("a clean function", server::isClean);
        }
        try (Client next = server.client()) {
            assertThat(next.read(7, 0, 4).errno()).isZero();
        }
    }

    /** What {@link #aKilledClientLeavesNothing} kills. */
    static final class Visitor {
        private Visitor() {
        }

        public static void main(String[] arguments) throws Exception {
            try (Client client = Client.greeted(Path.of(arguments[0])); Memfd ram = Memfd.create("ram", 1 << 20);
                    EventFd eventfd = EventFd.create()) {
                client.map(0, 1 << 20, 0, 3, ram.descriptor());
                client.setIrqs(0x24, 2, 0, 1, eventfd.descriptor());
                System.out.println("connected");
                client.hasAnswer(60_000);
            }
        }
    }

    @Test
    void theEndTurnsEverybodyOutAndTidiesUp() throws Exception {
        long before = Processes.descriptors();
        try (Client client = server.client(); Client other = new Client(server.path);
                Memfd ram = Memfd.create("ram", 1 << 20)) {
            client.map(0, 1 << 20, 0, 3, ram.descriptor());
            int resets = server.function.resets.get();
            server.reception.end(true);
            assertThat(client.isTurnedOut()).isTrue();
            assertThat(other.isTurnedOut()).isTrue();
            assertThat(server.isClean()).isTrue();
            assertThat(server.function.resets.get()).as("resets of a function that is gone").isEqualTo(resets);
            assertThat(server.path).doesNotExist();
            assertThat(server.reception.listening()).isFalse();
            assertThatThrownBy(() -> new Client(server.path)).isInstanceOf(IOException.class);
        }
        Server.eventually("no thread", () -> Processes.threads() == 0);
        assertThat(Processes.descriptors()).isLessThan(before);
    }
}
