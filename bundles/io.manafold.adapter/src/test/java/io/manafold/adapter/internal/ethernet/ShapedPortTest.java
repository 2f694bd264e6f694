package io.manafold.adapter.internal.ethernet;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.gdma.SendRequest;
import io.manafold.gdma.message.QueryShaperStatistics;
import io.manafold.gdma.message.ShaperValues;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A port with shapers: what its queues hold waits there, and nothing is lost. */
@Timeout(120)
class ShapedPortTest extends PortPair {
    private void set(int scope, int id, int priority, long most) {
        one.port.shape(shapers -> {
            shapers.set(new ShaperValues(scope, id, 0, 0, 0, priority, 0, 0, most, 0));
            return shapers;
        });
    }

    private QueryShaperStatistics.Entry first() {
        return one.port.shape(shapers -> shapers.statistics(0, 0, one.port::waiting)).getFirst();
    }

    /** Runs the port as an agent would until so many completions have come. */
    private void runUntil(GuestSender of, int completions) {
        long start = System.nanoTime();
        int done = 0;
        while (done < completions) {
            if (one.port.duty().doWork() == 0) {
                LockSupport.parkNanos(Math.min(one.port.duty().restNanos(), 1_000_000));
            }
            done += of.completions.drain();
            assertThat(System.nanoTime() - start).isLessThan(100_000_000_000L);
        }
    }

    @Test
    void requestsWaitInTheirRing() {
        set(ShaperValues.NETDEV, 0, 0, 10_000_000);
        long at = one.put(plain(1000));
        for (int i = 0; i < 50; i++) {
            sender.post(at, 1000);
        }
        long start = System.nanoTime();
        sender.ring();
        runUntil(sender, 50);
        assertThat(System.nanoTime() - start).as("49 frames of 8000 bits before the last, a tenth of a millisecond "
                + "beforehand").isGreaterThan(49 * 800_000 - 100_000);
        assertThat(link.seen).hasSize(50);
        assertThat(first().packets()).isEqualTo(50);
        assertThat(first().bytes()).isEqualTo(50_000);
        assertThat(first().heldNanos()).isGreaterThan(10_000_000);
        assertThat(one.port.duty().restNanos()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void segmentsOfALargeSendAreCountedOneByOne() {
        set(ShaperValues.QUEUE, 0, 0, 10_000_000);
        byte[] whole = Packets.ip(4, Packets.TCP, two.mac.value(), 40000, 1);
        long at = one.put(whole);
        sender.flags = SendRequest.IPV4 | SendRequest.TCP_CHECKSUM | SendRequest.IP_CHECKSUM;
        sender.segment = 1000;
        sender.headerBytes = 66;
        long start = System.nanoTime();
        sender.post(at, 66, at + 66, 40000).ring();
        runUntil(sender, 1);
        assertThat(System.nanoTime() - start).isGreaterThan(39 * 852_800 - 100_000);
        assertThat(link.seen).hasSize(40);
        assertThat(link.seen).allMatch(Packets::isTransportGood);
        assertThat(first().packets()).isEqualTo(40);
    }

    @Test
    void theUrgentOvertakesAndTakingAllAwayLetsEverythingGo() {
        GuestSender other = one.sender(0x800, 8192);
        long slow = one.put(plain(1500));
        long urgent = one.put(plain(100));
        for (int i = 0; i < 40; i++) {
            sender.post(slow, 1500);
            other.post(urgent, 100);
        }
        set(ShaperValues.NETDEV, 0, 0, 1_000_000);
        set(ShaperValues.QUEUE, 1, 9, 0);
        sender.ring();
        other.ring();
        runUntil(other, 40);
        // a cycle that comes late may send some of the others with the last of these
        assertThat(link.seen.subList(0, 40)).noneMatch(frame -> frame.length == 1500);
        assertThat(first().queued()).isEqualTo(80 - link.seen.size()).isPositive();
        one.port.shape(shapers -> {
            shapers.clear();
            return shapers;
        });
        runUntil(sender, 40);
        assertThat(link.seen).hasSize(80);
    }

    @Test
    void aQueueThatIsDestroyedWhileItIsHeldIsGone() {
        set(ShaperValues.QUEUE, 0, 0, 1000);
        long at = one.put(plain(1000));
        for (int i = 0; i < 20; i++) {
            sender.post(at, 1000);
        }
        sender.ring();
        one.port.duty().doWork();
        one.port.destroy(sender.queue);
        assertThat(one.port.duty().doWork()).isZero();
        assertThat(one.port.duty().restNanos()).isEqualTo(Long.MAX_VALUE);
        assertThat(first().dropped()).isEqualTo(20 - first().packets());
        // the next one has the limit, and what it owes
        sender = one.sender(0xc00, 8192);
        one.port.transmitVia(Guest.PD, 4, 0);
        set(ShaperValues.QUEUE, 0, 0, 100_000_000);
        sender.send(plain(500));
        runUntil(sender, 1);
    }

    @Test
    void clampAndTreeHoldTogether() {
        set(ShaperValues.NETDEV, 0, 0, 100_000_000);
        // before the clamp, whose schedule runs from there on
        long start = System.nanoTime();
        one.port.clamp(10_000_000);
        long at = one.put(plain(1000));
        for (int i = 0; i < 30; i++) {
            sender.post(at, 1000);
        }
        sender.ring();
        runUntil(sender, 30);
        assertThat(System.nanoTime() - start).isGreaterThan(29 * 800_000);
    }
}
