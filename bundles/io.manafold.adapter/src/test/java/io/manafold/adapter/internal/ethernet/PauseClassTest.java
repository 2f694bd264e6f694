package io.manafold.adapter.internal.ethernet;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.fabric.Frames;
import io.manafold.api.fabric.Plug;
import io.manafold.api.fabric.Wire;
import io.manafold.gdma.SendRequest;
import io.manafold.gdma.message.ShaperValues;
import io.manafold.memory.RawMemory;
import io.manafold.packet.FrameBurst;
import io.manafold.packet.PauseFrame;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames wait while the link has paused their class, and hold up nothing but what is behind them in their queue. */
class PauseClassTest extends PortPair {
    /** At which the longest pause lasts more than an hour. */
    private static final long SLOW = 8192;
    private static final int PAUSED = 3;

    private final Arena arena = Arena.ofConfined();
    private final long pauseAt = arena.allocate(PauseFrame.LENGTH, 8).address();

    @AfterEach
    void free() {
        arena.close();
    }

    private FrameBurst told(int stop, int go) {
        byte[] bytes = new byte[PauseFrame.LENGTH];
        PauseFrame.write(bytes, 0, 0x024d_4600_0001L, stop, go);
        RawMemory.copy(bytes, 0, pauseAt, bytes.length);
        FrameBurst burst = new FrameBurst(1, 1);
        burst.addWhole(Frames.PAUSE, pauseAt, bytes.length);
        return burst;
    }

    /** The link asks for a pause of some classes and lets others go on, a bit each. */
    private void tell(int stop, int go) {
        one.port.pauses().take(told(stop, go), 0, SLOW, System.nanoTime());
    }

    private void pause() {
        tell(1 << PAUSED, 0);
    }

    private void goOn() {
        tell(0, 1 << PAUSED);
    }

    private byte[] packet(int version, int dscp) {
        byte[] frame = Packets.ip(version, Packets.UDP, two.mac.value(), 100, dscp);
        if (version == 4) {
            frame[15] = (byte) (dscp << 2);
            Packets.fixIp(frame);
        } else {
            frame[14] = (byte) (0x60 | dscp >> 2);
            frame[15] = (byte) (dscp << 6);
        }
        return frame;
    }

    private static byte[] tagged(byte[] frame, int tag) {
        byte[] longer = new byte[frame.length + 4];
        System.arraycopy(frame, 0, longer, 0, 12);
        Packets.put16(longer, 12, 0x8100);
        Packets.put16(longer, 14, tag);
        System.arraycopy(frame, 12, longer, 16, frame.length - 12);
        return longer;
    }

    /** What leaves of frames of all kinds, one after the other, each alone in a queue. */
    private List<byte[]> ofClass(int of) {
        List<byte[]> frames = new ArrayList<>();
        for (int version : new int[] {4, 6}) {
            frames.add(packet(version, 8 * of));
            frames.add(packet(version, 8 * of + 7));
            // what IP says holds
            frames.add(tagged(packet(version, 8 * of + 2), (of + 1 & 7) << 13 | 5));
            frames.add(tagged(tagged(packet(version, 8 * of + 2), 5), (of + 1 & 7) << 13 | 6));
        }
        frames.add(tagged(plain(70), of << 13 | 9));
        return frames;
    }

    @Test
    void everyFrameWaitsForTheClassThatTheLinkGivesIt() {
        for (int of = 0; of < PauseFrame.CLASSES; of++) {
            for (byte[] frame : ofClass(of)) {
                tell(1 << of, 0xff & ~(1 << of));
                link.seen.clear();
                sender.send(frame);
                assertThat(link.seen).as("class " + of).isEmpty();
                assertThat(one.port.duty().doWork()).isZero();
                tell(0xff & ~(1 << of), 1 << of);
                one.port.duty().doWork();
                assertThat(link.seen).containsExactly(frame);
                assertThat(sender.completion()).isEqualTo(32);
            }
        }
        assertThat(one.rejected).isEmpty();
    }

    @Test
    void theTagThatARequestInsertsCounts() {
        for (byte[] frame : List.of(plain(60), tagged(tagged(packet(4, 0), 1), 2))) {
            pause();
            link.seen.clear();
            sender.tag = PAUSED << 13 | 7;
            sender.send(frame);
            assertThat(link.seen).isEmpty();
            goOn();
            one.port.duty().doWork();
            assertThat(link.seen).containsExactly(tagged(frame, PAUSED << 13 | 7));
        }
        pause();
        link.seen.clear();
        sender.send(packet(4, 8));
        assertThat(link.seen).as("a packet of class 1 in a tag of class 3").hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void otherQueuesSendMeanwhile(boolean shaped) {
        if (shaped) {
            one.port.shape(shapers -> {
                shapers.set(new ShaperValues(ShaperValues.NETDEV, 0, 0, 0, 0, 0, 0, 0, 100_000_000_000L, 0));
                return shapers;
            });
        }
        GuestSender other = one.sender(0x800, 8192);
        byte[] waiting = packet(4, 24);
        byte[] going = packet(4, 0);
        pause();
        for (int i = 0; i < 20; i++) {
            sender.post(one.put(waiting), waiting.length);
            other.post(one.put(going), going.length);
        }
        sender.ring();
        other.ring();
        work();
        assertThat(link.seen).hasSize(20).allSatisfy(frame -> assertThat(frame).isEqualTo(going));
        assertThat(other.completions.drain()).isEqualTo(20);
        assertThat(sender.completions.drain()).isZero();
        goOn();
        work();
        assertThat(link.seen.subList(20, 40)).allSatisfy(frame -> assertThat(frame).isEqualTo(waiting));
        assertThat(sender.completions.drain()).isEqualTo(20);
    }

    /**
     * Until there is nothing to do, or only when a pause is over; what a rate holds back for a moment is waited for.
     */
    private void work() {
        while (one.port.duty().doWork() > 0 || one.port.duty().restNanos() < 1_000_000_000) {
            // as an agent would
        }
    }

    @Test
    void aQueueKeepsItsOrder() {
        byte[] first = packet(6, 0);
        byte[] waiting = packet(6, 31);
        byte[] behind = packet(6, 8);
        pause();
        for (byte[] frame : List.of(first, waiting, behind)) {
            sender.post(one.put(frame), frame.length);
        }
        sender.ring();
        one.port.duty().doWork();
        assertThat(link.seen).containsExactly(first);
        goOn();
        one.port.duty().doWork();
        assertThat(link.seen).containsExactly(first, waiting, behind);
    }

    @Test
    void whatWaitsCostsTheAgentNothingHoweverOftenItRings() {
        pause();
        byte[] frame = packet(4, 24);
        long at = one.put(frame);
        for (int i = 0; i < 100; i++) {
            sender.post(at, frame.length).ring();
            assertThat(one.port.duty().doWork()).isZero();
        }
        assertThat(one.port.duty().restNanos()).as("until the pause is over").isBetween(60_000_000_000L,
                Long.MAX_VALUE - 1);
        assertThat(link.bursts).isZero();
        goOn();
        assertThat(one.port.duty().restNanos()).isZero();
        work();
        assertThat(link.seen).hasSize(100);
        assertThat(one.port.duty().restNanos()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aPauseEndsByItself() {
        byte[] frame = packet(4, 24);
        // 65,535 times 512 bits at this rate are less than 4 ms
        one.port.pauses().take(told(1 << PAUSED, 0), 0, 10_000_000_000L, System.nanoTime() - 3_000_000);
        sender.post(one.put(frame), frame.length).ring();
        long start = System.nanoTime();
        while (link.seen.isEmpty()) {
            one.port.duty().doWork();
            assertThat(System.nanoTime() - start).isLessThan(30_000_000_000L);
        }
        assertThat(link.seen).containsExactly(frame);
    }

    @Test
    void aPauseFrameThatArrivesIsObeyedAndNotForTheDriver() {
        GuestReceiver mine = one.receiver(7, 8192).post(8, 2000).open();
        link.rate = SLOW;
        one.port.duty().receive(told(1 << PAUSED, 0), 0, 1);
        sender.send(packet(4, 24));
        assertThat(link.seen).isEmpty();
        assertThat(mine.receive()).isNull();
    }

    /** The next link knows nothing of it, and would not end it. */
    @Test
    void aPauseEndsWithTheLinkThatHasAskedForIt() {
        byte[] frame = packet(4, 24);
        pause();
        sender.send(frame);
        assertThat(link.seen).isEmpty();
        one.port.detach(link);
        long start = System.nanoTime();
        while (sender.completions.drain() == 0) {
            assertThat(System.nanoTime() - start).as("what has waited is lost, but completes")
                    .isLessThan(30_000_000_000L);
        }
        one.port.attach(link);
        assertThat(one.port.pauses().any()).isFalse();
        sender.send(frame);
        assertThat(link.seen).containsExactly(frame);
    }

    /** The agent of a link calls a port as soon as it is plugged in, before the port has got its wire. */
    @Test
    void aPauseThatComesBeforeAPortKnowsItsLinkLastsAsLongAsTheLinkMeans() {
        link.rate = SLOW;
        one.port.duty().doWork();
        one.port.detach(link);
        DirectLink next = new DirectLink() {
            @Override
            public Wire plug(Plug plug) {
                Wire wire = super.plug(plug);
                plug.receive(told(1 << PAUSED, 0), 0, 1);
                return wire;
            }
        };
        next.rate = SLOW;
        next.watching = true;
        one.port.attach(next);
        one.port.duty().doWork();
        long start = System.nanoTime();
        while (System.nanoTime() - start < 1_000_000) {
            // at the port's own speed it would last for 0.2 ms
        }
        byte[] going = packet(4, 0);
        sender.send(packet(4, 24));
        assertThat(next.seen).isEmpty();
        GuestSender other = one.sender(0x800, 8192);
        other.send(going);
        assertThat(next.seen).containsExactly(going);
    }

    /** Another processor of a guest makes a pause frame of what the link has looked at already. */
    @Test
    void noPauseFrameOfAnotherPortIsObeyedOrForTheDriver() {
        GuestReceiver its = two.receiver(7, 8192).post(8, 2000).open();
        link.rate = SLOW;
        byte[] frame = packet(4, 0);
        long at = one.put(frame);
        byte[] pause = new byte[PauseFrame.LENGTH];
        PauseFrame.write(pause, 0, one.mac.value(), 0xff, 0);
        link.before = () -> one.put(at, pause);
        sender.post(at, frame.length).ring();
        one.port.duty().doWork();
        assertThat(link.seen).singleElement().satisfies(seen -> assertThat(seen).startsWith(pause));
        assertThat(two.port.pauses().any()).isFalse();
        assertThat(its.receive()).isNull();
        assertThat(counter(two, "rx_other_station")).isEqualTo(1);
    }

    @Test
    void headersThatAreComputedCountAsWell() {
        byte[] frame = Packets.ip(4, Packets.TCP, two.mac.value(), 500, 1);
        frame[15] = 26 << 2;
        Packets.fixIp(frame);
        pause();
        sender.flags = SendRequest.IPV4 | SendRequest.TCP_CHECKSUM;
        sender.send(frame);
        assertThat(link.seen).isEmpty();
        goOn();
        one.port.duty().doWork();
        assertThat(link.seen).containsExactly(frame);
        assertThat(queueCounter(one, "tx_packets")).isEqualTo(1);
    }

    @Test
    void aLargeSendStopsInTheMiddle() {
        byte[] whole = Packets.ip(6, Packets.TCP, two.mac.value(), 40000, 1);
        whole[14] = 0x66;
        long at = one.put(whole);
        sender.flags = SendRequest.IPV6 | SendRequest.TCP_CHECKSUM;
        sender.segment = 1000;
        sender.headerBytes = 86;
        one.port.clamp(1_000_000);
        sender.post(at, 86, at + 86, 40000).ring();
        one.port.duty().doWork();
        int before = link.seen.size();
        assertThat(before).isBetween(1, 39);
        pause();
        one.port.clamp(0);
        work();
        assertThat(link.seen).hasSize(before);
        goOn();
        work();
        assertThat(link.seen).hasSize(40).allMatch(Packets::isTransportGood);
        assertThat(sender.completions.drain()).isEqualTo(1);
    }

    @Test
    void aDriverThatChangesAFrameMeanwhileDoesNotGetPastAPause() {
        pause();
        byte[] frame = packet(4, 0);
        long at = one.put(frame);
        byte[] other = packet(4, 24);
        link.before = () -> one.put(at, other);
        sender.post(at, frame.length).ring();
        one.port.duty().doWork();
        assertThat(link.seen).hasSize(1);
        assertThat(link.seen.getFirst()[15]).as("its DSCP").isZero();
    }

    @Test
    void aQueueThatIsDestroyedWhileItWaitsIsGone() {
        pause();
        sender.send(packet(4, 24));
        one.port.destroy(sender.queue);
        assertThat(one.port.duty().restNanos()).isEqualTo(Long.MAX_VALUE);
        sender = one.sender(0xc00, 8192);
        one.port.transmitVia(Guest.PD, 4, 0);
        byte[] frame = packet(4, 0);
        sender.send(frame);
        assertThat(link.seen).containsExactly(frame);
        goOn();
        work();
        assertThat(link.seen).hasSize(1);
    }
}
