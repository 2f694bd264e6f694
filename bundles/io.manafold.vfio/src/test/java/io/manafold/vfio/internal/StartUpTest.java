package io.manafold.vfio.internal;

import static io.manafold.vfio.internal.Client.body;
import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.linux.Descriptor;
import io.manafold.linux.EventFd;
import io.manafold.linux.Linux;
import io.manafold.linux.Memfd;
import io.manafold.memory.DmaBlock;
import io.manafold.memory.RawMemory;
import io.manafold.vfio.internal.Client.Reply;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The conversation as QEMU leads it, from the first message to an interrupt. */
class StartUpTest {
    @TempDir
    Path folder;

    @Test
    void theWholeSequence() throws Exception {
        try (Server server = new Server(folder); Client qemu = new Client(server.path);
                Memfd ram = Memfd.create("ram", 1 << 20); Memfd flash = Memfd.create("flash", 1 << 16)) {
            Reply version = qemu.greet();
            assertThat(version.size()).as("QEMU reads the answer into its question's room").isLessThanOrEqualTo(214);
            assertThat(version.body().getInt(0)).isZero();
            byte[] text = new byte[version.size() - 20];
            version.body().get(4, text);
            assertThat(new String(text, StandardCharsets.US_ASCII)).isEqualTo("{\"capabilities\":{\"max_msg_fds\":16,"
                    + "\"max_data_xfer_size\":1048576,\"write_multiple\":true}}\0");

            assertThat(qemu.map(0, 1 << 20, 0, 3, ram.descriptor()).size()).isEqualTo(16);
            assertThat(qemu.map(0xfffc0000L, 1 << 16, 0, 1, flash.descriptor()).size()).isEqualTo(16);
            assertThat(server.function.memory.ranges()).isEqualTo(2);

            ByteBuffer info = qemu.ask(Client.GET_INFO, body(16).putInt(0, 16)).body();
            assertThat(ints(info)).containsExactly(16, 3, 9, 5);

            long[] sizes = {1 << 21, 0, 1 << 16, 0, 0, 0, 0, 4096, 0};
            for (int index = 0; index < 9; index++) {
                ByteBuffer region = qemu.ask(Client.GET_REGION_INFO, body(32).putInt(0, 32).putInt(8, index)).body();
                assertThat(region.capacity()).isEqualTo(32);
                assertThat(region.getInt(0)).isEqualTo(32);
                assertThat(region.getInt(4)).isEqualTo(sizes[index] == 0 ? 0 : 3);
                assertThat(region.getInt(8)).isEqualTo(index);
                assertThat(region.getInt(12)).isZero();
                assertThat(region.getLong(16)).isEqualTo(sizes[index]);
                assertThat(region.getLong(24)).isZero();
            }
            assertThat(ints(qemu.ask(Client.GET_IRQ_INFO, body(16).putInt(0, 16).putInt(8, 3)).body()))
                    .containsExactly(16, 1, 3, 1);

            Reply config = qemu.read(7, 0, 4096);
            assertThat(config.size()).isEqualTo(16 + 16 + 4096);
            assertThat(config.body().getInt(16)).isEqualTo(0x00ba1414);
            assertThat(config.body().getInt(12)).isEqualTo(4096);

            qemu.write(7, 0x30, (byte) 0, (byte) 0xf8, (byte) 0xff, (byte) 0xff);
            assertThat(qemu.read(7, 0x30, 4).body().getInt(16)).isZero();
            assertThat(qemu.read(7, 0x42, 2).body().getShort(16)).isEqualTo((short) 16);
            assertThat(ints(qemu.ask(Client.GET_IRQ_INFO, body(16).putInt(0, 16).putInt(8, 2)).body()))
                    .containsExactly(16, 1, 2, FakeFunction.VECTORS);

            int before = server.function.resets.get();
            assertThat(qemu.ask(Client.RESET, body(0)).size()).isEqualTo(16);
            assertThat(server.function.resets.get()).isEqualTo(before + 1);
            assertThat(server.function.memory.ranges()).as("a reset leaves memory where it is").isEqualTo(2);

            assertThat(qemu.setIrqs(0x24, 2, 0, 1).errno()).isZero();
            try (EventFd first = EventFd.create(); EventFd second = EventFd.create()) {
                assertThat(qemu.setIrqs(0x24, 2, 0, 1, first.descriptor()).errno()).isZero();
                server.function.interrupts.raise(0);
                Server.eventually("an interrupt", () -> first.take() == 1);
                assertThat(qemu.setIrqs(0x24, 2, 0, 1, second.descriptor()).errno()).isZero();
                server.function.interrupts.raise(0);
                assertThat(first.take()).isZero();
                Server.eventually("an interrupt", () -> second.take() == 1);
                assertThat(qemu.setIrqs(0x21, 2, 0, 0).errno()).isZero();
                assertThat(server.function.interrupts.targeted()).isZero();
            }
        }
    }

    private static int[] ints(ByteBuffer body) {
        int[] words = new int[body.capacity() / 4];
        body.asIntBuffer().get(words);
        return words;
    }

    @Test
    void theFunctionReachesGuestMemory() throws Exception {
        try (Server server = new Server(folder); Client qemu = server.client();
                DmaBlock ram = new DmaBlock("ram", 8192);
                Descriptor file = new Descriptor(Linux.duplicate(ram.fd()))) {
            RawMemory.put64(ram.address() + 4096, 0x1122334455667788L);
            assertThat(qemu.map(0x100000, 4096, 4096, 3, file).errno()).isZero();
            byte[] seen = new byte[8];
            assertThat(server.function.memory.read(0x100000, seen, 0, 8)).isTrue();
            assertThat(seen).isEqualTo(Client.eight(0x1122334455667788L));
            assertThat(server.function.memory.write(0x100008, seen, 0, 8)).isTrue();
            assertThat(RawMemory.get64(ram.address() + 4104)).isEqualTo(0x1122334455667788L);
        }
    }
}
