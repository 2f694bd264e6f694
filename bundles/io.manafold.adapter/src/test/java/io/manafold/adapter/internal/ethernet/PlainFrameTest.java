package io.manafold.adapter.internal.ethernet;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.gdma.SendCompletion;
import io.manafold.gdma.message.Counter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class PlainFrameTest {
    private final Guest one = new Guest("one", 0x000d3a000001L);
    private final Guest two = new Guest("two", 0x000d3a000002L);
    private final DirectLink link = new DirectLink();
    private final Random random = new Random(1);

    @BeforeEach
    void plugIn() {
        one.port.attach(link);
        two.port.attach(link);
        one.port.transmitVia(Guest.PD, 4, 0);
    }

    @AfterEach
    void close() {
        one.close();
        two.close();
    }

    private byte[] frame(long destination, int length) {
        byte[] frame = new byte[length];
        random.nextBytes(frame);
        for (int i = 0; i < 6; i++) {
            frame[i] = (byte) (destination >>> 40 - 8 * i);
        }
        frame[12] = (byte) 0x88;
        frame[13] = (byte) 0xb5;
        return frame;
    }

    @Test
    void aFrameArrivesAndBothSidesHearOfIt() {
        GuestSender sender = one.sender(0x400, 4096);
        GuestReceiver receiver = two.receiver(1, 4096).post(2, 1514).open();
        sender.completions.arm();
        receiver.completions.arm();
        byte[] frame = frame(two.mac.value(), 90);

        sender.send(frame);

        GuestReceiver.Arrived arrived = receiver.receive();
        assertThat(arrived.type()).isEqualTo(1);
        assertThat(arrived.frame()).isEqualTo(frame);
        assertThat(arrived.flags()).isZero();
        assertThat(arrived.last()).isEqualTo(0x20000001);
        byte[] completion = sender.completions.poll();
        assertThat(GuestReceiver.u32(completion, 0)).isEqualTo(0x60);
        assertThat(GuestReceiver.u32(completion, 0x3c)).isEqualTo(0x21000400);
        assertThat(sender.completions.vectors).isEqualTo(1);
        assertThat(receiver.completions.vectors).isEqualTo(1);
        assertThat(one.rejected).isEmpty();
        assertThat(two.rejected).isEmpty();
    }

    /** Runs of plain requests are cut short by anything else, and by the ends of pages and rings. */
    @Test
    void whateverStandsBetweenThemFramesArriveInOrder() {
        GuestSender sender = one.sender(0x400, 4096);
        GuestReceiver receiver = two.receiver(1, 8192).open();
        int groups = 0;
        int all = 0;
        while (all < 600) {
            List<byte[]> frames = new ArrayList<>();
            for (int many = 1 + random.nextInt(24); frames.size() < many;) {
                boolean group = random.nextInt(6) == 0;
                byte[] frame = frame(group ? 0x01005e000001L : two.mac.value(), 60 + random.nextInt(1000));
                frames.add(frame);
                groups += group ? 1 : 0;
                post(sender, frame, random.nextInt(4) == 0 ? 1 + random.nextInt(50) : 0);
                postBuffer(receiver, random.nextInt(4) == 0 ? 1 + random.nextInt(50) : 0);
            }
            sender.transportOffset = random.nextInt(3) == 0 ? 34 : 0;
            sender.ring();
            receiver.ring();
            one.port.duty().doWork();

            for (byte[] frame : frames) {
                assertThat(receiver.receive()).extracting(GuestReceiver.Arrived::frame).isEqualTo(frame);
                assertThat(sender.completion()).isEqualTo(SendCompletion.OK);
            }
            all += frames.size();
        }
        assertThat(receiver.receive()).isNull();
        assertThat(sender.completion()).isEqualTo(-1);
        long[] sent = new long[EthernetPort.STATISTICS];
        one.port.addStatistics(sent);
        assertThat(sent[Counter.TX_UCAST_PKTS.ordinal()]).isEqualTo(all - groups);
        assertThat(sent[Counter.TX_MCAST_PKTS.ordinal()]).isEqualTo(groups);
        long[] received = new long[EthernetPort.STATISTICS];
        two.port.addStatistics(received);
        assertThat(received[Counter.RX_UCAST_PKTS.ordinal()]).isEqualTo(all - groups);
        assertThat(received[Counter.RX_BYTES.ordinal()]).isEqualTo(sent[Counter.TX_BYTES.ordinal()]);
        assertThat(one.rejected).isEmpty();
        assertThat(two.rejected).isEmpty();
    }

    @Test
    void aFrameRepeatsTheOneBeforeItIfBothAddressesAndTheTypeAreTheSame() {
        GuestSender sender = one.sender(0x400, 4096);
        GuestReceiver receiver = two.receiver(1, 4096).post(16, 1514).open();
        link.watching = true;
        byte[] frame = frame(two.mac.value(), 60);
        List<byte[]> frames = new ArrayList<>(List.of(new byte[60], frame, frame));
        for (int at : new int[] {4, 11, 13, 14}) {
            byte[] other = frame.clone();
            other[at] ^= 1;
            frames.addAll(List.of(other, frame));
        }
        frames.forEach(each -> post(sender, each, 0));
        post(sender, frame, 20);
        post(sender, frame, 0);
        sender.ring();
        one.port.duty().doWork();
        assertThat(link.repeats).containsExactly(false, false, true, false, false, false, false, false, false, true,
                true, false, false);
        for (int at : new int[] {1, 2, 4, 5, 6, 7, 8, 9, 10}) {
            assertThat(receiver.receive()).extracting(GuestReceiver.Arrived::frame).isEqualTo(frames.get(at));
        }
    }

    /** What the sender writes meanwhile is its own affair: the frame goes to where it was sent, as it is by then. */
    @Test
    void framesThatRepeatOthersAreForTheStationOfTheFirst() {
        GuestSender sender = one.sender(0x400, 4096);
        GuestReceiver receiver = two.receiver(1, 4096).post(16, 1514).open();
        byte[] frame = frame(two.mac.value(), 60);
        long first = one.put(frame);
        long second = one.put(frame);
        sender.post(first, frame.length);
        sender.post(second, frame.length);
        byte[] changed = frame(one.mac.value(), 60);
        link.before = () -> one.put(second, changed);
        sender.ring();
        one.port.duty().doWork();
        assertThat(receiver.receive()).extracting(GuestReceiver.Arrived::frame).isEqualTo(frame);
        assertThat(receiver.receive()).extracting(GuestReceiver.Arrived::frame).isEqualTo(changed);
    }

    /** Errors are awaited for such bursts alone, plain ones and others. */
    @Test
    void aBurstMayVanishIfItsDriverHasMemoryThatOthersCanShorten() throws IOException {
        GuestSender sender = one.sender(0x400, 4096);
        two.receiver(1, 4096).post(16, 1514).open();
        byte[] frame = frame(two.mac.value(), 60);
        sender.send(frame);
        post(sender, frame, 20);
        sender.ring();
        one.port.duty().doWork();
        one.useFile(1 << 16);
        sender.send(frame);
        post(sender, frame, 20);
        sender.ring();
        one.port.duty().doWork();
        assertThat(link.vanishing).containsExactly(false, false, true, true);
    }

    @Test
    void framesWithoutABufferAreMissedAndTheNextOneIsNot() {
        GuestSender sender = one.sender(0x400, 4096);
        GuestReceiver receiver = two.receiver(1, 4096).post(3, 1514).open();
        byte[] last = null;
        for (int i = 0; i < 10; i++) {
            last = frame(two.mac.value(), 100);
            post(sender, last, 0);
        }
        sender.ring();
        one.port.duty().doWork();
        for (int i = 0; i < 3; i++) {
            assertThat(receiver.receive()).isNotNull();
        }
        assertThat(receiver.receive()).isNull();
        long[] counted = new long[EthernetPort.STATISTICS];
        two.port.addStatistics(counted);
        assertThat(counted[Counter.RX_DISCARDS_NO_WQE.ordinal()]).isEqualTo(7);

        receiver.post(1, 1514);
        sender.send(last);
        assertThat(receiver.receive()).extracting(GuestReceiver.Arrived::frame).isEqualTo(last);
    }

    /** In one piece, or in two. */
    private void post(GuestSender sender, byte[] frame, int cut) {
        long at = one.put(frame);
        if (cut == 0) {
            sender.post(at, frame.length);
        } else {
            sender.post(at, cut, at + cut, frame.length - cut);
        }
    }

    private void postBuffer(GuestReceiver receiver, int cut) {
        long at = two.take(1514);
        if (cut == 0) {
            receiver.postPieces(at, 1514);
        } else {
            receiver.postPieces(at, cut, at + cut, 1514 - cut);
        }
    }
}
