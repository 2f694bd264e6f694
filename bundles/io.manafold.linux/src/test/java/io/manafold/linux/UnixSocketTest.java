package io.manafold.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class UnixSocketTest {
    @TempDir
    Path folder;

    private List<String> before;
    private UnixSocket here;
    private UnixSocket there;

    @BeforeEach
    void connect() throws Exception {
        before = OpenDescriptors.now();
        UnixSocket[] pair = UnixSocket.pair();
        here = pair[0];
        there = pair[1];
    }

    @AfterEach
    void nothingStaysOpen() throws Exception {
        here.close();
        there.close();
        assertThat(OpenDescriptors.now()).isEqualTo(before);
    }

    @Test
    void descriptorsComeWithTheFirstByte() throws Exception {
        List<Descriptor> came = new ArrayList<>();
        try (Memfd file = Memfd.create("travels", 12345); EventFd event = EventFd.create()) {
            here.send(new byte[] {1, 2, 3}, 0, 3, file.descriptor().number(), event.descriptor().number());
            here.send(new byte[] {4}, 0, 1);

            byte[] bytes = new byte[1];
            assertThat(there.receive(bytes, 0, 1, came)).isEqualTo(1);
            assertThat(came).hasSize(2);
            assertThat(Linux.length(came.get(0).number())).isEqualTo(12345);
            EventFd.adopt(came.get(1)).signal();
            assertThat(event.take()).isEqualTo(1);

            bytes = new byte[10];
            assertThat(there.receive(bytes, 5, 5, came)).isEqualTo(3);
            assertThat(came).hasSize(2);
            assertThat(bytes).startsWith(0, 0, 0, 0, 0, 2, 3, 4);
        } finally {
            came.forEach(Descriptor::close);
        }
    }

    @Test
    void descriptorsThatNobodyAskedForAreClosed() throws Exception {
        List<String> open = OpenDescriptors.now();
        try (EventFd event = EventFd.create()) {
            here.send(new byte[1], 0, 1, event.descriptor().number(), event.descriptor().number());
            assertThat(there.receive(new byte[1], 0, 1)).isEqualTo(1);
        }
        assertThat(OpenDescriptors.now()).isEqualTo(open);
    }

    @Test
    void sixteenDescriptorsComeAndMoreAreNotSent() throws Exception {
        List<Descriptor> came = new ArrayList<>();
        try (EventFd event = EventFd.create()) {
            int[] sixteen = new int[UnixSocket.MOST_DESCRIPTORS];
            Arrays.fill(sixteen, event.descriptor().number());
            here.send(new byte[1], 0, 1, sixteen);
            assertThat(there.receive(new byte[9], 0, 9, came)).isEqualTo(1);
            assertThat(came).hasSize(16);

            assertThatThrownBy(() -> here.send(new byte[1], 0, 1, Arrays.copyOf(sixteen, 17)))
                    .hasMessageContaining("EINVAL");
            assertThatThrownBy(() -> here.send(new byte[1], 0, 0, 1)).hasMessageContaining("EINVAL");
        } finally {
            came.forEach(Descriptor::close);
        }
    }

    @Test
    void moreThanSixteenAtOnceEndTheTrust() throws Exception {
        // past UnixSocket, which does not send that many
        MessageBuffer message = new MessageBuffer(1, 20);
        try (EventFd event = EventFd.create()) {
            int[] twenty = new int[20];
            Arrays.fill(twenty, event.descriptor().number());
            message.offer(new byte[1], 0, 1, twenty);
            assertThat(SocketCalls.send(here.descriptor().number(), message.address(), 0)).isEqualTo(1);
        }
        List<Descriptor> came = new ArrayList<>();
        assertThatThrownBy(() -> there.receive(new byte[9], 0, 9, came)).isInstanceOfSatisfying(
                SystemCallException.class, failed -> assertThat(failed.errno()).isEqualTo(71));
        assertThat(came).isEmpty();
    }

    @Test
    void manyBytesArriveInOrder() throws Exception {
        byte[] bytes = new byte[1_000_000];
        new Random(7).nextBytes(bytes);
        Thread sender = Thread.ofPlatform().start(() -> {
            try {
                here.send(bytes, 0, bytes.length);
                here.endOfSending();
            } catch (SystemCallException failed) {
                here.close();
            }
        });
        byte[] arrived = new byte[bytes.length + 1];
        int done = 0;
        int count;
        while ((count = there.receive(arrived, done, arrived.length - done)) > 0) {
            done += count;
        }
        sender.join();
        assertThat(done).isEqualTo(bytes.length);
        assertThat(Arrays.copyOf(arrived, done)).isEqualTo(bytes);
        assertThat(there.receive(arrived, 0, 1)).isEqualTo(-1);
    }

    @Test
    void closingWakesWhoWaits() throws Exception {
        CompletableFuture<Integer> waiting = CompletableFuture.supplyAsync(() -> {
            try {
                return here.receive(new byte[1], 0, 1);
            } catch (SystemCallException failed) {
                return -failed.errno();
            }
        });
        waitUntilInside(here.descriptor());
        here.close();

        assertThat(waiting).succeedsWithin(60, TimeUnit.SECONDS).isEqualTo(-1);
        assertThatThrownBy(() -> here.receive(new byte[1], 0, 1)).hasMessageContaining("EBADF");
        assertThatThrownBy(() -> here.send(new byte[1], 0, 1)).hasMessageContaining("EBADF");
        assertThatThrownBy(() -> there.send(new byte[1], 0, 1)).hasMessageContaining("EPIPE");
    }

    @Test
    void whoDoesNotReadDoesNotHoldUsForEver() throws Exception {
        here.sendLimit(20);
        assertThatThrownBy(() -> here.send(new byte[10_000_000], 0, 10_000_000)).hasMessageContaining("EAGAIN");
        here.receiveLimit(20);
        assertThatThrownBy(() -> here.receive(new byte[1], 0, 1)).hasMessageContaining("EAGAIN");
    }

    @Test
    void aListenerIsForThisUserOnlyAndLeavesNothingBehind() throws Exception {
        Path path = folder.resolve("socket");
        try (UnixListener listener = UnixListener.listen(path)) {
            assertThat(Files.getPosixFilePermissions(path)).isEqualTo(PosixFilePermissions.fromString("rw-------"));
            try (UnixSocket client = UnixSocket.connect(path); UnixSocket server = listener.accept()) {
                client.send(new byte[] {5}, 0, 1);
                byte[] one = new byte[1];
                assertThat(server.receive(one, 0, 1)).isEqualTo(1);
                assertThat(one[0]).isEqualTo((byte) 5);
                assertThat(server.peer().process()).isEqualTo((int) ProcessHandle.current().pid());
                assertThat(server.peer().user()).isEqualTo(Files.getAttribute(path, "unix:uid"));
            }
            assertThatThrownBy(() -> UnixListener.listen(path)).hasMessageContaining("EADDRINUSE");
            assertThat(path).exists();
        }
        assertThat(path).doesNotExist();
        assertThatThrownBy(() -> UnixSocket.connect(path)).hasMessageContaining("ENOENT");
    }

    @Test
    void closingTheListenerWakesWhoWaits() throws Exception {
        UnixListener listener = UnixListener.listen(folder.resolve("socket"));
        CompletableFuture<Integer> waiting = CompletableFuture.supplyAsync(() -> {
            try {
                listener.accept();
                return 0;
            } catch (SystemCallException failed) {
                return failed.errno();
            }
        });
        waitUntilInside(listener.descriptor());
        listener.close();
        assertThat(waiting).succeedsWithin(60, TimeUnit.SECONDS).isIn(22, 9);
    }

    @Test
    void aSocketLeftBehindIsReplacedAndNothingElse() throws Exception {
        Path path = folder.resolve("socket");
        Path first = folder.resolve("first");
        UnixListener gone = UnixListener.listen(first);
        Files.move(first, path);
        gone.close();
        assertThat(path).exists();
        UnixListener.listen(path).close();

        Files.writeString(path, "precious");
        assertThatThrownBy(() -> UnixListener.listen(path)).hasMessageContaining("EADDRINUSE");
        assertThat(path).hasContent("precious");
    }

    @Test
    void aFileThatTookTheSocketsPlaceIsNotDeleted() throws Exception {
        Path path = folder.resolve("socket");
        UnixListener listener = UnixListener.listen(path);
        Files.move(path, folder.resolve("moved"));
        Files.writeString(path, "precious");
        listener.close();
        assertThat(path).hasContent("precious");
    }

    @Test
    void aPathThatIsTooLongIsRefused() {
        Path path = folder.resolve("x".repeat(108));
        assertThatThrownBy(() -> UnixListener.listen(path)).hasMessageContaining("ENAMETOOLONG");
        assertThatThrownBy(() -> UnixSocket.connect(path)).hasMessageContaining("at most 107");
    }

    private static void waitUntilInside(Descriptor descriptor) {
        while (!descriptor.inUse()) {
            Thread.onSpinWait();
        }
    }

    @Test
    @Timeout(300)
    void aListenerThatDoesNotAcceptIsNotWaitedFor() throws Exception {
        Path path = folder.resolve("full");
        List<UnixSocket> waiting = new ArrayList<>();
        try (UnixListener busy = UnixListener.listen(path)) {
            assertThatThrownBy(() -> {
                while (waiting.size() < 1000) {
                    waiting.add(UnixSocket.connect(path, 1));
                }
            }).hasMessageContaining("EAGAIN");
            assertThatThrownBy(() -> UnixListener.listen(path)).hasMessageContaining("EADDRINUSE");
            assertThat(busy.path()).exists();
        } finally {
            waiting.forEach(UnixSocket::close);
        }
        UnixListener.listen(path).close();
    }
}
