package io.manafold.inet.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.fabric.CaptureStatus;
import io.manafold.api.inet.PingPlan;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class CaptureDeskTest {
    private static final int ENHANCED_PACKET = 6;

    private final Pair pair = new Pair();
    private final CaptureDesk desk = new CaptureDesk();

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
    void refusals() throws Exception {
        desk.addDevice(pair.a);
        refused(Errno.ENODEV, () -> desk.start("mana7", folder.resolve("x"), 100));
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

    private static void refused(Errno errno, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(Refusal.class, e -> assertThat(e.errno()).isEqualTo(errno));
    }
}
