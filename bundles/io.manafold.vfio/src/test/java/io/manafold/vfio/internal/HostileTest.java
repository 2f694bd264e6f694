package io.manafold.vfio.internal;

import static io.manafold.vfio.internal.Client.EINVAL;
import static io.manafold.vfio.internal.Client.body;
import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.linux.Descriptor;
import io.manafold.linux.Memfd;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients that do not keep to the protocol: they harm only themselves, and the next one is served. */
class HostileTest {
    private static final int EOPNOTSUPP = 95;

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

    private void theNextOneIsServed() throws IOException {
        try (Client next = server.client()) {
            assertThat(next.read(7, 0, 4).body().getInt(16)).isEqualTo(0x00ba1414);
        }
        Server.eventually("a clean function", server::isClean);
    }

    @Test
    void nothingComesBeforeVersion() throws IOException {
        for (int command = 0; command < 20; command++) {
            if (command != Client.VERSION) {
                try (Client client = new Client(server.path)) {
                    assertThat(client.ask(command, body(16)).errno()).isEqualTo(EINVAL);
                    assertThat(client.isTurnedOut()).isTrue();
                }
            }
        }
        theNextOneIsServed();
    }

    @Test
    void versionIsReadWithCare() throws IOException {
        String good = "{\"capabilities\":{}}\0";
        for (String bad : new String[] {"{", "\0", "[]\0", "{}", "{\"capabilities\":\0", "{}{}\0", "nonsense\0",
            "{\"a\":" + "[".repeat(3000) + "\0", "x".repeat(5000) + "\0", "{\"\u00e9\":\0"}) {
            try (Client client = new Client(server.path)) {
                byte[] text = bad.getBytes(StandardCharsets.ISO_8859_1);
                assertThat(client.ask(Client.VERSION, body(4 + text.length).put(4, text)).errno()).as(bad)
                        .isEqualTo(EINVAL);
                assertThat(client.isTurnedOut()).isTrue();
            }
        }
        byte[] text = good.getBytes(StandardCharsets.US_ASCII);
        try (Client client = new Client(server.path)) {
            assertThat(client.ask(Client.VERSION, body(4 + text.length).putShort(0, (short) 1).put(4, text)).errno())
                    .isEqualTo(EINVAL);
        }
        try (Client client = new Client(server.path)) {
            Client.Reply reply = client.ask(Client.VERSION, body(4 + text.length).putShort(2, (short) 9).put(4, text));
            assertThat(reply.errno()).isZero();
            assertThat(reply.body().getInt(0)).as("the lesser minor version").isZero();
            client.send(Client.WRITE_MULTI, Client.NO_REPLY, body(32).putLong(0, 1).putInt(20, 8));
            assertThat(client.read(0, 0, 8).errno()).isZero();
            assertThat(server.function.registers.writes).as("several writes were not agreed upon").isEmpty();
            assertThat(client.greet().errno()).as("VERSION twice").isEqualTo(EINVAL);
        }
        theNextOneIsServed();
    }

    @Test
    void everyCommandKnowsItsSize() throws IOException {
        try (Client client = server.client()) {
            for (int command : new int[] {2, 3, 4, 5, 7, 8, 9, 10, 13}) {
                for (int size : new int[] {0, 1, 3, 4, 8, 15, 17, 19, 21, 25, 31, 33, 40}) {
                    if (command != Client.RESET || size != 0) {
                        ByteBuffer body = body(size);
                        if (size >= 4) {
                            body.putInt(0, size);
                        }
                        assertThat(client.ask(command, body).errno()).as("%d of %d bytes", command, size)
                                .isEqualTo(EINVAL);
                    }
                }
            }
            for (int command : new int[] {4, 5, 7, 2, 3, 8}) {
                int size = switch (command) {
                    case 4, 7 -> 16;
                    case 3 -> 24;
                    case 8 -> 20;
                    default -> 32;
                };
                assertThat(client.ask(command, body(size).putInt(0, size - 1)).errno()).as("argsz of %d", command)
                        .isEqualTo(EINVAL);
            }
            assertThat(client.ask(5, body(32).putInt(0, 32).putInt(8, 9)).errno()).isEqualTo(EINVAL);
            assertThat(client.ask(5, body(32).putInt(0, 32).putInt(8, -1)).errno()).isEqualTo(EINVAL);
            assertThat(client.ask(7, body(16).putInt(0, 16).putInt(8, 5)).errno()).isEqualTo(EINVAL);
        }
        theNextOneIsServed();
    }

    @Test
    void whatIsNotSupportedIsSaid() throws IOException {
        try (Client client = server.client()) {
            for (int command : new int[] {6, 14, 17, 18}) {
                assertThat(client.ask(command, body(16)).errno()).isEqualTo(EOPNOTSUPP);
            }
            for (int command : new int[] {0, 11, 12, 16, 19, 0xffff}) {
                client.send(command, 0, body(16));
                assertThat(client.receive().errno()).isEqualTo(EINVAL);
            }
            client.send(Client.GET_INFO, 0x20, body(16).putInt(0, 16));
            assertThat(client.receive().errno()).as("a request that is an error").isEqualTo(EINVAL);
            client.send(Client.GET_INFO, 2, body(16).putInt(0, 16));
            assertThat(client.receive().errno()).as("neither request nor reply").isEqualTo(EINVAL);
            client.send(Client.GET_INFO, 1, body(16).putInt(0, 16));
            assertThat(client.read(7, 0, 4).errno()).as("a reply to no request").isZero();
        }
        theNextOneIsServed();
    }

    @Test
    void sizesThatCannotBeEndTheSession() throws IOException {
        for (int size : new int[] {0, 15, -1, Integer.MIN_VALUE, (1 << 20) + 33, Integer.MAX_VALUE}) {
            try (Client client = server.client()) {
                client.raw(body(16).putShort(2, (short) Client.GET_INFO).putInt(4, size).array());
                assertThat(client.isTurnedOut()).as("size " + size).isTrue();
            }
        }
        theNextOneIsServed();
    }

    @Test
    void aMessageMayComeInPieces() throws IOException {
        try (Client client = server.client()) {
            byte[] message = Client.message(9, Client.REGION_READ, 0, body(16).putInt(8, 7).putInt(12, 4));
            for (byte one : message) {
                client.raw(new byte[] {one});
            }
            assertThat(client.receive().body().getInt(16)).isEqualTo(0x00ba1414);
        }
    }

    @Test
    void descriptorsGoWithTheLastMessageBegun() throws IOException {
        try (Client client = server.client(); Memfd ram = Memfd.create("ram", 8192)) {
            byte[] read = Client.message(1, Client.REGION_READ, 0, body(16).putInt(8, 7).putInt(12, 4));
            byte[] map = Client.message(2, Client.DMA_MAP, 0, Client.mapBody(0x1000, 0x1000, 0, 3));
            byte[] both = Arrays.copyOf(read, read.length + map.length);
            System.arraycopy(map, 0, both, read.length, map.length);
            client.raw(both, ram.descriptor());
            assertThat(client.receive().errno()).isZero();
            assertThat(client.receive().errno()).isZero();
            assertThat(server.function.memory.ranges()).isEqualTo(1);
            client.raw(Arrays.copyOf(both, read.length + 7), ram.descriptor());
            client.raw(Arrays.copyOfRange(both, read.length + 7, both.length));
            assertThat(client.receive().errno()).isZero();
            assertThat(client.receive().errno()).as("it is mapped already").isEqualTo(17);
        }
        theNextOneIsServed();
    }

    @Test
    void descriptorsInTheMiddleOfAMessageEndTheSession() throws IOException {
        try (Memfd ram = Memfd.create("ram", 8192)) {
            Descriptor[] one = {ram.descriptor()};
            try (Client client = server.client()) {
                byte[] map = Client.message(2, Client.DMA_MAP, 0, Client.mapBody(0x1000, 0x1000, 0, 3));
                client.raw(Arrays.copyOf(map, 20));
                client.raw(Arrays.copyOfRange(map, 20, 30), one);
                client.raw(Arrays.copyOfRange(map, 30, map.length), one);
                // arrives in one piece or in several: with it the session ends, or the message is whole and refused
                assertThat(isRefusedOrTurnedOut(client)).isTrue();
            } catch (IOException closedEarlier) {
                assertThat(closedEarlier).hasMessageContaining("send");
            }
        }
        theNextOneIsServed();
    }

    private static boolean isRefusedOrTurnedOut(Client client) throws IOException {
        try {
            return client.receive().errno() != 0;
        } catch (EOFException closed) {
            return true;
        }
    }

    @Test
    void descriptorsNobodyAskedForAreClosed() throws IOException {
        long before = Processes.descriptors();
        try (Memfd ram = Memfd.create("ram", 8192); Client client = server.client()) {
            Descriptor[] sixteen = new Descriptor[16];
            Arrays.fill(sixteen, ram.descriptor());
            for (int i = 0; i < 500; i++) {
                client.send(Client.REGION_WRITE, Client.NO_REPLY, Client.writeBody(0, 0, new byte[8]), sixteen);
                client.send(Client.SET_IRQS, Client.NO_REPLY, Client.irqBody(0x24, 2, 0, 16, 0), sixteen);
                client.send(77, Client.NO_REPLY, body(0), sixteen);
                client.send(Client.GET_INFO, 1, body(0), sixteen);
            }
            assertThat(client.read(7, 0, 4).errno()).isZero();
            assertThat(server.function.registers.writes).isEmpty();
            assertThat(Processes.descriptors()).as("open descriptors").isLessThan(before + 60);
        }
        theNextOneIsServed();
    }

    @Test
    void noReplyMeansNoReply() throws IOException {
        try (Client client = server.client(); Memfd ram = Memfd.create("ram", 8192)) {
            client.send(Client.DMA_MAP, Client.NO_REPLY, Client.mapBody(0x1000, 0x1000, 0, 3), ram.descriptor());
            for (int command = 1; command < 30; command++) {
                client.send(command, Client.NO_REPLY, body(16));
                client.send(command, Client.NO_REPLY, body(0));
            }
            client.send(Client.REGION_READ, Client.NO_REPLY, body(16).putInt(8, 7).putInt(12, 4096));
            int last = client.send(Client.GET_INFO, 0, body(16).putInt(0, 16));
            assertThat(client.receive().id()).isEqualTo(last);
            assertThat(server.function.memory.ranges()).isEqualTo(1);
        }
        theNextOneIsServed();
    }

    @Test
    void whoDoesNotReadItsAnswersIsTurnedOut() throws IOException {
        server.close();
        server = new Server(folder, Duration.ofSeconds(2));
        try (Client client = server.client()) {
            for (int i = 0; i < 16; i++) {
                client.send(Client.REGION_READ, 0, body(16).putInt(8, 0).putInt(12, 1 << 20));
            }
            Server.eventually("the end of the session", () -> !server.reception.connected());
        }
        theNextOneIsServed();
    }

    @Test
    void silenceIsNotServed() throws IOException {
        server.close();
        server = new Server(folder, Duration.ofSeconds(2));
        try (Client silent = new Client(server.path)) {
            assertThat(silent.isTurnedOut()).isTrue();
        }
        try (Client halfway = new Client(server.path)) {
            halfway.raw(new byte[] {1, 0, 1, 0, 40});
            assertThat(halfway.isTurnedOut()).isTrue();
        }
        try (Client stuck = server.client()) {
            stuck.raw(Arrays.copyOf(Client.message(1, Client.GET_INFO, 0, body(16)), 31));
            assertThat(stuck.isTurnedOut()).isTrue();
        }
        try (Client idle = server.client()) {
            assertThat(idle.hasAnswer(3000)).as("a client that is merely idle stays").isFalse();
            assertThat(idle.read(7, 0, 4).errno()).isZero();
        }
        theNextOneIsServed();
    }

    @Test
    void randomBytes() throws IOException {
        for (int seed = 1; seed <= 40; seed++) {
            Random random = new Random(seed);
            try (Client client = server.client()) {
                byte[] noise = new byte[random.nextInt(1, 5000)];
                random.nextBytes(noise);
                client.raw(noise);
            } catch (IOException turnedOut) {
                assertThat(turnedOut).hasMessageContaining("send");
            }
        }
        theNextOneIsServed();
    }

    @Test
    void randomMessages() throws IOException {
        try (Memfd ram = Memfd.create("ram", 1 << 16)) {
            for (int seed = 1; seed <= 20; seed++) {
                Random random = new Random(seed);
                try (Client client = server.client()) {
                    for (int i = 0; i < 400; i++) {
                        noise(client, random, ram.descriptor());
                    }
                    int last = client.send(Client.GET_INFO, 0, body(16).putInt(0, 16));
                    Client.Reply reply;
                    do {
                        reply = client.receive();
                    } while (reply.id() != last);
                    assertThat(reply.errno()).isZero();
                }
            }
        }
        theNextOneIsServed();
    }

    private static void noise(Client client, Random random, Descriptor file) throws IOException {
        int size = new int[] {0, 16, 20, 24, 32, 8 + 24, 64}[random.nextInt(7)];
        ByteBuffer body = body(size);
        for (int at = 0; at + 4 <= size; at += 4) {
            body.putInt(at, switch (random.nextInt(6)) {
                case 0 -> random.nextInt();
                case 1 -> -1;
                case 2 -> size;
                case 3 -> 0x1000 * random.nextInt(16);
                default -> random.nextInt(40);
            });
        }
        Descriptor[] with = new Descriptor[random.nextInt(4) == 0 ? random.nextInt(1, 3) : 0];
        Arrays.fill(with, file);
        // half of it posted, so that answers do not fill the way back
        client.send(random.nextInt(2, 20), random.nextBoolean() || size == 0 ? Client.NO_REPLY : 0, body, with);
        while (client.hasAnswer(0)) {
            client.receive();
        }
    }
}
