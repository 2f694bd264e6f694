package io.manafold.inet.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.fabric.CaptureStatus;
import io.manafold.api.inet.PacketListing;
import io.manafold.api.inet.PassingPacket;
import io.manafold.api.inet.PingPlan;
import io.manafold.api.net.PacketBuffer;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class CaptureRegistryTest {
    private static final int ENHANCED_PACKET = 6;

    private final Pair pair = new Pair();
    private final CaptureRegistry desk = new CaptureRegistry();

    @TempDir
    Path folder;

    /** Walks over the blocks of a file, which must fill it. */
    private static int packets(Path file) throws Exception {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        int packets = 0;
        while (bytes.hasRemaining()) {
            int at = bytes.position();
            packets += bytes.getInt(at) == ENHANCED_PACKET ? 1 : 0;
            int length = bytes.getInt(at + 4);
            assertThat(bytes.getInt(at + length - 4)).isEqualTo(length);
            bytes.position(at + length);
        }
        return packets;
    }

    @Test
    void whatPassesIsWrittenAndGoesOnWithTheNextDevice() throws Exception {
        Path file = folder.resolve("a.pcapng");
        desk.addDevice(pair.a);
        CaptureStatus begun = desk.start("mana0", file, 262_144);
        assertThat(begun.link()).isEqualTo("mana0");
        pair.finish(pair.hostA.ping(PingPlan.to(Pair.B4, 2)));
        desk.removeDevice(pair.a);
        assertThat(pair.a.watchers).isEmpty();
        pair.hostA.detach(pair.a);
        pair.wire.devices.remove(pair.a);
        assertThat(desk.captures()).hasSize(1);
        FakeDevice again = new FakeDevice("mana0", 0x000d3a000001L, pair.wire);
        desk.addDevice(again);
        pair.hostA.attach(again);
        pair.finish(pair.hostA.ping(PingPlan.to(Pair.B4, 1)));
        CaptureStatus ended = desk.stop("mana0", file);
        assertThat(ended.problem()).isNull();
        assertThat(ended.missed()).isZero();
        // a question and an answer, three echoes and their answers, and what the second device announces
        assertThat(ended.frames()).isGreaterThanOrEqualTo(8);
        assertThat(packets(file)).isEqualTo((int) ended.frames());
        assertThat(again.watchers).isEmpty();
        assertThat(desk.captures()).isEmpty();
    }

    @Test
    void packetsAreTakenAndGoOnWithTheNextDevice() throws Exception {
        desk.addDevice(pair.a);
        ByteArrayOutputStream copy = new ByteArrayOutputStream();
        try (PacketListing listing = desk.list("mana0", 262_144, copy)) {
            assertThat(listing.next(Duration.ZERO)).isEmpty();
            pair.finish(pair.hostA.ping(PingPlan.to(Pair.B4, 1)));
            List<String> lines = new ArrayList<>();
            for (Optional<PassingPacket> next = listing.next(Duration.ZERO); next.isPresent();
                    next = listing.next(Duration.ZERO)) {
                lines.add((next.get().incoming() ? "< " : "> ") + next.get().text(false));
            }
            assertThat(lines).anyMatch(line -> line.startsWith("> ARP, Request who-has " + Pair.B4))
                    .anyMatch(line -> line.matches("> IP .* > " + Pair.B4 + ": ICMP echo request, id \\d+, seq 1, .*"))
                    .anyMatch(line -> line.matches("< IP " + Pair.B4 + " > .*: ICMP echo reply, id \\d+, seq 1, .*"));
            Path file = Files.write(folder.resolve("copy"), copy.toByteArray());
            assertThat(packets(file)).isEqualTo(lines.size());

            desk.removeDevice(pair.a);
            assertThat(listing.next(Duration.ZERO)).isEmpty();
            assertThat(pair.a.watchers).isEmpty();
            FakeDevice again = new FakeDevice("mana0", 0x000d3a000001L, pair.wire);
            desk.addDevice(again);
            assertThat(listing.next(Duration.ZERO)).isEmpty();
            assertThat(again.watchers).hasSize(1);
            pass(again, 10_000);
            int taken = 0;
            while (listing.next(Duration.ZERO).isPresent()) {
                taken++;
            }
            assertThat(listing.missed()).isEqualTo(10_000 - taken).isPositive();
            listing.close();
            assertThat(again.watchers).isEmpty();
        }
    }

    @Test
    void anInterruptEndsAListingWhoseDeviceIsNeverSilent() throws Exception {
        desk.addDevice(pair.a);
        try (PacketListing listing = desk.list("mana0", 262_144, null)) {
            pass(pair.a, 3);
            assertThat(listing.next(Duration.ZERO)).isPresent();
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> listing.next(Duration.ZERO)).isInstanceOf(InterruptedException.class);
            assertThat(listing.next(Duration.ZERO)).isPresent();
        }
    }

    @Test
    void anInterruptClosesNoOutputAndLeavesWholePacketsInIt() throws Exception {
        desk.addDevice(pair.a);
        AtomicBoolean closed = new AtomicBoolean();
        ByteArrayOutputStream copy = new ByteArrayOutputStream() {
            @Override
            public void write(byte[] bytes, int offset, int count) {
                super.write(bytes, offset, count);
                Thread.currentThread().interrupt();
            }

            @Override
            public void close() {
                closed.set(true);
            }
        };
        int taken = 0;
        try (PacketListing listing = desk.list("mana0", 262_144, copy)) {
            pass(pair.a, 1000);
            while (!Thread.currentThread().isInterrupted()) {
                assertThat(listing.next(Duration.ZERO)).isPresent();
                taken++;
            }
            assertThatThrownBy(() -> listing.next(Duration.ZERO)).isInstanceOf(InterruptedException.class);
        } finally {
            Thread.interrupted();
        }
        assertThat(closed).isFalse();
        assertThat(packets(Files.write(folder.resolve("copy"), copy.toByteArray()))).isEqualTo(taken);
    }

    private static void pass(FakeDevice device, int count) {
        PacketBuffer packet = new PacketBuffer(device, Arena.ofAuto().allocate(100), 0, 100, 0, 0);
        packet.place(0, 100);
        IntStream.range(0, count).forEach(_ -> device.watchers.getFirst().packet(packet, true));
    }

    @Test
    void refusals() throws Exception {
        desk.addDevice(pair.a);
        refused(Errno.ENODEV, () -> desk.start("mana7", folder.resolve("x"), 100));
        refused(Errno.ENODEV, () -> desk.list("mana7", 100, null));
        refused(Errno.EINVAL, () -> desk.start("mana0", folder.resolve("x"), 1));
        refused(Errno.ENOENT, () -> desk.start("mana0", folder.resolve("no/x"), 100));
        refused(Errno.ENOENT, () -> desk.stop("mana0", folder.resolve("x")));
        Path there = Files.createFile(folder.resolve("there"));
        refused(Errno.EEXIST, () -> desk.start("mana0", there, 100));
        for (int i = 0; i < 4; i++) {
            desk.start("mana0", folder.resolve("f" + i), 100);
        }
        refused(Errno.EBUSY, () -> desk.start("mana0", folder.resolve("f5"), 100));
        assertThat(folder.resolve("f5")).doesNotExist();
        desk.stop();
        assertThat(pair.a.watchers).isEmpty();
    }

    /** A file of a disk that does not answer, until the gate opens. */
    private static Path hanging(CountDownLatch asked, CountDownLatch gate) {
        return (Path) Proxy.newProxyInstance(CaptureRegistryTest.class.getClassLoader(), new Class<?>[] {Path.class},
                (_, method, _) -> {
                    if (method.getName().equals("getFileSystem")) {
                        asked.countDown();
                        gate.await(60, TimeUnit.SECONDS);
                        throw new UncheckedIOException(new IOException("the disk is gone"));
                    }
                    return "slow.pcapng";
                });
    }

    private static <T> CompletableFuture<T> begun(Supplier<T> work) {
        return CompletableFuture.supplyAsync(work, each -> Thread.ofPlatform().daemon().start(each));
    }

    @Test
    void aFileThatDoesNotOpenKeepsNoDeviceFromComingOrGoing() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch gate = new CountDownLatch(1);
        desk.addDevice(pair.a);
        CompletableFuture<CaptureStatus> slowly = begun(() -> desk.start("mana0", hanging(asked, gate), 100));
        assertThat(asked.await(30, TimeUnit.SECONDS)).isTrue();
        try {
            begun(() -> {
                desk.addDevice(pair.b);
                desk.removeDevice(pair.a);
                desk.addDevice(pair.a);
                for (int i = 0; i < 3; i++) {
                    desk.start("mana0", folder.resolve("f" + i), 100);
                }
                refused(Errno.EBUSY, () -> desk.start("mana0", folder.resolve("f3"), 100));
                return desk.stop("mana0", folder.resolve("f0"));
            }).get(30, TimeUnit.SECONDS);
        } finally {
            gate.countDown();
        }
        assertThatThrownBy(slowly::join).hasCauseInstanceOf(Refusal.class).hasMessageContaining("the disk is gone");
        assertThat(desk.captures()).hasSize(2);
        desk.start("mana0", folder.resolve("f4"), 100);
        desk.start("mana0", folder.resolve("f5"), 100);
        desk.stop();
    }

    private static void refused(Errno errno, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(Refusal.class, e -> assertThat(e.errno()).isEqualTo(errno));
    }
}
