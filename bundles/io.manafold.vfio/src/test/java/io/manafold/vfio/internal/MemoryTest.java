package io.manafold.vfio.internal;

import static io.manafold.vfio.internal.Client.EINVAL;
import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.device.DmaSpace;
import io.manafold.linux.Descriptor;
import io.manafold.linux.EventFd;
import io.manafold.linux.Memfd;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryTest {
    private static final int EEXIST = 17;
    private static final int ENOENT = 2;
    private static final int ENOSPC = 28;

    @TempDir
    Path folder;

    private Server server;
    private Client client;
    private Memfd ram;

    @BeforeEach
    void connect() throws IOException {
        server = new Server(folder);
        client = server.client();
        ram = Memfd.create("ram", 1 << 20);
    }

    @AfterEach
    void disconnect() {
        ram.close();
        client.close();
        server.close();
    }

    @Test
    void rangesWithoutAFileAreRememberedAndNotLent() throws IOException {
        assertThat(client.map(0xfe000000L, 0x1000, 0, 3).errno()).isZero();
        assertThat(server.function.memory.ranges()).isZero();
        assertThat(client.map(0xfe000000L, 0x1000, 0, 3).errno()).isEqualTo(EEXIST);
        assertThat(client.unmap(0xfe000000L, 0x1000).body().getLong(8)).isEqualTo(0xfe000000L);
        assertThat(client.unmap(0xfe000000L, 0x1000).errno()).isEqualTo(ENOENT);
    }

    @Test
    void oneExportCannotTakeAllAddresses() throws IOException {
        try (Memfd sparse = Memfd.create("sparse", Server.MOST_BYTES)) {
            assertThat(client.map(0, Server.MOST_BYTES + 0x1000, 0, 3, sparse.descriptor()).errno()).isEqualTo(ENOSPC);
            assertThat(client.map(0, 1L << 62, 0, 3, sparse.descriptor()).errno()).isEqualTo(ENOSPC);
            assertThat(server.function.memory.bytes()).isZero();
            assertThat(client.map(0, Server.MOST_BYTES, 0, 3, sparse.descriptor()).errno()).isZero();
            assertThat(client.map(Server.MOST_BYTES, 0x1000, 0, 3, ram.descriptor()).errno()).isEqualTo(ENOSPC);
            assertThat(client.unmap(0, Server.MOST_BYTES).errno()).isZero();
            assertThat(client.map(Server.MOST_BYTES, 0x1000, 0, 3, ram.descriptor()).errno()).isZero();
        }
    }

    @Test
    void memoryThatComesFromADiskIsNotTaken() throws IOException {
        Path disk = Files.write(Files.createTempFile(Path.of("target"), "disk", ""), new byte[4096]);
        try (FileInputStream file = new FileInputStream(disk.toFile())) {
            Path link = Path.of("/proc/self/fd");
            int number = -1;
            try (Stream<Path> open = Files.list(link)) {
                for (Path one : open.toList()) {
                    if (Files.isSymbolicLink(one) && Files.readSymbolicLink(one).equals(disk.toRealPath())) {
                        number = Integer.parseInt(one.getFileName().toString());
                    }
                }
            }
            assertThat(client.map(0x100000, 0x1000, 0, 1, new Descriptor(number)).errno()).isEqualTo(EINVAL);
            assertThat(server.reception.problem()).contains("its file is not in memory",
                    "memory-backend-memfd,share=on");
            assertThat(server.function.memory.ranges()).isZero();
            assertThat(file.getChannel().isOpen()).isTrue();
        } finally {
            Files.delete(disk);
        }
    }

    @Test
    void mainMemoryComesWithAFile() throws IOException {
        assertThat(server.reception.problem()).isNull();
        assertThat(client.map(0, 0x8000_0000L, 0, 3).errno()).isEqualTo(EINVAL);
        assertThat(server.reception.problem()).contains("main memory and comes without a file",
                "memory-backend-memfd,share=on");
        assertThat(client.map(0, 0x8000_0000L, 0, 3).errno()).isEqualTo(EINVAL);
        assertThat(server.events).filteredOn(line -> line.startsWith("REFUSED")).singleElement().asString()
                .startsWith("REFUSED export one: guest memory at 0x0, 0x80000000 bytes, ")
                .contains("memory-backend-memfd,share=on");
        assertThat(client.unmap(0, 0x8000_0000L).errno()).isEqualTo(ENOENT);
        assertThat(client.map(0, 0x1000, 0, 1).errno()).as("what is only read is no main memory").isZero();
        assertThat(client.unmap(0, 0x1000).errno()).isZero();
        assertThat(client.map(0, 1 << 20, 0, 3, ram.descriptor()).errno()).isZero();
        try (Client next = reconnect()) {
            assertThat(next.map(0, 1 << 20, 0, 3, ram.descriptor()).errno()).isZero();
            assertThat(server.reception.problem()).as("of the next machine").isNull();
        }
    }

    @Test
    void anAnswerToUnmapIsTheQuestion() throws IOException {
        client.map(0x100000, 0x1000, 0, 3, ram.descriptor());
        Client.Reply reply = client.unmap(0x100000, 0x1000);
        assertThat(reply.size()).isEqualTo(40);
        assertThat(reply.body()).isEqualTo(Client.unmapBody(0x100000, 0x1000, 0));
        assertThat(server.function.memory.ranges()).isZero();
    }

    @Test
    void severalWholeRangesGoAtOnceAndNoneIsCut() throws IOException {
        client.map(0x1000, 0x1000, 0, 3, ram.descriptor());
        client.map(0x2000, 0x1000, 0, 3);
        client.map(0x4000, 0x2000, 0, 1, ram.descriptor());
        assertThat(client.unmap(0x1000, 0x4000).errno()).isEqualTo(EINVAL);
        assertThat(client.unmap(0x5000, 0x1000).errno()).isEqualTo(EINVAL);
        assertThat(server.function.memory.ranges()).isEqualTo(2);
        assertThat(client.unmap(0x0, 0x10000).errno()).isZero();
        assertThat(server.function.memory.ranges()).isZero();
    }

    @Test
    void everythingGoesOnDemand() throws IOException {
        client.map(0x1000, 0x1000, 0, 3, ram.descriptor());
        client.map(0x8000, 0x1000, 0, 3);
        assertThat(client.ask(Client.DMA_UNMAP, Client.unmapBody(0x1000, 0, 2)).errno()).isEqualTo(EINVAL);
        assertThat(client.ask(Client.DMA_UNMAP, Client.unmapBody(0, 0, 2)).errno()).isZero();
        assertThat(server.function.memory.ranges()).isZero();
        assertThat(client.unmap(0x8000, 0x1000).errno()).isEqualTo(ENOENT);
    }

    @Test
    void whatCannotBeIsRefusedAndChangesNothing() throws IOException {
        assertThat(client.map(0x1000, 0x1000, 0, 3, ram.descriptor()).errno()).isZero();
        assertThat(client.map(0x0, 0x2000, 0, 3, ram.descriptor()).errno()).isEqualTo(EEXIST);
        assertThat(client.map(0x1800, 0x1000, 0, 3, ram.descriptor()).errno()).isEqualTo(EEXIST);
        assertThat(client.map(0x10000, 0, 0, 3, ram.descriptor()).errno()).isEqualTo(EINVAL);
        assertThat(client.map(-0x1000, 0x2000, 0, 3, ram.descriptor()).errno()).isEqualTo(EINVAL);
        assertThat(client.map(0x10800, 0x1000, 0, 3, ram.descriptor()).errno()).isEqualTo(EINVAL);
        assertThat(client.map(0x10000, 0x1000, 0x800, 3, ram.descriptor()).errno()).isEqualTo(EINVAL);
        assertThat(client.map(0x10000, 0x1000, 0, 0, ram.descriptor()).errno()).isEqualTo(EINVAL);
        assertThat(client.map(0x10000, 0x1000, 0, 7, ram.descriptor()).errno()).isEqualTo(EINVAL);
        assertThat(client.map(0x10000, 0x1000, 1 << 20, 3, ram.descriptor()).errno()).as("past the file")
                .isEqualTo(EINVAL);
        assertThat(client.map(0x10000, 0x1000, 0, 3, ram.descriptor(), ram.descriptor()).errno()).isEqualTo(EINVAL);
        try (EventFd notMemory = EventFd.create()) {
            assertThat(client.map(0x10000, 0x1000, 0, 3, notMemory.descriptor()).errno()).isNotZero();
        }
        assertThat(server.function.memory.ranges()).isEqualTo(1);
        assertThat(client.map(-0x1000, 0x1000, 0, 3, ram.descriptor()).errno()).as("the last page").isZero();
    }

    @Test
    void oneClientHasNotAllMappingsThatTheProcessMayHave() throws IOException {
        int all = Integer.parseInt(Files.readAllLines(Path.of("/proc/sys/vm/max_map_count")).getFirst());
        for (int round = 0; round < 2; round++) {
            int count = 0;
            int errno;
            do {
                errno = client.map(0x1000_0000L + count * 0x2000L, 0x1000, 0, 3, ram.descriptor()).errno();
                count++;
            } while (errno == 0);
            assertThat(errno).isEqualTo(ENOSPC);
            assertThat(count - 1).isBetween(all / 32 - 1, all / 32 + 1).isEqualTo(server.function.memory.ranges());
            assertThat(client.map(0x1000, 0x1000, 0, 3).errno()).as("a range without a file").isZero();
            assertThat(client.unmap(0x1000_0000L, 0x1000).errno()).isZero();
            assertThat(client.map(0x1000_0000L, 0x1000, 0, 3, ram.descriptor()).errno()).isZero();
            assertThat(client.ask(Client.DMA_UNMAP, Client.unmapBody(0, 0, 2)).errno()).isZero();
        }
    }

    @Test
    void anUnmapThatIsNotDoneHoldsBackAnswersButNotRequests() throws IOException {
        CompletableFuture<Void> left = new CompletableFuture<>();
        server.function.dma = new SlowSpace(server.function.memory, left);
        try (Client slow = reconnect()) {
            slow.map(0x1000, 0x1000, 0, 3, ram.descriptor());
            int unmap = slow.send(Client.DMA_UNMAP, 0, Client.unmapBody(0x1000, 0x1000, 0));
            int write = slow.send(Client.REGION_WRITE, 0, Client.writeBody(0, 0, Client.eight(5)));
            int map = slow.send(Client.DMA_MAP, 0, Client.mapBody(0x1000, 0x1000, 0, 3), ram.descriptor());
            Server.eventually("the write", () -> !server.function.registers.writes.isEmpty());
            Server.eventually("the new range", () -> server.function.memory.ranges() == 1);
            assertThat(slow.hasAnswer(20)).isFalse();
            left.complete(null);
            assertThat(slow.receive().id()).isEqualTo(unmap);
            assertThat(slow.receive().id()).isEqualTo(write);
            assertThat(slow.receive().id()).isEqualTo(map);
            assertThat(slow.read(0, 0, 8).body().getLong(16)).isEqualTo(5);
        }
    }

    @Test
    void answersThatAreHeldBackAreBounded() throws IOException {
        CompletableFuture<Void> left = new CompletableFuture<>();
        server.function.dma = new SlowSpace(server.function.memory, left);
        try (Client slow = reconnect()) {
            slow.map(0x1000, 0x1000, 0, 3, ram.descriptor());
            slow.send(Client.DMA_UNMAP, 0, Client.unmapBody(0x1000, 0x1000, 0));
            for (int i = 0; i < 400; i++) {
                slow.send(Client.REGION_WRITE, 0, Client.writeBody(0, 0, Client.eight(i)));
            }
            Server.eventually("as many as are allowed", () -> server.function.registers.writes.size() >= 255);
            assertThat(slow.hasAnswer(20)).isFalse();
            assertThat(server.function.registers.writes.size()).isEqualTo(255);
            left.complete(null);
            for (int i = 0; i < 401; i++) {
                assertThat(slow.receive().errno()).isZero();
            }
        }
    }

    @Test
    void anUnmapThatFailsIsAnswered() throws IOException {
        server.function.dma = new SlowSpace(server.function.memory,
                CompletableFuture.failedFuture(new IllegalStateException("stuck")));
        try (Client slow = reconnect()) {
            slow.map(0x1000, 0x1000, 0, 3, ram.descriptor());
            assertThat(slow.unmap(0x1000, 0x1000).errno()).isEqualTo(5);
            assertThat(slow.read(0, 0, 4).errno()).isZero();
        }
    }

    private Client reconnect() throws IOException {
        client.close();
        return server.client();
    }

    /** Takes ranges out at once and says so when it is told to. */
    private record SlowSpace(DmaSpace space, CompletableFuture<Void> left) implements DmaSpace {
        @Override
        public void map(long address, long length, int descriptor, long offset, boolean writable) {
            space.map(address, length, descriptor, offset, writable);
        }

        @Override
        public CompletionStage<Void> unmap(long address, long length) {
            space.unmap(address, length);
            return left;
        }

        @Override
        public CompletionStage<Void> clear() {
            return space.clear();
        }

        @Override
        public int ranges() {
            return space.ranges();
        }

        @Override
        public long bytes() {
            return space.bytes();
        }
    }
}
