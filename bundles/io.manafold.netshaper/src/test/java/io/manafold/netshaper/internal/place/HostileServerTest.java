package io.manafold.netshaper.internal.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.linux.SystemCallException;
import io.manafold.linux.UnixListener;
import io.manafold.linux.UnixSocket;
import io.manafold.netshaper.internal.wire.MessageWriter;
import io.manafold.netshaper.internal.wire.Netlink;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What answers behind a socket may be anything: an exchange ends all the same, and with a sentence. */
@Timeout(120)
class HostileServerTest {
    private static final int FAMILY = 40;
    private static final Map<String, Object> HANDLE = Map.of("ifindex", 2L, "handle", Map.of("scope", "netdev"));

    @TempDir
    Path folder;

    private interface Answer {
        void to(UnixSocket client, int sequence) throws Exception;
    }

    private Path serving(Answer answer) throws Exception {
        Path path = folder.resolve("server.sock");
        UnixListener listener = UnixListener.listen(path);
        Thread.ofPlatform().daemon().name("server").start(() -> {
            try (listener; UnixSocket client = listener.accept()) {
                byte[] request = new byte[256];
                client.receive(request, 0, request.length);
                answer.to(client, Netlink.get32(request, 8));
            } catch (SystemCallException over) {
                // the client has seen enough
            } catch (Exception failed) {
                throw new IllegalStateException(failed);
            }
        });
        return path;
    }

    private static byte[] request() {
        return new MessageWriter().begin(FAMILY, 5, 1234, 0).generic(1, 1).end().bytes();
    }

    private static byte[] messages(int sequence, int count) {
        byte[] one = new MessageWriter().begin(FAMILY, Netlink.MULTI, sequence, 0).generic(1, 1).end().bytes();
        byte[] all = new byte[count * one.length];
        for (int i = 0; i < count; i++) {
            System.arraycopy(one, 0, all, i * one.length, one.length);
        }
        return all;
    }

    private static void refused(Errno errno, Path path) {
        assertThatThrownBy(() -> new SocketLine(path).exchange(request())).isInstanceOfSatisfying(Refusal.class,
                refused -> assertThat(refused.errno()).isEqualTo(errno)).hasMessageContaining(path.toString());
    }

    private static void sendWithoutEnd(UnixSocket client, byte[] bytes) throws SystemCallException {
        for (long sent = 0; sent < 1L << 30; sent += bytes.length) {
            client.send(bytes, 0, bytes.length);
        }
    }

    @Test
    void anAnswerWithoutEndIsRefused() throws Exception {
        refused(Errno.EPROTO, serving((client, sequence) -> sendWithoutEnd(client, messages(sequence, 1000))));
    }

    @Test
    void answersToOthersWithoutEndAreRefused() throws Exception {
        refused(Errno.EPROTO, serving((client, sequence) -> sendWithoutEnd(client, messages(sequence - 1, 1000))));
    }

    @Test
    void whoAnswersOthersNowAndThenHasItsTime() throws Exception {
        Path path = serving((client, sequence) -> {
            for (int i = 0; i < 12; i++) {
                client.send(messages(sequence - 1, 1), 0, 20);
                TimeUnit.SECONDS.sleep(3);
            }
        });
        long began = System.nanoTime();
        refused(Errno.ETIMEDOUT, path);
        assertThat(System.nanoTime() - began).isLessThan(TimeUnit.SECONDS.toNanos(25));
    }

    @Test
    void anInterruptEndsTheWait() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        Path path = serving((_, _) -> {
            asked.countDown();
            over.await(60, TimeUnit.SECONDS);
        });
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        Thread command = Thread.ofPlatform().daemon().name("command").start(() -> {
            try {
                new SocketLine(path).exchange(request());
                interrupted.complete(false);
            } catch (Refusal refused) {
                if (refused.errno() == Errno.EINTR) {
                    interrupted.complete(Thread.currentThread().isInterrupted());
                } else {
                    interrupted.completeExceptionally(refused);
                }
            }
        });
        assertThat(asked.await(30, TimeUnit.SECONDS)).isTrue();
        command.interrupt();
        try {
            assertThat(interrupted.get(5, TimeUnit.SECONDS)).isTrue();
        } finally {
            over.countDown();
        }
    }

    @Test
    void anErrorThatIsTooShortIsRefused() {
        for (int length = Netlink.HEADER; length < Netlink.GENERIC_HEADER; length++) {
            byte[] answer = new byte[length];
            Netlink.put32(answer, 0, length);
            Netlink.put16(answer, 4, Netlink.ERROR);
            assertThatThrownBy(() -> conversation(answer).perform(FAMILY, "get", HANDLE, false))
                    .isInstanceOfSatisfying(Refusal.class,
                            refused -> assertThat(refused.errno()).isEqualTo(Errno.EPROTO));
        }
    }

    @Test
    void anErrorThatSaysMoreThanItHasIsARefusal() {
        Random random = new Random(1);
        for (int round = 0; round < 20_000; round++) {
            byte[] answer = new byte[Netlink.GENERIC_HEADER + random.nextInt(64)];
            random.nextBytes(answer);
            Netlink.put32(answer, 0, answer.length);
            Netlink.put16(answer, 4, Netlink.ERROR);
            Netlink.put16(answer, 6, Netlink.WITH_ATTRIBUTES | (random.nextBoolean() ? Netlink.CAPPED : 0));
            if (answer.length >= Netlink.GENERIC_HEADER + 4 && random.nextBoolean()) {
                Netlink.put32(answer, Netlink.GENERIC_HEADER, random.nextInt(64));
            }
            assertThatThrownBy(() -> conversation(answer).perform(FAMILY, "get", HANDLE, false))
                    .as(Arrays.toString(answer)).isInstanceOf(Refusal.class);
        }
    }

    private static Conversation conversation(byte[] answer) {
        return new Conversation(_ -> List.of(answer), "The server");
    }
}
