package io.manafold.vfio.internal;

import static io.manafold.vfio.internal.Server.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.refusal.Refusal;
import io.manafold.linux.Descriptor;
import io.manafold.linux.EventFd;
import io.manafold.linux.Memfd;
import io.manafold.linux.UnixListener;
import io.manafold.linux.UnixSocket;
import io.manafold.vfio.internal.borrow.BorrowedFunction;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A lender may say what it likes: it costs the borrower the function, with the reason, and nothing else. */
@Timeout(300)
class HostileLenderTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final long SEED = 20261122;
    private static final int ROUNDS = Integer.getInteger("manafold.lies", 150);

    @TempDir
    Path folder;

    private Path path() {
        return folder.resolve("lent.sock");
    }

    private BorrowedFunction borrow(Duration patience) {
        return BorrowedFunction.borrow("hostile", BorrowTest.PLACE, path(), patience, () -> { });
    }

    private void refused(Duration patience, Lender.Bend bend, String reason) throws IOException {
        try (Lender _ = new Lender(path(), bend)) {
            assertThatThrownBy(() -> borrow(patience)).isInstanceOf(Refusal.class).hasMessageContaining(reason);
        }
    }

    /** One whose answers to one command are bent, and all others are as they should be. */
    private static Lender.Bend only(int command, Lender.Bend bend) {
        return (asked, answer, to) -> asked == command ? bend.bend(asked, answer, to) : answer;
    }

    private static byte[] with(byte[] answer, int at, int value) {
        ByteBuffer.wrap(answer).order(ByteOrder.LITTLE_ENDIAN).putInt(at, value);
        return answer;
    }

    private static byte[] cut(byte[] answer, int body) {
        return with(Arrays.copyOf(answer, 16 + body), 4, 16 + body);
    }

    @Test
    void whoIsSilentIsNotWaitedForLong() throws IOException {
        refused(SHORT, (command, answer, to) -> null, "it did not answer VERSION within 300 ms");
        refused(SHORT, only(Client.GET_INFO, (command, answer, to) -> null), "it did not answer DEVICE_GET_INFO");
        refused(SHORT, only(Client.GET_INFO, (command, answer, to) -> Arrays.copyOf(answer, 20)),
                "it did not answer DEVICE_GET_INFO within 300 ms");
        try (UnixListener _ = UnixListener.listen(path())) {
            assertThatThrownBy(() -> borrow(SHORT)).hasMessageContaining("it did not answer VERSION");
        }
    }

    @Test
    void answersAreToWhatWasAsked() throws IOException {
        refused(PATIENCE, only(Client.GET_INFO, (command, answer, to) -> with(answer, 0, 0x0004_7777)),
                "is no answer to anything that was asked");
        refused(PATIENCE, only(Client.GET_INFO, (command, answer, to) -> {
            answer[2] = Client.GET_IRQ_INFO;
            return answer;
        }), "is no answer to anything that was asked");
        refused(PATIENCE, only(Client.GET_INFO, (command, answer, to) -> with(answer, 8, 0x71)), "is no answer");
        refused(PATIENCE, only(Client.REGION_READ, (command, answer, to) -> with(answer, 16, 4)),
                "its answer to REGION_READ at 0x0 of region 7 is about 0x4");
    }

    @Test
    void lengthsAreAsTheyMustBe() throws IOException {
        refused(PATIENCE, only(Client.GET_INFO, (command, answer, to) -> cut(answer, 12)),
                "its answer to DEVICE_GET_INFO has 12 bytes; it has 16");
        refused(PATIENCE, only(Client.GET_INFO, (command, answer, to) -> cut(answer, 17)),
                "its answer to DEVICE_GET_INFO has 17 bytes; it has at most 16");
        refused(PATIENCE, only(Client.REGION_READ, (command, answer, to) -> cut(answer, 40)),
                "its answer to REGION_READ has 40 bytes");
        refused(PATIENCE, only(Client.GET_INFO, (command, answer, to) -> with(answer, 4, 3)), "claims to have 3 bytes");
        refused(PATIENCE, only(Client.GET_INFO, (command, answer, to) -> with(answer, 4, Integer.MAX_VALUE)),
                "a message claims to have 2147483647 bytes");
    }

    @Test
    void numbersAreAsTheyCanBe() throws IOException {
        refused(PATIENCE, only(Client.GET_INFO, (command, answer, to) -> with(answer, 24, 3)),
                "number of regions is 3");
        refused(PATIENCE, only(Client.GET_INFO, (command, answer, to) -> with(answer, 28, -1)),
                "number of interrupt indexes is -1");
        refused(PATIENCE, only(Client.GET_INFO, (command, answer, to) -> with(answer, 20, 1)), "no PCI function");
        refused(PATIENCE, only(Client.GET_INFO, (command, answer, to) -> with(answer, 20, 2)), "cannot be reset");
        refused(PATIENCE, only(Client.GET_REGION_INFO, (command, answer, to) -> with(answer, 36, 1 << 30)),
                "size of region 7 is");
        refused(PATIENCE, only(Client.GET_REGION_INFO, (command, answer, to) -> with(answer, 24, 5)),
                "region 7 as is 5");
        refused(PATIENCE, only(Client.GET_IRQ_INFO, (command, answer, to) -> with(answer, 28, 1 << 20)),
                "number of vectors is 1048576");
        refused(PATIENCE, only(Client.VERSION, (command, answer, to) -> with(answer, 16, 1)),
                "it speaks vfio-user 1.0");
        refused(PATIENCE, only(Client.VERSION, (command, answer, to) -> {
            answer[30] = '"';
            return answer;
        }), "the capabilities in VERSION");
    }

    @Test
    void refusalsAreTold() throws IOException {
        refused(PATIENCE, only(Client.GET_INFO, (command, answer, to) -> with(with(cut(answer, 0), 8, 0x21), 12, 13)),
                "it refuses DEVICE_GET_INFO with EACCES");
        refused(PATIENCE, only(Client.GET_INFO, (command, answer, to) -> with(with(cut(answer, 0), 8, 0x21), 12, -7)),
                "it refuses DEVICE_GET_INFO with error 4294967289");
    }

    /** Or a reset would hold all ports of the function for as long as the lender likes. */
    @Test
    @Timeout(60)
    void aVectorWhoseReadsWaitIsNotWaitedFor() throws IOException {
        try (Lender lender = new Lender(path(), (asked, answer, to) -> answer)) {
            lender.blocks = true;
            try (BorrowedFunction function = borrow(PATIENCE)) {
                function.interrupts().target(0, () -> { });
                function.interrupts().clear(0);
                CompletableFuture<Void> reset = CompletableFuture.runAsync(function::reset);
                assertThat(reset).succeedsWithin(Duration.ofSeconds(20));
            }
        }
    }

    @Test
    void itsOwnQuestionsAreDeclined() throws IOException {
        try (Lender _ = new Lender(path(), only(Client.GET_INFO, (command, answer, to) -> {
            byte[] question = Client.message(9, 11, 0, Client.body(16).putLong(0, 0x1000).putLong(8, 8));
            to.send(question, 0, question.length);
            return answer;
        })); BorrowedFunction function = borrow(PATIENCE)) {
            assertThat(function.departure()).isNull();
        }
    }

    @Test
    void descriptorsThatNobodyAskedForAreClosed() throws IOException {
        try (EventFd unasked = EventFd.create(); Lender _ = new Lender(path(), (command, answer, to) -> {
            to.send(answer, 0, answer.length, unasked.descriptor().number());
            return null;
        }); BorrowedFunction function = borrow(PATIENCE)) {
            long before = descriptors();
            for (int i = 0; i < 100; i++) {
                assertThat(function.readConfig(0, 4)).isZero();
            }
            eventually("they are closed", () -> descriptors() <= before + 3);
        }
    }

    @Test
    void whoDoesNotReadLosesTheBorrower() throws IOException, InterruptedException {
        AtomicInteger stopped = new AtomicInteger();
        CountDownLatch end = new CountDownLatch(1);
        try (Lender _ = new Lender(path(), only(Client.REGION_WRITE, (command, answer, to) -> {
            stopped.incrementAndGet();
            await(end);
            return answer;
        })); BorrowedFunction function = borrow(SHORT)) {
            Thread asking = Thread.ofPlatform().start(() -> function.writeConfig(4, 2, 6));
            eventually("it has stopped", () -> stopped.get() == 1 || function.departure() != null);
            while (function.departure() == null) {
                function.bars().getFirst().write64(8, 1);
            }
            assertThat(function.departure()).containsAnyOf("did not answer REGION_WRITE", "does not read");
            asking.join();
            end.countDown();
        }
    }

    private static void await(CountDownLatch end) {
        try {
            end.await();
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void whateverItSaysNothingBreaks() throws IOException {
        long before = descriptors();
        Random random = new Random(SEED);
        for (int round = 0; round < ROUNDS; round++) {
            Random mine = new Random(random.nextLong());
            int honest = mine.nextInt(40);
            AtomicInteger answers = new AtomicInteger();
            try (Lender _ = new Lender(path(), (command, answer, to) -> answers.getAndIncrement() < honest ? answer
                    : bent(mine, answer, to))) {
                use();
            }
        }
        eventually("all threads have ended", () -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().startsWith("manafold-borrow-hostile")));
        eventually("all descriptors are closed", () -> descriptors() <= before + 3);
    }

    private void use() throws IOException {
        BorrowedFunction function;
        try {
            function = borrow(SHORT);
        } catch (Refusal refused) {
            assertThat(refused.getMessage()).startsWith("Nothing can be borrowed at ");
            return;
        }
        List<Runnable> steps = new ArrayList<>();
        try (function; Memfd file = Memfd.create("lent", 8192)) {
            int number = file.descriptor().number();
            steps.add(() -> function.dma().map(0x10000, 8192, number, 0, true));
            steps.add(() -> function.interrupts().target(3, () -> { }));
            steps.add(() -> function.readConfig(4, 2));
            steps.add(() -> function.writeConfig(4, 2, 6));
            steps.add(() -> function.bars().forEach(bar -> bar.read64(8)));
            steps.add(() -> function.bars().forEach(bar -> bar.write32(8, 1)));
            steps.add(() -> function.bars().forEach(bar -> bar.read32(12)));
            steps.add(function::reset);
            steps.add(() -> function.interrupts().clear(3));
            steps.add(() -> function.dma().unmap(0x10000, 8192));
            steps.add(() -> function.dma().clear());
            for (Runnable step : steps) {
                try {
                    step.run();
                } catch (Refusal refused) {
                    assertThat(refused.getMessage()).isNotBlank();
                }
            }
        }
        assertThat(function.departure()).isNotBlank();
        assertThat(function.readConfig(0, 4)).isEqualTo(-1);
    }

    private static byte[] bent(Random random, byte[] answer, UnixSocket to) throws IOException {
        switch (random.nextInt(24)) {
            case 0 -> {
                return random.nextInt(4) == 0 ? null : answer;
            }
            case 1 -> {
                to.send(answer, 0, answer.length);
                return answer;
            }
            case 2 -> {
                return Arrays.copyOf(answer, random.nextInt(answer.length + 1));
            }
            case 3 -> {
                return with(answer, 4, random.nextInt());
            }
            case 4 -> {
                return with(answer, 8, 1 << random.nextInt(32));
            }
            case 5 -> {
                return with(with(answer, 8, 0x21), 12, random.nextInt(140));
            }
            case 6 -> {
                byte[] noise = new byte[random.nextInt(200)];
                random.nextBytes(noise);
                return noise;
            }
            case 7 -> {
                return cut(answer, random.nextInt(5000));
            }
            case 8 -> {
                try (Memfd unasked = Memfd.create("unasked", 4096)) {
                    Descriptor number = unasked.descriptor();
                    to.send(answer, 0, answer.length, number.number(), number.number());
                }
                return null;
            }
            case 9 -> {
                to.shutdown();
                return null;
            }
            case 10 -> {
                byte[] question = Client.message(random.nextInt(9), random.nextInt(20), random.nextBoolean() ? 0 : 0x10,
                        Client.body(random.nextInt(64)));
                to.send(question, 0, question.length);
                return answer;
            }
            case 11, 12, 13, 14, 15 -> {
                if (answer.length > 16) {
                    answer[16 + random.nextInt(answer.length - 16)] = (byte) random.nextInt();
                }
                return answer;
            }
            case 16 -> {
                byte[] text = "{".repeat(random.nextInt(4000)).getBytes(StandardCharsets.US_ASCII);
                byte[] message = Arrays.copyOf(answer, 21 + text.length);
                System.arraycopy(text, 0, message, 20, text.length);
                return with(message, 4, message.length);
            }
            default -> {
                return answer;
            }
        }
    }

    private static long descriptors() {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
