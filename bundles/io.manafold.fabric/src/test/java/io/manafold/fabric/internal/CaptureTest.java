package io.manafold.fabric.internal;

import static io.manafold.fabric.internal.Station.frame;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.manafold.api.fabric.CaptureStatus;
import io.manafold.api.fabric.Impairments;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.testkit.Namespace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class CaptureTest {
    private static final long A = 0x000d3a000001L;
    private static final long B = 0x000d3a000002L;

    @TempDir
    Path folder;
    private FabricLink link;
    private Station a;
    private Station b;

    @BeforeEach
    void plugIn() {
        link = FabricLink.open(new LinkPlan("net", LinkPlan.Kind.SWITCH, List.of("one/1", "two/1"), null,
                new Impairments(100, 0, 0, 0, 1)));
        a = Station.on(link, "one/1");
        b = Station.on(link, "two/1");
    }

    @AfterEach
    void unplug() {
        a.close();
        b.close();
        link.close();
    }

    private void awaitFrames(long count) {
        while (link.status().counters().get("frames") < count) {
            Thread.onSpinWait();
        }
    }

    private static List<String> dissect(Path file, String... fields) throws Exception {
        assumeTrue(Namespace.isThere("tshark"), "tshark is not installed, so no other program reads the captures");
        List<String> command = new ArrayList<>(List.of("tshark", "-n", "-r", file.toString(), "-T", "fields"));
        for (String field : fields) {
            command.add("-e");
            command.add(field);
        }
        return Arrays.stream(Namespace.run(command.toArray(String[]::new)).split("\n"))
                .filter(line -> !line.startsWith("Running as user")).toList();
    }

    @Test
    void whoWaitsForAFileToOpenKeepsNobodyElseWaiting() throws Exception {
        CountDownLatch opening = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        Path slow = (Path) Proxy.newProxyInstance(CaptureTest.class.getClassLoader(), new Class<?>[] {Path.class},
                (_, method, _) -> {
                    if (method.getName().equals("getFileSystem")) {
                        opening.countDown();
                        over.await(60, TimeUnit.SECONDS);
                        throw new UncheckedIOException(new IOException("the disk of " + link.name() + " is gone"));
                    }
                    return "slow.pcapng";
                });
        Executor own = command -> Thread.ofPlatform().daemon().start(command);
        Path file = folder.resolve("net.pcapng");
        link.startCapture(file, 100);
        CompletableFuture<Void> slowly = CompletableFuture.runAsync(() -> link.startCapture(slow, 100), own);
        assertThat(opening.await(30, TimeUnit.SECONDS)).isTrue();
        try {
            assertThat(CompletableFuture.supplyAsync(() -> link.stopCapture(file), own).get(30, TimeUnit.SECONDS)
                    .file()).isEqualTo(file);
        } finally {
            over.countDown();
        }
        assertThatThrownBy(slowly::join).hasRootCauseInstanceOf(IOException.class);
        assertThat(link.captures()).isEmpty();
    }

    @Test
    void othersReadWhatEnteredTheLinkEvenIfItWasLost() throws Exception {
        Path file = folder.resolve("net.pcapng");
        CaptureStatus started = link.startCapture(file, 262_144);
        assertThat(started.link()).isEqualTo("net");
        a.pieces = 3;
        a.send(frame(B, A, 1, 60), frame(B, A, 2, 1514), frame(B, A, 3, 9014));
        awaitFrames(3);
        b.send(frame(A, B, 4, 15));
        awaitFrames(4);
        CaptureStatus stopped = link.stopCapture(file);
        assertThat(stopped.frames()).isEqualTo(4);
        assertThat(stopped.bytes()).isEqualTo(60 + 1514 + 9014 + 15);
        assertThat(stopped.missed()).isZero();
        assertThat(stopped.problem()).isNull();
        assertThat(link.captures()).isEmpty();
        assertThat(dissect(file, "frame.len", "frame.interface_name", "eth.src", "data.data")).hasSize(4)
                .satisfiesExactly(one -> assertThat(one).startsWith("60\tone/1\t00:0d:3a:00:00:01\t00000001"),
                        two -> assertThat(two).startsWith("1514\tone/1\t"), three -> assertThat(three)
                                .startsWith("9014\tone/1\t"), four -> assertThat(four).startsWith("15\ttwo/1\t"));
        List<String> times = dissect(file, "frame.time_epoch");
        double clock = System.currentTimeMillis() / 1000.0;
        assertThat(Double.parseDouble(times.getFirst())).isBetween(clock - 60, clock + 1);
    }

    @Test
    void aCaptureKeepsAsMuchOfAFrameAsAskedFor() throws Exception {
        Path file = folder.resolve("net.pcapng");
        link.startCapture(file, 64);
        a.pieces = 7;
        a.send(frame(B, A, 1, 1514), frame(B, A, 2, 60));
        awaitFrames(2);
        assertThat(link.stopCapture(file).bytes()).isEqualTo(124);
        assertThat(dissect(file, "frame.len", "frame.cap_len")).containsExactly("1514\t64", "60\t60");
    }

    @Test
    void aCaptureEndsWithAsManyFramesAsAskedFor() throws Exception {
        Path file = folder.resolve("net.pcapng");
        link.startCapture(file, 262_144, 3);
        a.send(frame(B, A, 1, 60), frame(B, A, 2, 61), frame(B, A, 3, 62), frame(B, A, 4, 63), frame(B, A, 5, 64));
        awaitFrames(5);
        while (!link.captures().getFirst().complete()) {
            Thread.onSpinWait();
        }
        CaptureStatus complete = link.captures().getFirst();
        assertThat(complete.frames()).isEqualTo(3);
        assertThat(complete.missed()).isZero();
        long size = Files.size(file);
        b.send(frame(A, B, 6, 60));
        awaitFrames(6);
        assertThat(link.stopCapture(file)).isEqualTo(complete);
        assertThat(file).hasSize(size);
        assertThat(dissect(file, "frame.len")).containsExactly("60", "61", "62");
    }

    @Test
    void whatIsCapturedCanBeReadWhileItGoesOn() throws Exception {
        Path file = folder.resolve("net.pcapng");
        link.startCapture(file, 1514);
        for (int i = 1; i <= 3; i++) {
            a.send(frame(B, A, i, 100));
            while (link.captures().getFirst().frames() < i) {
                Thread.onSpinWait();
            }
            assertThat(dissect(file, "frame.number")).hasSize(i);
        }
    }

    @Test
    void whatDoesNotFitIsMissedAndTheRestIsWhole() throws Exception {
        Path file = folder.resolve("net.pcapng");
        link.startCapture(file, 9014);
        byte[][] burst = new byte[100][];
        Arrays.setAll(burst, i -> frame(B, A, i, 9014));
        for (int i = 0; i < 60; i++) {
            a.send(burst);
        }
        awaitFrames(6000);
        CaptureStatus status = link.stopCapture(file);
        assertThat(status.problem()).isNull();
        assertThat(status.frames() + status.missed()).isEqualTo(6000);
        assertThat(dissect(file, "frame.len")).hasSize((int) status.frames()).containsOnly("9014");
    }

    @Test
    void severalAtOnceAndAllEndWithTheLink() throws Exception {
        for (int i = 0; i < 8; i++) {
            link.startCapture(folder.resolve(i + ".pcapng"), 100);
        }
        assertThatThrownBy(() -> link.startCapture(folder.resolve("9.pcapng"), 100))
                .isInstanceOfSatisfying(Refusal.class, no -> assertThat(no.errno()).isEqualTo(Errno.EBUSY));
        a.send(frame(B, A, 1, 60));
        awaitFrames(1);
        link.close();
        assertThat(dissect(folder.resolve("7.pcapng"), "frame.len")).containsExactly("60");
        assertThat(link.captures()).isEmpty();
    }

    @Test
    void refusalsSayWhyAndLeaveNothingBehind() throws Exception {
        Path there = Files.writeString(folder.resolve("there"), "mine");
        refused(there, 100, Errno.EEXIST, "there already");
        assertThat(there).hasContent("mine");
        refused(folder.resolve("no/folder.pcapng"), 100, Errno.ENOENT, "folder");
        refused(folder.resolve("small"), 13, Errno.EINVAL, "13");
        refused(folder.resolve("large"), 262_145, Errno.EINVAL, "262145");
        assertThat(folder.resolve("small")).doesNotExist();
        assertThatThrownBy(() -> link.stopCapture(there)).isInstanceOfSatisfying(Refusal.class,
                no -> assertThat(no.errno()).isEqualTo(Errno.ENOENT)).hasMessageContaining("none under way");
        link.startCapture(folder.resolve("one.pcapng"), 100);
        assertThatThrownBy(() -> link.stopCapture(there)).hasMessageContaining("one.pcapng");
        assertThat(link.stopCapture(folder.resolve("x/../one.pcapng")).frames()).isZero();
    }

    private void refused(Path file, int snap, Errno errno, String word) {
        assertThatThrownBy(() -> link.startCapture(file, snap)).isInstanceOfSatisfying(Refusal.class,
                no -> assertThat(no.errno()).isEqualTo(errno)).hasMessageContaining(word);
    }

    /** However many frames are written at once. */
    @ParameterizedTest
    @ValueSource(ints = {2, 120})
    void aFullDiskEndsTheCaptureAfterItsLastWholeFrameAndNotTheLink(int burst) throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "a small disk is mounted by root only");
        Path disk = Files.createDirectory(folder.resolve("disk"));
        Namespace.run("mount", "-t", "tmpfs", "-o", "size=96k", "tmpfs", disk.toString());
        try {
            Path file = disk.resolve("net.pcapng");
            link.startCapture(file, 2000);
            int sent = 0;
            while (link.captures().getFirst().problem() == null) {
                byte[][] frames = new byte[burst][];
                for (int i = 0; i < burst; i++) {
                    frames[i] = frame(B, A, sent++, 1514);
                }
                a.send(frames);
                awaitFrames(sent);
            }
            assertThat(link.captures().getFirst().problem()).contains("ended early").contains("No space left");
            assertThat(link.status().problems()).contains(link.captures().getFirst().problem());
            a.send(frame(B, A, 1, 60));
            awaitFrames(sent + 1);
            CaptureStatus status = link.stopCapture(file);
            assertThat(status.frames() + status.missed()).isEqualTo(sent + 1);
            // the disk holds 24 pages
            assertThat(status.frames()).isBetween(60L, 64L);
            assertThat(dissect(file, "frame.len")).hasSize((int) status.frames()).containsOnly("1514");
        } finally {
            a.wire().close();
            link.close();
            Namespace.run("umount", disk.toString());
        }
    }
}
