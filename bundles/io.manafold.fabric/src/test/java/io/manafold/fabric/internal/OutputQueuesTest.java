package io.manafold.fabric.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.agent.DutyCycle;
import io.manafold.api.fabric.Frames;
import io.manafold.api.fabric.LinkStatus.QueueStatus;
import io.manafold.api.fabric.Plug;
import io.manafold.api.fabric.Queueing;
import io.manafold.packet.PauseFrame;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Queues with the time passed in: two senders, one receiver. */
@Timeout(300)
class OutputQueuesTest {
    private static final long GIGABIT = 1_000_000_000;
    private static final int DSCP = 26;
    private static final int RECEIVER = 2;

    /** Notes what arrives, and whether it has been asked to stop. */
    private final class Port implements Plug {
        final String name;
        final List<byte[]> arrived = new ArrayList<>();
        final List<Long> times = new ArrayList<>();
        final List<Integer> marks = new ArrayList<>();
        final PauseFrame pause = new PauseFrame();
        /** Until when it does not send frames of class 3. */
        long until;
        int pauses;

        Port(String name) {
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public int doWork() {
            return 0;
        }

        @Override
        public void receive(Frames frames, int from, int to) {
            for (int frame = from; frame < to; frame++) {
                byte[] bytes = Packets.bytes(frames, frame);
                if (frames.marks(frame) == Frames.PAUSE && pause.parse(bytes, 0, bytes.length)) {
                    pauses++;
                    until = now + PauseFrame.nanos(pause.quanta(3), GIGABIT);
                    continue;
                }
                arrived.add(bytes);
                times.add(now);
                marks.add(frames.marks(frame));
            }
        }
    }

    private final Packets packets = new Packets();
    private final Counters counters = new Counters();
    private final Jack[] jacks = {new Jack("a/1", 0), new Jack("b/1", 1), new Jack("c/1", 2)};
    private final Port[] ports = {new Port("a/1"), new Port("b/1"), new Port("c/1")};
    private final Core core = new Core("net", counters);
    private OutputQueues queues;
    private long now = 5_000_000_000L;

    private void open(Queueing queueing) {
        close();
        queues = new OutputQueues(jacks, 3, queueing, core, counters, () -> now);
        queues.start(1);
        Impairing none = new Impairing(jacks, new Cable(jacks[0], jacks[1], queues, counters), counters, () -> now);
        core.use(new PacketRules(jacks, none, counters, () -> now), none,
                new Captures("net", List.of("a/1", "b/1", "c/1"), counters), queues);
        for (int place = 0; place < jacks.length; place++) {
            ports[place] = new Port(jacks[place].name);
            jacks[place].connection = new Connection(jacks[place], ports[place], false, core, null, queueing.rate());
        }
    }

    @AfterEach
    void close() {
        if (queues != null) {
            queues.close();
            queues = null;
        }
    }

    private void send(int from, byte[] frame, int marks, int pieces) {
        packets.clear().add(frame, marks, pieces);
        queues.deliver(jacks[from], jacks[RECEIVER], packets.all(), 0, 1);
        packets.overwrite();
    }

    private void drain() {
        while (queues.restNanos() != DutyCycle.UNTIL_WOKEN) {
            now += queues.restNanos();
            queues.release();
        }
    }

    private QueueStatus status(int place) {
        return queues.status().get(place);
    }

    private static Queueing plain(long buffer) {
        return new Queueing(GIGABIT, buffer, 0, 0, 0, 0, 0, 0);
    }

    @Test
    void framesArriveWholeInOrderAndNeverFasterThanTheRate() {
        open(plain(1 << 20));
        List<byte[]> sent = new ArrayList<>();
        long start = now;
        for (int i = 0; i < 300; i++) {
            byte[] frame = Packets.roce(4 + i % 2 * 2, i % 64, i % 4, i & 0x1f, i, i, i * 7 % 1400);
            sent.add(frame);
            send(i % 2, frame, i & 7, 1 + i % 5);
        }
        assertThat(ports[RECEIVER].arrived).isEmpty();
        drain();
        assertThat(ports[RECEIVER].arrived).hasSize(300);
        long bits = 0;
        for (int i = 0; i < 300; i++) {
            assertThat(ports[RECEIVER].arrived.get(i)).isEqualTo(sent.get(i));
            assertThat(ports[RECEIVER].marks.get(i)).isEqualTo(i & 7);
            bits += 8L * Math.max(64, sent.get(i).length);
            assertThat(ports[RECEIVER].times.get(i) - start).as("frame " + i).isEqualTo(bits);
        }
        assertThat(counters.copied.get()).isEqualTo(300);
        assertThat(status(RECEIVER).bytes()).isZero();
        assertThat(status(RECEIVER).highest()).isEqualTo(bits / 8);
    }

    @Test
    void aQueueThatIsFullDropsAndOthersDoNot() {
        open(plain(16_384));
        byte[] frame = Packets.roce(4, 0, 0, 4, 1, 1, 1000);
        int fit = 16_384 / frame.length;
        for (int i = 0; i < 40; i++) {
            send(0, frame, 0, 1);
        }
        packets.clear().add(frame, 0, 2);
        queues.deliver(jacks[RECEIVER], jacks[0], packets.all(), 0, 1);
        assertThat(status(RECEIVER)).isEqualTo(new QueueStatus("c/1", (long) fit * frame.length,
                (long) fit * frame.length, 40 - fit, 0, 0));
        assertThat(status(0).dropped()).isZero();
        drain();
        assertThat(ports[RECEIVER].arrived).hasSize(fit);
        assertThat(ports[0].arrived).containsExactly(frame);
    }

    @Test
    void aLateAgentCatchesUpInBoundedBursts() {
        open(plain(1 << 20));
        byte[] frame = Packets.roce(4, 0, 0, 4, 1, 1, 1000);
        for (int i = 0; i < 600; i++) {
            send(0, frame, 0, 1);
        }
        now += 1_000_000_000;
        int most = 0;
        int total = 0;
        for (int done = queues.release(); done > 0; done = queues.release()) {
            most = Math.max(most, done);
            total += done;
        }
        assertThat(most).isEqualTo(64);
        assertThat(total * 8L * frame.length).isBetween(PaceClock.LONGEST_CATCH_UP_NANOS - 8L * frame.length,
                PaceClock.LONGEST_CATCH_UP_NANOS);
    }

    @Test
    void onlyCapablePacketsAreMarkedAndTheShareGrowsWithTheQueue() {
        open(new Queueing(GIGABIT, 1 << 20, 100_000, 500_000, 50, 0, 0, 0));
        int capable = 0;
        int other = 0;
        for (int i = 0; i < 2000; i++) {
            int ecn = i % 4;
            send(0, Packets.roce(i % 8 < 4 ? 4 : 6, DSCP, ecn, 4, 1, i, 270), 7, 1);
            capable += ecn == 1 || ecn == 2 ? 1 : 0;
            other += ecn == 0 ? 1 : 0;
        }
        drain();
        int markedLow = 0;
        int markedHigh = 0;
        long before = 0;
        for (byte[] frame : ports[RECEIVER].arrived) {
            int sequence = frame[frame.length - 270 - 4 - 2] << 8 & 0xff00 | frame[frame.length - 270 - 4 - 1] & 0xff;
            int sentEcn = sequence % 4;
            int ecn = Packets.ecn(frame);
            if (frame[12] == 8) {
                assertThat(Packets.isGood(frame, 14)).isTrue();
            }
            if (sentEcn == 0 || sentEcn == 3) {
                assertThat(ecn).isEqualTo(sentEcn);
            } else if (before <= 100_000) {
                assertThat(ecn).isEqualTo(sentEcn);
            } else if (before > 500_000) {
                assertThat(ecn).isEqualTo(3);
            } else if (ecn == 3) {
                markedLow += before < 300_000 ? 1 : 0;
                markedHigh += before < 300_000 ? 0 : 1;
            }
            before += frame.length;
        }
        // about 320 capable packets in each half of the slope: 12.5 % and 37.5 %
        assertThat(markedLow).isBetween(20, 65);
        assertThat(markedHigh).isBetween(85, 160);
        assertThat(ports[RECEIVER].marks).containsOnly(7);
        long ce = ports[RECEIVER].arrived.stream().filter(frame -> Packets.ecn(frame) == 3).count();
        assertThat(ce - status(RECEIVER).marked()).as("those that came marked").isBetween(499L, 501L);
        assertThat(capable + other).isEqualTo(1500);
    }

    private static Queueing lossless(long buffer, int classes) {
        return new Queueing(GIGABIT, buffer, 0, 0, 0, classes, 30_000, 10_000);
    }

    /** Two ports send for a while as fast as their wires are; how many packets were sent. */
    private int twoSenders(boolean obedient, int rounds) {
        byte[] frame = Packets.roce(4, DSCP, 1, 4, 1, 1, 1000);
        int sent = 0;
        for (int round = 0; round < rounds; round++) {
            for (int from = 0; from < 2; from++) {
                if (!obedient || ports[from].until - now <= 0) {
                    // two frames on a wire of its own take as long as a round
                    send(from, frame, 0, 1);
                    send(from, frame, 0, 1);
                    sent += 2;
                }
            }
            now += 2L * frame.length * 8;
            queues.release();
        }
        return sent;
    }

    @Test
    void withFlowControlNothingIsLostAndWithoutItIs() {
        open(lossless(80_000, 1 << 3));
        int sent = twoSenders(true, 5000);
        assertThat(status(RECEIVER).dropped()).isZero();
        assertThat(status(RECEIVER).highest()).isGreaterThan(30_000);
        assertThat(ports[0].pauses).isEqualTo((int) status(0).pauses()).isGreaterThan(10);
        assertThat(ports[1].pauses).isGreaterThan(10);
        assertThat(status(RECEIVER).pauses()).isZero();
        drain();
        assertThat(ports[RECEIVER].arrived).hasSize(sent);
        assertThat(sent).as("the wire never ran dry").isGreaterThan(9_900);

        open(lossless(80_000, 0));
        sent = twoSenders(true, 5000);
        assertThat(status(RECEIVER).dropped()).isGreaterThan(1000);
        drain();
        assertThat(ports[RECEIVER].arrived).hasSize(sent - (int) status(RECEIVER).dropped());

        open(lossless(80_000, 1 << 4));
        twoSenders(true, 5000);
        assertThat(status(RECEIVER).dropped()).as("of another class").isGreaterThan(1000);
        assertThat(ports[0].pauses).isZero();

        open(lossless(80_000, 1 << 3));
        twoSenders(false, 5000);
        assertThat(status(RECEIVER).dropped()).as("who does not obey").isGreaterThan(1000);
        assertThat(status(RECEIVER).bytes()).isLessThanOrEqualTo(80_000);
    }

    @Test
    void aPortIsToldOnceAtEachBoundAndAgainBeforeItForgets() {
        open(lossless(1 << 20, 1 << 3 | 1 << 5));
        byte[] frame = Packets.roce(4, DSCP, 0, 4, 1, 1, 1000);
        int above = 30_000 / frame.length + 1;
        for (int i = 0; i < above - 1; i++) {
            send(0, frame, 0, 1);
        }
        queues.release();
        assertThat(ports[0].pauses).isZero();
        send(0, frame, 0, 1);
        assertThat(ports[0].pauses).as("not in the middle of sending").isZero();
        assertThat(queues.restNanos()).isZero();
        queues.release();
        assertThat(ports[0].pauses).isOne();
        assertThat(ports[0].pause.tells(3)).isTrue();
        assertThat(ports[0].pause.tells(5)).isFalse();
        assertThat(ports[0].pause.quanta(3)).isEqualTo(0xffff);
        assertThat(ports[1].pauses).isZero();
        queues.release();
        assertThat(ports[0].pauses).isOne();
        int left = above;
        while (ports[0].pauses == 1) {
            now += queues.restNanos();
            left -= queues.release() - (ports[0].pauses - 1);
        }
        assertThat((long) left * frame.length).isBetween(10_000L - frame.length, 10_000L);
        assertThat(ports[0].pause.tells(3)).isTrue();
        assertThat(ports[0].pause.quanta(3)).isZero();
        drain();
        assertThat(ports[0].pauses).isEqualTo(2);
    }

    @Test
    void aPortThatStaysStoppedIsToldAgainInTime() {
        open(new Queueing(1_000_000_000, 16 << 20, 0, 0, 0, 1 << 3, 100_000, 0));
        byte[] frame = Packets.roce(4, DSCP, 0, 4, 1, 1, 9000);
        for (int i = 0; i < 1500; i++) {
            send(0, frame, 0, 1);
        }
        queues.release();
        assertThat(ports[0].pauses).isOne();
        long end = now + 100_000_000;
        long gap = 0;
        long last = now;
        int seen = 1;
        while (now - end < 0) {
            now += Math.max(1, queues.restNanos());
            queues.release();
            if (ports[0].pauses > seen) {
                seen = ports[0].pauses;
                gap = Math.max(gap, now - last);
                last = now;
            }
            assertThat(ports[0].until - now).as("it never forgets").isPositive();
        }
        assertThat(seen).isBetween(6, 8);
        assertThat(gap).isLessThan(PauseFrame.nanos(0xffff, 1_000_000_000));
    }

    /** What a port has sent waits behind its place when another port has come there. */
    @Test
    void aPortThatIsPluggedInWhereAPauseHoldsIsToldAtOnce() {
        open(lossless(1 << 20, 1 << 3 | 1 << 5));
        byte[] frame = Packets.roce(4, DSCP, 0, 4, 1, 1, 1000);
        for (int i = 0; i < 60; i++) {
            send(0, frame, 0, 1);
        }
        queues.release();
        assertThat(ports[0].pauses).isOne();
        for (boolean cycle : new boolean[] {false, true}) {
            core.unplug(jacks[0].connection);
            if (cycle) {
                queues.release();
            }
            plug(0);
            assertThat(queues.restNanos()).isZero();
            queues.release();
            assertThat(ports[0].pauses).isOne();
            assertThat(ports[0].pause.tells(3)).isTrue();
            assertThat(ports[0].pause.tells(5)).isFalse();
            assertThat(ports[0].pause.quanta(3)).isEqualTo(PauseFrame.MOST_QUANTA);
            queues.release();
            assertThat(ports[0].pauses).isOne();
        }
        core.unplug(jacks[1].connection);
        plug(1);
        queues.release();
        assertThat(ports[1].pauses).as("nothing of its own waits").isZero();
        drain();
        assertThat(ports[0].pauses).as("it is told to go on").isEqualTo(2);
        assertThat(ports[0].pause.quanta(3)).isZero();
        core.unplug(jacks[0].connection);
        plug(0);
        queues.release();
        assertThat(ports[0].pauses).as("nothing waits").isZero();
    }

    private void plug(int place) {
        ports[place] = new Port(jacks[place].name);
        core.plug(new Connection(jacks[place], ports[place], false, core, null, GIGABIT));
    }

    @Test
    void whatIsPluggedInNowhereIsCountedAndAPortThatLeavesIsNotTold() {
        open(lossless(1 << 20, 1 << 3));
        byte[] frame = Packets.roce(4, DSCP, 0, 4, 1, 1, 1000);
        for (int i = 0; i < 60; i++) {
            send(0, frame, 0, 1);
        }
        jacks[0].connection = null;
        queues.release();
        assertThat(ports[0].pauses).isZero();
        jacks[RECEIVER].connection = null;
        send(1, frame, 0, 1);
        assertThat(counters.undelivered.get()).isOne();
        drain();
        assertThat(counters.undelivered.get()).isEqualTo(61);
        assertThat(Arrays.stream(jacks).mapToLong(jack -> status(jack.place).bytes()).sum()).isZero();
    }
}
