package io.manafold.fabric.internal;

import static io.manafold.fabric.internal.Station.frame;
import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.fabric.Impairments;
import io.manafold.api.fabric.LinkStatus;
import io.manafold.api.fabric.Queueing;
import io.manafold.packet.PauseFrame;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Links at work, with an agent of their own. */
@Timeout(300)
class RatedLinkTest {
    private static final long A = 0x000d3a000001L;
    private static final long B = 0x000d3a000002L;

    @TempDir
    Path folder;

    private static FabricLink open(LinkPlan.Kind kind, Queueing queueing) {
        return FabricLink.open(new LinkPlan("net", kind, List.of("a/1", "b/1"), null, Impairments.NONE, queueing));
    }

    private static byte[] pause() {
        byte[] frame = new byte[PauseFrame.LENGTH];
        PauseFrame.write(frame, 0, A, 0xff, 0);
        return frame;
    }

    @ParameterizedTest
    @EnumSource(names = {"SWITCH", "DIRECT"})
    void framesTakeTheirTime(LinkPlan.Kind kind) throws Exception {
        try (FabricLink link = open(kind, new Queueing(8_000_000, 1 << 20, 0, 0, 0, 0, 0, 0));
                Station a = Station.on(link, "a/1"); Station b = Station.on(link, "b/1")) {
            assertThat(a.wire().rate()).isEqualTo(8_000_000);
            long before = System.nanoTime();
            a.send(frame(B, A, 1, 1000), frame(B, A, 2, 1000), frame(B, A, 3, 1000));
            b.send(frame(A, B, 4, 1000));
            assertThat(b.take(3)).extracting(Station::number).containsExactly(1, 2, 3);
            assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(3_000_000);
            assertThat(a.next()).isEqualTo(frame(A, B, 4, 1000));
            // what arrives is counted a moment later
            Station.until(() -> link.status().queues().stream().allMatch(queue -> queue.bytes() == 0)
                    && link.status().counters().get("delivered") == 4);
            assertThat(link.status().queues()).extracting(LinkStatus.QueueStatus::bytes).containsOnly(0L);
            assertThat(link.status().queues().getLast().highest()).isEqualTo(3000);
            assertThat(link.status().counters()).containsEntry("copied", 4L).containsEntry("delivered", 4L);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SWITCH", "DIRECT"})
    void noPauseFrameOfAPortIsPassedOn(LinkPlan.Kind kind) throws Exception {
        for (Queueing queueing : Arrays.asList(null, new Queueing(1_000_000_000, 1 << 20, 0, 0, 0, 0, 0, 0))) {
            try (FabricLink link = open(kind, queueing); Station a = Station.on(link, "a/1");
                    Station b = Station.on(link, "b/1")) {
                assertThat(a.wire().rate()).isEqualTo(queueing == null ? 0 : 1_000_000_000);
                for (int pieces : new int[] {1, 5, 60}) {
                    a.pieces = pieces;
                    a.send(frame(B, A, 1, 60), pause(), frame(B, A, 2, 60), frame(B, A, 3, 14), pause(), pause());
                    assertThat(b.take(3)).containsExactly(frame(B, A, 1, 60), frame(B, A, 2, 60), frame(B, A, 3, 14));
                }
                a.send(frame(B, A, 9, 60));
                assertThat(Station.number(b.next())).isEqualTo(9);
                assertThat(b.waiting()).isZero();
                assertThat(link.status().counters()).containsEntry("filtered", 9L);
            }
        }
    }

    /** A sender may write other addresses once it has said that a frame repeats those before it. */
    @Test
    void aFrameThatRepeatsAPauseFrameIsNotPassedOnByACable() throws Exception {
        try (FabricLink link = open(LinkPlan.Kind.DIRECT, null); Station a = Station.on(link, "a/1");
                Station b = Station.on(link, "b/1")) {
            a.repeating = true;
            a.send(pause(), pause(), frame(B, A, 1, 60), frame(B, A, 2, 60));
            assertThat(b.take(2)).containsExactly(frame(B, A, 1, 60), frame(B, A, 2, 60));
            assertThat(link.status().counters()).containsEntry("filtered", 2L);
        }
    }

    @Test
    void pauseFramesAreFramesThatCapturesSee() throws Exception {
        Path file = folder.resolve("net.pcapng");
        try (FabricLink link = open(LinkPlan.Kind.SWITCH, new Queueing(8_000_000, 1 << 20, 0, 0, 0, 1 << 3, 2_000,
                500));
                Station a = Station.on(link, "a/1"); Station b = Station.on(link, "b/1")) {
            link.startCapture(file, 100);
            byte[] packet = Packets.roce(4, 26, 0, 4, 1, 1, 940);
            a.send(packet, packet, packet);
            PauseFrame pause = new PauseFrame();
            byte[] first = a.next();
            assertThat(pause.parse(first, 0, first.length)).isTrue();
            assertThat(pause.quanta(3)).isEqualTo(PauseFrame.MOST_QUANTA);
            byte[] second = a.next();
            assertThat(pause.parse(second, 0, second.length)).isTrue();
            assertThat(pause.tells(3)).isTrue();
            assertThat(pause.quanta(3)).isZero();
            assertThat(b.take(3)).containsOnly(packet);
            link.stopCapture(file);
            assertThat(link.status().queues()).extracting(LinkStatus.QueueStatus::pauses).containsExactly(2L, 0L);
            String captured = HexFormat.of().formatHex(Files.readAllBytes(file));
            assertThat(captured).contains(HexFormat.of().formatHex(first)).contains(HexFormat.of().formatHex(second));
        }
    }

    @Test
    void marksComeWithTheLinksSeed() throws Exception {
        String[] runs = new String[3];
        long[] seeds = {7, 7, 8};
        for (int run = 0; run < runs.length; run++) {
            try (FabricLink link = FabricLink.open(new LinkPlan("net", LinkPlan.Kind.DIRECT, List.of("a/1", "b/1"),
                    null, new Impairments(0, 0, 0, 0, seeds[run]),
                    new Queueing(8_000_000, 1 << 20, 0, 100_000, 100, 0, 0, 0)));
                    Station a = Station.on(link, "a/1"); Station b = Station.on(link, "b/1")) {
                byte[][] burst = new byte[60][];
                Arrays.fill(burst, Packets.roce(4, 26, Packets.ECT, 4, 1, 1, 1000));
                a.send(burst);
                StringBuilder marked = new StringBuilder();
                for (byte[] packet : b.take(burst.length)) {
                    marked.append(Packets.ecn(packet));
                }
                runs[run] = marked.toString();
                long count = marked.chars().filter(ecn -> ecn == '3').count();
                assertThat(count).isBetween(10L, 35L);
                assertThat(link.status().queues().getLast().marked()).isEqualTo(count);
                assertThat(link.status().counters()).containsAllEntriesOf(Map.of("lost", 0L, "frames", 60L));
            }
        }
        assertThat(runs[1]).isEqualTo(runs[0]);
        assertThat(runs[2]).isNotEqualTo(runs[0]);
    }
}
