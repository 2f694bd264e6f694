package io.manafold.ethernet.internal.function;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.net.PacketBuffer;
import io.manafold.ethernet.internal.queue.SendCounters;
import io.manafold.ethernet.internal.queue.SendRing;
import io.manafold.gdma.CompletionEntry;
import io.manafold.memory.DmaPiece;
import io.manafold.memory.RawMemory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Packets that are sent together share a completion, and nothing is lost by that. */
@Timeout(300)
class BurstTest {
    private static final int COUNT = 40;
    /** More than the adapter sends. */
    private static final int LONG = 9100;

    private final Bench bench = new Bench();
    private final Station left = new Station(bench.left());
    private final Station right = new Station(bench.right());

    @AfterEach
    void close() {
        left.close();
        right.close();
        bench.close();
    }

    private PacketBuffer[] burst() {
        PacketBuffer[] burst = new PacketBuffer[COUNT];
        assertThat(left.port.take(burst, 0, COUNT)).isEqualTo(COUNT);
        for (int i = 0; i < COUNT; i++) {
            fill(burst[i], left.frame(bench.right(), i, 64 + i));
        }
        return burst;
    }

    private static void fill(PacketBuffer packet, byte[] bytes) {
        packet.place(0, bytes.length);
        packet.put(0, bytes, 0, bytes.length);
        packet.queue(0);
    }

    private void settle(SendRing ring) {
        Bench.await("nothing is under way", () -> {
            int[] left = new int[1];
            bench.left().life().agent().run(() -> left[0] = ring.sends().outstanding());
            return left[0] == 0;
        });
    }

    private static int completions(SendRing ring) {
        DmaPiece memory = ring.pair().completions().memory();
        int count = 0;
        for (int at = 0; at < ring.pair().completions().slots(); at++) {
            long entry = memory.pointer() + (long) at * CompletionEntry.SIZE;
            count += RawMemory.get32(entry + CompletionEntry.LAST) == 0 ? 0 : 1;
        }
        return count;
    }

    @Test
    void aBurstHasOneCompletion() {
        SendRing ring = bench.left().life().queues().send(0);
        int before = completions(ring);
        bench.left().life().agent().run(() -> {
            PacketBuffer[] burst = burst();
            assertThat(left.port.send(burst, 0, COUNT)).isEqualTo(COUNT);
        });
        for (int i = 0; i < COUNT; i++) {
            assertThat(right.next().bytes()).isEqualTo(left.frame(bench.right(), i, 64 + i));
        }
        settle(ring);
        assertThat(completions(ring)).isEqualTo(before + 1);
        assertThat(ring.sends().completed()).isEqualTo(COUNT);
    }

    @Test
    void badFramesAmongOthersAreToldOfAndTheOthersArrive() {
        bench.left().setMtu(9000);
        SendRing ring = bench.left().life().queues().send(0);
        bench.left().life().agent().run(() -> {
            PacketBuffer[] burst = burst();
            fill(burst[7], left.frame(bench.right(), 7, LONG));
            // neither of these two is plain
            burst[20].flags(PacketBuffer.TAGGED);
            burst[20].tag(5);
            PacketBuffer[] more = new PacketBuffer[1];
            assertThat(left.port.take(more, 0, 1)).isEqualTo(1);
            fill(more[0], new byte[100]);
            burst[25].next(more[0]);
            fill(burst[COUNT - 1], left.frame(bench.right(), 7, LONG));
            assertThat(left.port.send(burst, 0, COUNT)).isEqualTo(COUNT);
        });
        for (int i = 0; i < COUNT - 1; i++) {
            if (i != 7) {
                assertThat(right.next().bytes()).startsWith(left.frame(bench.right(), i, 64 + i));
            }
        }
        settle(ring);
        SendCounters counters = ring.counters();
        assertThat(counters.failed).isEqualTo(2);
        assertThat(counters.longForm).isEqualTo(1);
        assertThat(bench.left().life().queues().transmit().outstanding()).isZero();
        assertThat(bench.left().life().queues()).as("nothing had to be made anew").matches(set -> set.send(0) == ring);
    }
}
