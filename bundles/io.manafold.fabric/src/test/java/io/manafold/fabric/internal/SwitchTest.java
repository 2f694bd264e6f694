package io.manafold.fabric.internal;

import static io.manafold.fabric.internal.Station.frame;
import static io.manafold.fabric.internal.Station.number;
import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.fabric.Impairments;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class SwitchTest {
    private static final long A = 0x000d3a000001L;
    private static final long B = 0x000d3a000002L;
    private static final long C = 0x000d3a000003L;
    private static final long ALL = 0xffffffffffffL;

    private FabricLink link;
    private Station a;
    private Station b;
    private Station c;

    @BeforeEach
    void plugIn() {
        link = FabricLink.open(new LinkPlan("net", LinkPlan.Kind.SWITCH, List.of("one/1", "two/1", "two/2"), null,
                Impairments.NONE));
        a = Station.on(link, "one/1");
        b = Station.on(link, "two/1");
        c = Station.on(link, "two/2");
    }

    @AfterEach
    void unplug() {
        a.close();
        b.close();
        c.close();
        link.close();
    }

    @Test
    void whatIsNotKnownGoesEverywhereButBack() throws Exception {
        a.send(frame(B, A, 1, 64));
        assertThat(number(b.next())).isEqualTo(1);
        assertThat(number(c.next())).isEqualTo(1);
        assertThat(a.waiting()).isZero();
        // what arrives is counted a moment later
        Station.until(() -> link.status().counters().get("delivered") == 2);
        assertThat(link.status().counters()).containsEntry("flooded", 1L).containsEntry("frames", 1L)
                .containsEntry("bytes", 64L).containsEntry("delivered", 2L);
    }

    @Test
    void whatWasHeardIsSentToItsJackAlone() throws Exception {
        b.send(frame(ALL, B, 0, 60));
        a.next();
        c.next();
        a.send(frame(B, A, 1, 64), frame(B, A, 2, 64), frame(ALL, A, 3, 64), frame(B, A, 4, 64));
        assertThat(b.take(4)).extracting(Station::number).containsExactly(1, 2, 3, 4);
        assertThat(number(c.next())).isEqualTo(3);
        assertThat(c.waiting()).isZero();
        assertThat(link.status().stations()).containsEntry("00:0d:3a:00:00:01", "one/1")
                .containsEntry("00:0d:3a:00:00:02", "two/1").hasSize(2);
    }

    /** Their sender may have written other addresses since it has read them. */
    @Test
    void framesThatRepeatAddressesGoWhereTheOneBeforeThemGoes() throws Exception {
        b.send(frame(ALL, B, 0, 60));
        a.next();
        c.next();
        a.repeating = true;
        a.send(frame(B, A, 1, 64), frame(C, A, 2, 64), frame(ALL, C, 3, 64));
        assertThat(b.take(3)).extracting(Station::number).containsExactly(1, 2, 3);
        assertThat(c.waiting()).isZero();
        assertThat(link.status().stations()).containsEntry("00:0d:3a:00:00:01", "one/1").hasSize(2);
        a.send(frame(A, A, 4, 60), frame(B, A, 5, 64));
        assertThat(number(b.next())).as("behind one that goes nowhere a frame is read").isEqualTo(5);
        assertThat(link.status().counters()).containsEntry("filtered", 1L);
    }

    @Test
    void anAddressIsReadAcrossPieces() throws Exception {
        b.send(frame(ALL, B, 0, 60));
        a.next();
        c.next();
        for (int pieces : new int[] {60, 30, 7, 2}) {
            a.pieces = pieces;
            a.send(frame(B, A, pieces, 60));
            assertThat(b.next()).isEqualTo(frame(B, A, pieces, 60));
        }
        assertThat(c.waiting()).isZero();
    }

    @Test
    void aStationThatMovesIsFoundAtItsNewPlaceAtOnce() throws Exception {
        b.send(frame(ALL, B, 0, 60));
        a.next();
        c.next();
        c.send(frame(ALL, B, 0, 60));
        a.next();
        b.next();
        a.send(frame(B, A, 1, 60));
        assertThat(number(c.next())).isEqualTo(1);
        b.send(frame(ALL, B, 2, 60));
        a.next();
        c.next();
        a.send(frame(B, A, 3, 60));
        assertThat(number(b.next())).isEqualTo(3);
        assertThat(c.waiting()).isZero();
        assertThat(link.status().counters()).containsEntry("moved", 2L);
    }

    @Test
    void nothingGoesBackToItsSenderAndRuntsGoNowhere() throws Exception {
        a.send(frame(ALL, A, 0, 60));
        b.next();
        c.next();
        a.send(frame(A, A, 1, 60), new byte[13], new byte[1], frame(ALL, A, 2, 14));
        assertThat(b.next()).hasSize(14);
        assertThat(c.next()).hasSize(14);
        assertThat(a.waiting() + b.waiting() + c.waiting()).isZero();
        assertThat(link.status().counters()).containsEntry("filtered", 1L).containsEntry("runts", 2L);
    }

    @Test
    void anUnpluggedPortIsForgottenAndItsFramesFloodAgain() throws Exception {
        b.send(frame(ALL, B, 0, 60));
        a.next();
        c.next();
        b.unplug();
        a.send(frame(B, A, 1, 60));
        assertThat(number(c.next())).isEqualTo(1);
        b.plugInto(link);
        a.send(frame(B, A, 2, 60));
        assertThat(number(b.next())).isEqualTo(2);
        assertThat(link.status().stations()).doesNotContainKey("00:0d:3a:00:00:02");
    }

    @Test
    void groupsAndNobodyAreNeverLearned() throws Exception {
        a.send(frame(ALL, ALL, 0, 60), frame(ALL, 0, 1, 60), frame(ALL, 0x333300000001L, 2, 60));
        b.take(3);
        c.take(3);
        assertThat(link.status().stations()).isEmpty();
    }

    @Test
    void everyFrameArrivesWhereAModelSays() throws Exception {
        Random random = new Random(77);
        Station[] stations = {a, b, c};
        List<List<Integer>> expected = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        Map<Long, Integer> heard = new HashMap<>();
        int number = 0;
        for (int round = 0; round < 400; round++) {
            int from = random.nextInt(3);
            byte[][] frames = new byte[1 + random.nextInt(40)][];
            for (int i = 0; i < frames.length; i++) {
                long source = 0x020000000000L + random.nextInt(12);
                // the last one reaches a port, so that the next burst does not overtake this one
                boolean all = i == frames.length - 1 || random.nextInt(4) == 0;
                long destination = all ? ALL : 0x020000000000L + random.nextInt(14);
                frames[i] = frame(destination, source, ++number, 18 + random.nextInt(200));
                heard.put(source, from);
                Integer place = heard.get(destination);
                for (int to = 0; to < 3; to++) {
                    if (to != from && (place == null || place == to)) {
                        expected.get(to).add(number);
                    }
                }
            }
            stations[from].pieces = 1 + random.nextInt(5);
            stations[from].send(frames);
            for (int to = 0; to < 3; to++) {
                assertThat(stations[to].take(expected.get(to).size())).extracting(Station::number)
                        .isEqualTo(expected.get(to));
                expected.get(to).clear();
            }
        }
        assertThat(a.waiting() + b.waiting() + c.waiting()).isZero();
        assertThat(link.status().problems()).isEmpty();
    }
}
