package io.manafold.vfio.internal;

import static io.manafold.vfio.internal.Client.body;
import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.vfio.internal.Client.Reply;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RegionsTest {
    @TempDir
    Path folder;

    private Server server;
    private Client client;

    @BeforeEach
    void connect() throws IOException {
        server = new Server(folder);
        client = server.client();
    }

    @AfterEach
    void disconnect() {
        client.close();
        server.close();
    }

    @Test
    void anAlignedAccessStaysOneAccess() throws IOException {
        client.write(0, 0x1000, Client.eight(0x1122334455667788L));
        client.write(0, 0x400, (byte) 1, (byte) 2, (byte) 3, (byte) 4);
        assertThat(server.function.registers.writes).containsExactly("8@1000=1122334455667788", "4@400=4030201");
        assertThat(client.read(0, 0x1000, 8).body().getLong(16)).isEqualTo(0x1122334455667788L);
        assertThat(client.read(0, 0x1004, 4).body().getInt(16)).isEqualTo(0x11223344);
        assertThat(client.read(0, 0x1002, 2).body().getShort(16)).isEqualTo((short) 0x5566);
        assertThat(client.read(0, 0x1007, 1).body().get(16)).isEqualTo((byte) 0x11);
    }

    @Test
    void narrowWritesKeepTheRestOfTheWord() throws IOException {
        client.write(0, 0x800, Client.eight(-1));
        client.write(0, 0x802, (byte) 0x12, (byte) 0x34);
        client.write(0, 0x805, (byte) 0x56);
        assertThat(client.read(0, 0x800, 8).body().getLong(16)).isEqualTo(0xffff56ff3412ffffL);
    }

    @Test
    void crookedAccessesGoInPieces() throws IOException {
        client.write(0, 0x803, (byte) 1, (byte) 2, (byte) 3, (byte) 4, (byte) 5, (byte) 6);
        Reply read = client.read(0, 0x803, 6);
        assertThat(read.body().getInt(16)).isEqualTo(0x04030201);
        assertThat(read.body().getShort(20)).isEqualTo((short) 0x0605);
    }

    @Test
    void configurationSpaceTakesWordsOfEachWidth() throws IOException {
        client.write(7, 4, (byte) 7, (byte) 1);
        assertThat(client.read(7, 4, 2).body().getShort(16)).isEqualTo((short) 0x107);
        assertThat(client.read(7, 0, 8).body().getLong(16)).isEqualTo(0x0010_0107_00ba_1414L);
        assertThat(client.read(7, 0xb, 1).body().get(16)).isEqualTo((byte) 2);
        assertThat(client.read(7, 1, 3).body().getShort(17)).isEqualTo((short) 0x00ba);
    }

    @Test
    void theLargestTransferIsAnsweredInFull() throws IOException {
        server.function.registers.write64((1 << 20) - 8, 0x0123456789abcdefL);
        Reply reply = client.read(0, 0, 1 << 20);
        assertThat(reply.size()).isEqualTo(32 + (1 << 20));
        assertThat(reply.body().getLong(16 + (1 << 20) - 8)).isEqualTo(0x0123456789abcdefL);
        assertThat(client.write(0, 0, new byte[1 << 20]).body().getInt(12)).isEqualTo(1 << 20);
        assertThat(server.function.registers.read64((1 << 20) - 8)).isZero();
        assertThat(client.read(0, 0, (1 << 20) + 1).errno()).isEqualTo(Client.EINVAL);
    }

    @Test
    void theEdgesAreWhereTheyAre() throws IOException {
        long size = server.function.registers.size();
        assertThat(client.read(0, size - 4, 4).errno()).isZero();
        assertThat(client.read(7, 4092, 4).errno()).isZero();
        for (long[] wrong : new long[][] {{0, size - 4, 8}, {0, size, 1}, {0, -1, 4}, {0, Long.MAX_VALUE, 4},
            {0, -4, 8},
            {0, 0, 0}, {0, 0, -1}, {1, 0, 4}, {6, 0, 4}, {8, 0, 1}, {9, 0, 4}, {-1, 0, 4}, {Integer.MIN_VALUE, 0, 4},
            {7, 4094, 4}, {7, 4096, 1}, {2, 1 << 16, 4}}) {
            assertThat(client.read((int) wrong[0], wrong[1], (int) wrong[2]).errno()).as("%d %x %d", wrong[0], wrong[1],
                    wrong[2]).isEqualTo(Client.EINVAL);
            ByteBuffer write = body(20).putLong(0, wrong[1]).putInt(8, (int) wrong[0]).putInt(12, (int) wrong[2]);
            assertThat(client.ask(Client.REGION_WRITE, write).errno()).isEqualTo(Client.EINVAL);
        }
        assertThat(server.function.registers.writes).isEmpty();
    }

    @Test
    void aWriteSaysHowMuchItBrings() throws IOException {
        ByteBuffer tooLittle = body(20).putLong(0, 0).putInt(8, 0).putInt(12, 8);
        ByteBuffer tooMuch = body(24).putLong(0, 0).putInt(8, 0).putInt(12, 4);
        assertThat(client.ask(Client.REGION_WRITE, tooLittle).errno()).isEqualTo(Client.EINVAL);
        assertThat(client.ask(Client.REGION_WRITE, tooMuch).errno()).isEqualTo(Client.EINVAL);
        assertThat(server.function.registers.writes).isEmpty();
    }

    @Test
    void postedWritesGetNoAnswerAndKeepTheirOrder() throws IOException {
        for (int i = 0; i < 1000; i++) {
            client.send(Client.REGION_WRITE, Client.NO_REPLY, Client.writeBody(0, 0x1000, Client.eight(i)));
        }
        client.send(Client.REGION_WRITE, Client.NO_REPLY, Client.writeBody(0, -8, Client.eight(0)));
        assertThat(client.read(0, 0x1000, 8).body().getLong(16)).isEqualTo(999);
        assertThat(server.function.registers.writes).hasSize(1000);
        assertThat(server.function.registers.writes.peek()).isEqualTo("8@1000=0");
    }

    @Test
    void severalWritesInOneMessage() throws IOException {
        ByteBuffer several = body(8 + 200 * 24).putLong(0, 200);
        for (int i = 0; i < 200; i++) {
            several.putLong(8 + i * 24, 0x1000L + i * 8).putInt(16 + i * 24, 0).putInt(20 + i * 24, i == 100 ? 9 : 8)
                    .putLong(24 + i * 24, i);
        }
        client.send(Client.WRITE_MULTI, Client.NO_REPLY, several);
        assertThat(client.read(0, 0x1000 + 199 * 8, 8).body().getLong(16)).isEqualTo(199);
        assertThat(server.function.registers.writes).as("one of them was wrong").hasSize(199);
        assertThat(server.function.registers.writes.peek()).isEqualTo("8@1000=0");
    }

    @Test
    void severalWritesSayHowManyTheyAre() throws IOException {
        for (long count : new long[] {-1, 201, 2, 0, Long.MIN_VALUE, 1L << 61}) {
            client.send(Client.WRITE_MULTI, Client.NO_REPLY, body(8 + 24).putLong(0, count).putInt(20, 8));
        }
        assertThat(client.read(0, 0, 8).errno()).isZero();
        assertThat(server.function.registers.writes).isEmpty();
    }
}
