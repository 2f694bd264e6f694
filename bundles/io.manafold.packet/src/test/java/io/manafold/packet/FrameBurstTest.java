package io.manafold.packet;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.fabric.Frames;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

class FrameBurstTest {
    @Test
    void framesAreWhatWasAdded() {
        FrameBurst burst = new FrameBurst(3, 5);
        burst.begin(Frames.IP_GOOD);
        burst.add(1000, 54);
        burst.add(2000, 1446);
        burst.begin(0);
        burst.add(3000, 60);
        burst.begin(Frames.L4_GOOD);
        burst.add(4000, 1);
        assertThat(burst.count()).isEqualTo(3);
        assertThat(burst.length(0)).isEqualTo(1500);
        assertThat(burst.pieces(0)).isEqualTo(2);
        assertThat(burst.address(0, 1)).isEqualTo(2000);
        assertThat(burst.length(0, 0)).isEqualTo(54);
        assertThat(burst.address(1, 0)).isEqualTo(3000);
        assertThat(burst.marks(2)).isEqualTo(Frames.L4_GOOD);
        assertThat(burst.hasRoom(1)).as("no fourth frame").isFalse();

        burst.drop();
        assertThat(burst.count()).isEqualTo(2);
        assertThat(burst.hasRoom(2)).isTrue();
        assertThat(burst.hasRoom(3)).isFalse();
        burst.begin(0);
        burst.add(5000, 2);
        burst.add(6000, 3);
        assertThat(burst.length(2)).isEqualTo(5);
        assertThat(burst.address(2, 1)).isEqualTo(6000);

        FrameBurst copy = new FrameBurst(1, 2);
        copy.addFrom(burst, 2);
        assertThat(copy.length(0)).isEqualTo(5);
        assertThat(copy.length(0, 1)).isEqualTo(3);
        burst.clear();
        assertThat(burst.isEmpty()).isTrue();
        assertThat(burst.hasRoom(5)).isTrue();
    }

    @Test
    void aFrameInOnePieceIsWholeHoweverItWasAdded() {
        FrameBurst burst = new FrameBurst(4, 8);
        burst.addWhole(Frames.L4_GOOD, 1000, 60);
        burst.begin(0);
        burst.add(2000, 70);
        burst.begin(0);
        burst.add(3000, 14);
        burst.add(4000, 46);
        burst.add(5000, 1);
        assertThat(burst.whole(0)).isEqualTo(1000);
        assertThat(burst.marks(0)).isEqualTo(Frames.L4_GOOD);
        assertThat(burst.pieces(0)).isEqualTo(1);
        assertThat(burst.address(0, 0)).isEqualTo(1000);
        assertThat(burst.length(0, 0)).isEqualTo(60).isEqualTo(burst.length(0));
        assertThat(burst.whole(1)).isEqualTo(2000);
        assertThat(burst.whole(2)).isZero();
        assertThat(burst.length(2)).isEqualTo(61);
        for (int piece = 0; piece < 3; piece++) {
            assertThat(burst.address(2, piece)).isEqualTo(3000 + piece * 1000);
        }
        assertThat(burst.length(2, 1)).isEqualTo(46);

        burst.drop();
        burst.drop();
        burst.begin(0);
        burst.add(6000, 1);
        burst.add(7000, 2);
        assertThat(burst.whole(0)).isEqualTo(1000);
        assertThat(burst.address(1, 1)).isEqualTo(7000);
    }

    @Test
    void aFrameRepeatsOnlyIfThatWasSaidOfIt() {
        FrameBurst burst = new FrameBurst(4, 8);
        burst.addWhole(0, 1000, 60);
        burst.addWhole(Frames.IP_GOOD, 2000, 70);
        burst.repeat();
        burst.begin(0);
        burst.add(3000, 14);
        burst.add(4000, 46);
        assertThat(burst.repeats(0)).isFalse();
        assertThat(burst.repeats(1)).isTrue();
        assertThat(burst.repeats(2)).isFalse();
        assertThat(burst.pieces(1)).isEqualTo(1);
        assertThat(burst.marks(1)).isEqualTo(Frames.IP_GOOD);
        assertThat(burst.whole(1)).isEqualTo(2000);
        assertThat(burst.length(1)).isEqualTo(70);
        assertThat(burst.bytes(0, 3)).isEqualTo(190);
        assertThat(burst.bytes(1, 2)).isEqualTo(70);
        FrameBurst copy = new FrameBurst(1, 1);
        copy.addFrom(burst, 1);
        assertThat(copy.repeats(0)).as("what is first repeats nothing").isFalse();
        burst.drop();
        burst.drop();
        burst.addWhole(0, 5000, 60);
        assertThat(burst.repeats(1)).isFalse();
    }

    /** Everything that is done for each frame, many times over: bytes allocated by this thread stay as they are. */
    @Test
    void nothingIsAllocatedPerFrame() {
        FrameBurst burst = new FrameBurst(32, 64);
        Headers headers = new Headers();
        Segmentation segmentation = new Segmentation();
        Toeplitz toeplitz = new Toeplitz(TestFrames.random(40, 1));
        byte[] frame = TestFrames.join(TestFrames.ethernet(EtherType.IPV4, 5), TestFrames.ipv4(6, 0, 0, 60),
                TestFrames.tcp(0, 0x18), new byte[40]);
        byte[] out = new byte[256];
        com.sun.management.ThreadMXBean threads =
                (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long hash = 0;
        long allocated = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 20_000; i++) {
                if (!burst.hasRoom(2)) {
                    burst.clear();
                }
                burst.begin(Frames.IP_GOOD);
                burst.add(i, 54);
                burst.add(i, 40);
                headers.parse(frame, 0, frame.length, frame.length);
                hash += toeplitz.hash(frame, headers.addresses(), headers.addressBytes(), headers.transport());
                Offloads.writeIpv4Checksum(frame, 0, headers);
                Offloads.writeTransportChecksum(frame, 0, headers, frame.length, 0);
                segmentation.begin(frame, 0, headers.payload(), 4000, 1000);
                segmentation.write(3, out, 0, hash);
            }
            allocated = Math.min(allocated, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(hash).isNotZero();
        assertThat(allocated).isLessThan(1000);
    }
}
