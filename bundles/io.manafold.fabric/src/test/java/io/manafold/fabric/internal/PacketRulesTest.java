package io.manafold.fabric.internal;

import static io.manafold.api.fabric.PacketRule.ANY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.agent.DutyCycle;
import io.manafold.api.fabric.Frames;
import io.manafold.api.fabric.Impairments;
import io.manafold.api.fabric.PacketRule;
import io.manafold.api.fabric.PacketRule.Action;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
class PacketRulesTest {
    private static final int ALL_MARKS = 7;

    private record Arrival(byte[] bytes, int marks, long time) {
        /** The packet sequence number, of a packet with 40 bytes behind its header. */
        int sequence() {
            return bytes[bytes.length - 41] & 0xff;
        }
    }

    private final Packets packets = new Packets();
    private final List<Arrival> arrived = new ArrayList<>();
    private final Jack[] jacks = {new Jack("a/1", 0), new Jack("b/1", 1)};
    private final Counters counters = new Counters();
    private final LateFrames late = new LateFrames();
    private final AlteredFrame altered = new AlteredFrame();
    private long now = 1_000;
    private final Impairing impairing = new Impairing(jacks, new Forwarding() {
        @Override
        public void forward(Jack from, Frames frames, int begin, int end) {
            for (int frame = begin; frame < end; frame++) {
                arrived.add(new Arrival(Packets.bytes(frames, frame), frames.marks(frame), now));
            }
        }

        @Override
        public void forget(Jack jack) {
            // remembers nothing
        }

        @Override
        public Map<String, String> stations() {
            return Map.of();
        }
    }, counters, () -> now);
    private final PacketRules rules = new PacketRules(jacks, impairing, counters, () -> now);
    private ActiveRule[] active = {};

    @AfterEach
    void close() {
        packets.close();
        late.close();
        altered.close();
    }

    private void use(PacketRule... wanted) {
        active = Arrays.stream(wanted).map(ActiveRule::new).toArray(ActiveRule[]::new);
        altered.start(1);
        rules.use(active, late, altered);
        arrived.clear();
    }

    private static PacketRule every(Action action, long count) {
        return new PacketRule(ANY, ANY, ANY, ANY, action, 0, count);
    }

    private static PacketRule sequence(int sequence, Action action, long delay) {
        return new PacketRule(ANY, sequence, ANY, ANY, action, delay, 0);
    }

    private static byte[] packet(int sequence) {
        return Packets.roce(4, 26, Packets.ECT, 4, 0x101, sequence, 36);
    }

    private void pass(Jack from, int pieces, byte[]... frames) {
        packets.clear();
        for (byte[] frame : frames) {
            packets.add(frame, ALL_MARKS, pieces);
        }
        rules.pass(from, packets.all(), frames.length);
        for (int frame = 0; frame < frames.length; frame++) {
            assertThat(Packets.bytes(packets.all(), frame)).as("the sender's memory").isEqualTo(frames[frame]);
        }
        packets.overwrite();
    }

    private List<Integer> order(byte[]... frames) {
        pass(jacks[0], 1, frames);
        settle();
        return arrived.stream().map(Arrival::sequence).toList();
    }

    private void settle() {
        while (rules.restNanos() != DutyCycle.UNTIL_WOKEN) {
            now += rules.restNanos();
            rules.release();
        }
    }

    private static byte[][] packets(int count) {
        byte[][] all = new byte[count][];
        Arrays.setAll(all, PacketRulesTest::packet);
        return all;
    }

    @Test
    void aRuleFitsByEveryFieldAlone() {
        byte[] good = Packets.roce(4, 26, 1, 0x11, 0x123456, 0xfedcba, 4);
        for (int version : new int[] {4, 6}) {
            byte[] same = Packets.roce(version, 26, 1, 0x11, 0x123456, 0xfedcba, 4);
            byte[][] others = {Packets.roce(version, 26, 1, 0x11, 0x123457, 0xfedcba, 4),
                Packets.roce(version, 26, 1, 0x11, 0x123456, 0xfedcbb, 4),
                Packets.roce(version, 26, 1, 0x10, 0x123456, 0xfedcba, 4),
                Packets.roce(version, 26, 2, 0x11, 0x123456, 0xfedcba, 4)};
            PacketRule[] each = {new PacketRule(0x123456, ANY, ANY, ANY, Action.DROP, 0, 0),
                new PacketRule(ANY, 0xfedcba, ANY, ANY, Action.DROP, 0, 0),
                new PacketRule(ANY, ANY, 0x11, ANY, Action.DROP, 0, 0),
                new PacketRule(ANY, ANY, ANY, 1, Action.DROP, 0, 0)};
            for (int field = 0; field < each.length; field++) {
                for (int pieces : new int[] {1, 2, 7, 50}) {
                    use(each[field]);
                    pass(jacks[0], pieces, others[field], same, Packets.tagged(same, 3));
                    assertThat(arrived).as("field " + field + " in " + pieces).singleElement()
                            .satisfies(one -> assertThat(one.bytes()).isEqualTo(others[Arrays.asList(each)
                                    .indexOf(active[0].rule)]));
                    assertThat(active[0].status().matched()).isEqualTo(2);
                }
            }
        }
        use(every(Action.DROP, 0));
        byte[] otherPort = good.clone();
        otherPort[37] ^= 1;
        byte[] tcp = good.clone();
        tcp[23] = 6;
        byte[] fragment = good.clone();
        fragment[21] = 1;
        pass(jacks[0], 1, otherPort, tcp, fragment, Station.frame(1, 2, 3, 80));
        assertThat(arrived).hasSize(4);
    }

    @Test
    void theFirstRuleThatFitsCountsUntilItIsSpent() {
        use(every(Action.DROP, 2), sequence(3, Action.DUPLICATE, 0), every(Action.DROP, 1));
        assertThat(order(packets(6))).containsExactly(3, 3, 4, 5);
        assertThat(Arrays.stream(active).map(rule -> rule.status().matched())).containsExactly(2L, 1L, 1L);
        assertThat(counters.lost.get()).isEqualTo(3);
        assertThat(counters.duplicated.get()).isOne();
    }

    @Test
    void aPacketArrivesAfterItsSuccessorOfTheSamePort() {
        use(sequence(2, Action.REORDER, 0));
        assertThat(order(packets(5))).containsExactly(0, 1, 3, 2, 4);
        arrived.clear();
        pass(jacks[0], 1, packet(2));
        pass(jacks[1], 1, packet(7), packet(2));
        assertThat(arrived).extracting(Arrival::sequence).containsExactly(7);
        pass(jacks[0], 3, Station.frame(1, 2, 3, 100));
        assertThat(arrived).hasSize(3);
        assertThat(arrived.getLast().bytes()).isEqualTo(packet(2));
        assertThat(arrived.getLast().marks()).isEqualTo(ALL_MARKS);
        long before = now;
        settle();
        assertThat(arrived).hasSize(4);
        assertThat(now - before).as("without a successor").isEqualTo(Impairing.LONGEST_HOLD_NANOS);
        use(every(Action.REORDER, 0));
        assertThat(order(packets(4))).containsExactly(1, 0, 3, 2);
    }

    @Test
    void aPacketArrivesLaterThanOthers() {
        use(sequence(1, Action.DELAY, 5_000), sequence(2, Action.DELAY, 3_000));
        long start = now;
        assertThat(order(packets(5))).containsExactly(0, 3, 4, 2, 1);
        assertThat(arrived.get(3).time() - start).isEqualTo(3_000);
        assertThat(arrived.get(4).time() - start).isEqualTo(5_000);
        assertThat(arrived.get(4)).satisfies(one -> assertThat(one.bytes()).isEqualTo(packet(1)))
                .satisfies(one -> assertThat(one.marks()).isEqualTo(ALL_MARKS));
        pass(jacks[0], 1, packet(1));
        rules.use(new ActiveRule[0], late, altered);
        arrived.clear();
        pass(jacks[0], 1, packet(1));
        settle();
        assertThat(arrived).as("with the rule gone it still comes").hasSize(2);
    }

    @Test
    void morePacketsThanPlacesAreCounted() {
        use(new PacketRule(ANY, ANY, ANY, ANY, Action.DELAY, 1000, 0));
        for (int i = 0; i < LateFrames.FRAMES + 5; i++) {
            pass(jacks[0], 1, packet(i));
        }
        assertThat(counters.overflow.get()).isEqualTo(5);
        settle();
        assertThat(arrived).extracting(Arrival::sequence)
                .containsExactlyElementsOf(IntStream.range(0, LateFrames.FRAMES).boxed().toList());
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 6})
    void aPacketIsMarkedInACopy(int version) {
        use(every(Action.MARK_CE, 0));
        for (int ecn = 0; ecn < 4; ecn++) {
            arrived.clear();
            byte[] frame = Packets.roce(version, 26, ecn, 4, 1, 1, 36);
            pass(jacks[0], 3, frame);
            byte[] marked = arrived.getFirst().bytes();
            assertThat(Packets.ecn(marked)).isEqualTo(3);
            assertThat(version == 6 || Packets.isGood(marked, 14)).isTrue();
            assertThat(arrived.getFirst().marks()).as("nothing is damaged").isEqualTo(ALL_MARKS);
        }
    }

    @Test
    void aPacketIsDamagedInACopyAndLosesItsMarks() {
        use(every(Action.CORRUPT, 0));
        Random random = new Random(3);
        int[] places = new int[200];
        for (int i = 0; i < 2000; i++) {
            arrived.clear();
            byte[] frame = Packets.roce(4, 26, 0, 4, 1, i & 0xff, random.nextInt(60));
            byte[] padded = Arrays.copyOf(frame, Math.max(60, frame.length) + i % 3);
            pass(jacks[0], 1 + i % 4, padded);
            byte[] damaged = arrived.getFirst().bytes();
            assertThat(arrived.getFirst().marks()).isZero();
            assertThat(damaged).hasSameSizeAs(padded);
            int bits = 0;
            for (int at = 0; at < damaged.length; at++) {
                int difference = Integer.bitCount((damaged[at] ^ padded[at]) & 0xff);
                bits += difference;
                if (difference > 0) {
                    assertThat(at).as("behind the headers, not in the padding").isBetween(54, frame.length - 1);
                    places[at]++;
                }
            }
            assertThat(bits).isOne();
        }
        assertThat(Arrays.stream(places).filter(count -> count > 0).count()).isGreaterThan(40);
        use(every(Action.CORRUPT, 0));
        pass(jacks[0], 1, packet(1));
        byte[] first = arrived.getFirst().bytes();
        use(every(Action.CORRUPT, 0));
        pass(jacks[0], 1, packet(1));
        assertThat(arrived.getFirst().bytes()).as("the same seed, the same bit").isEqualTo(first);
    }

    @Test
    void noBytesMakeItFail() {
        use(sequence(1, Action.CORRUPT, 0), sequence(2, Action.MARK_CE, 0), sequence(3, Action.REORDER, 0),
                sequence(4, Action.DELAY, 10), sequence(5, Action.DUPLICATE, 0));
        Random random = new Random(8);
        byte[][] starts = {packet(1), packet(2), packet(3), Packets.roce(6, 1, 1, 4, 1, 1, 36),
            Packets.tagged(packet(4), 1), Packets.roce(6, 1, 1, 4, 1, 2, 0), Packets.roce(4, 1, 1, 4, 1, 1, 0)};
        int sent = 0;
        for (int i = 0; i < 100_000; i++) {
            byte[] start = starts[random.nextInt(starts.length)];
            byte[] bytes = Arrays.copyOf(start, random.nextInt(4) > 0 ? start.length : 1 + random.nextInt(90));
            for (int flips = random.nextInt(4); flips > 0; flips--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            pass(jacks[i & 1], 1 + random.nextInt(Math.min(6, bytes.length)), bytes);
            sent++;
            now += 10;
            rules.release();
        }
        settle();
        assertThat(arrived.size()).isEqualTo(sent + (int) counters.duplicated.get());
        for (ActiveRule rule : active) {
            assertThat(rule.status().matched()).isPositive();
        }
        assertThat(late.isEmpty()).isTrue();
    }

    @Test
    void aLinkHasSoManyRulesAndNoMore() throws Exception {
        try (FabricLink link = FabricLink.open(new LinkPlan("net", LinkPlan.Kind.SWITCH, List.of("a/1", "b/1"), null,
                Impairments.NONE)); Station a = Station.on(link, "a/1"); Station b = Station.on(link, "b/1")) {
            for (int i = 0; i < PacketRule.MOST; i++) {
                link.impair(sequence(i, i % 2 == 0 ? Action.DROP : Action.DUPLICATE, 0));
            }
            assertThatThrownBy(() -> link.impair(every(Action.DROP, 0))).isInstanceOfSatisfying(Refusal.class,
                    no -> assertThat(no.errno()).isEqualTo(Errno.ENOSPC)).hasMessageContaining("64 rules");
            a.send(packet(10), packet(11), packet(12), packet(99));
            assertThat(b.take(3)).containsExactly(packet(11), packet(11), packet(99));
            assertThat(link.status().rules()).hasSize(PacketRule.MOST);
            assertThat(link.status().rules().get(11).matched()).isOne();
            assertThat(link.status().rules().get(13).matched()).isZero();
            link.clearRules();
            a.send(packet(10));
            assertThat(b.next()).isEqualTo(packet(10));
            assertThat(link.status().rules()).isEmpty();
            assertThat(link.status().problems()).isEmpty();
        }
    }
}
