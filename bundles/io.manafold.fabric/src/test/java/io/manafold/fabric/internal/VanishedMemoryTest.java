package io.manafold.fabric.internal;

import static io.manafold.fabric.internal.Station.frame;
import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.fabric.Frames;
import io.manafold.api.fabric.Impairments;
import io.manafold.api.fabric.PacketRule;
import io.manafold.api.fabric.Plug;
import io.manafold.api.fabric.Queueing;
import io.manafold.api.fabric.Wire;
import io.manafold.linux.Linux;
import io.manafold.linux.Memfd;
import io.manafold.memory.DmaBlock;
import io.manafold.memory.RawMemory;
import io.manafold.packet.FrameBurst;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A guest shortens the file behind its memory while its frames are on their way. */
@Timeout(120)
class VanishedMemoryTest {
    private static final long A = 0x000d3a000001L;
    private static final long B = 0x000d3a000002L;
    private static final int SIZE = 1 << 20;

    private enum Way {
        SWITCHED, CABLED, DELAYED, HELD, CAPTURED, QUEUED, RULED
    }

    @TempDir
    Path folder;

    /** Sends frames that lie in memory it does not own. */
    private static final class Guest implements Plug {
        private final FrameBurst burst = new FrameBurst(8, 16);
        volatile Wire wire;
        volatile long address;
        volatile boolean sending;
        volatile long sent;

        @Override
        public String name() {
            return "a/1";
        }

        @Override
        public int doWork() {
            if (!sending || wire == null) {
                return 0;
            }
            burst.clear();
            for (int i = 0; i < 8; i++) {
                burst.begin(0);
                burst.add(address + i * 4096L, 20);
                burst.add(address + i * 4096L + 20, 40);
            }
            wire.send(burst);
            sent++;
            return 8;
        }

        @Override
        public void receive(Frames frames, int from, int to) {
            // it only sends
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void theLinkDropsCountsTellsAndGoesOn(Way way) throws Exception {
        LinkPlan.Kind kind = way == Way.CABLED ? LinkPlan.Kind.DIRECT : LinkPlan.Kind.SWITCH;
        Impairments impairments = switch (way) {
            case DELAYED -> new Impairments(0, 0, 0, 1000, 1);
            case HELD -> new Impairments(0, 0, 50, 0, 1);
            default -> Impairments.NONE;
        };
        Queueing queueing = way == Way.QUEUED
                ? new Queueing(100_000_000_000L, 1 << 20, 1_000, 30_000, 50, 0xff, 200_000, 100_000) : null;
        try (FabricLink link = FabricLink.open(
                new LinkPlan("net", kind, List.of("a/1", "b/1"), null, impairments, queueing));
                Station b = Station.on(link, "b/1"); Memfd file = Memfd.create("guest", SIZE)) {
            if (way == Way.CAPTURED) {
                link.startCapture(folder.resolve("c.pcapng"), 100);
            }
            if (way == Way.RULED) {
                for (PacketRule.Action action : PacketRule.Action.values()) {
                    link.impair(new PacketRule(-1, -1, action.ordinal(), -1, action,
                            action == PacketRule.Action.DELAY ? 1000 : 0, 0));
                }
            }
            b.onReceive = b::drain;
            Guest guest = new Guest();
            guest.address = Linux.map(file.descriptor().number(), 0, SIZE, true);
            byte[] frame = frame(B, A, 1, 60);
            for (int i = 0; i < 8; i++) {
                if (way == Way.RULED) {
                    frame = Arrays.copyOf(Packets.roce(4, 26, 1, i, 1, 1, 2), 60);
                }
                RawMemory.copy(frame, 0, guest.address + i * 4096L, frame.length);
            }
            guest.wire = link.plug(guest);
            for (int round = 0; round < 6; round++) {
                guest.sending = true;
                guest.wire.wake();
                long until = guest.sent + (round == 2 ? 40_000 : 500);
                while (guest.sent < until) {
                    Thread.onSpinWait();
                }
                Linux.truncate(file.descriptor().number(), round % 2 == 0 ? 0 : 4096 * 3);
                long before = link.status().counters().get("vanished");
                while (link.status().counters().get("vanished") < before + 100) {
                    Thread.onSpinWait();
                }
                Linux.truncate(file.descriptor().number(), SIZE);
                guest.sending = false;
                guest.wire.execute(() -> { });
            }
            assertThat(link.status().ports()).allMatch(port -> port.plugged());
            assertThat(link.status().problems()).singleElement().asString().contains("taken away");
            guest.wire.close();
            Linux.unmap(guest.address, SIZE);
            try (Station again = Station.on(link, "a/1")) {
                b.onReceive = () -> { };
                b.drain();
                again.send(frame(B, A, 9, 60), frame(B, A, 10, 60));
                // a few bursts of the guest may still be held or delayed, with whatever its memory said
                List<Integer> arrived = new ArrayList<>();
                while (!arrived.containsAll(List.of(9, 10))) {
                    arrived.add(Station.number(b.take(1).getFirst()));
                }
                assertThat(arrived).hasSizeLessThanOrEqualTo(2 + 8 * 8);
            }
        }
    }

    /** Receives into memory it does not own. */
    private static final class Sink implements Plug {
        volatile long address;
        volatile long received;

        @Override
        public String name() {
            return "b/1";
        }

        @Override
        public int doWork() {
            return 0;
        }

        @Override
        public void receive(Frames frames, int from, int to) {
            for (int frame = from; frame < to; frame++) {
                RawMemory.put32(address + frame * 4096L, RawMemory.get32(frames.address(frame, 0)));
                received++;
            }
        }
    }

    /** In compiled code the error comes when the agent is back in the sender's work, or in its own. */
    @Test
    void whoseReceiverLosesItsMemoryIsNotPunishedForIt() throws Exception {
        try (FabricLink link = FabricLink.open(new LinkPlan("net", LinkPlan.Kind.DIRECT, List.of("a/1", "b/1"), null,
                Impairments.NONE)); Memfd file = Memfd.create("guest", SIZE);
                DmaBlock own = new DmaBlock("sender", SIZE)) {
            Guest sender = new Guest();
            sender.address = own.address();
            Sink sink = new Sink();
            sink.address = Linux.map(file.descriptor().number(), 0, SIZE, true);
            link.plug(sink);
            sender.sending = true;
            sender.wire = link.plug(sender);
            sender.wire.wake();
            while (sink.received < 1_000_000) {
                Thread.onSpinWait();
            }
            Linux.truncate(file.descriptor().number(), 0);
            long until = sender.sent + 5_000;
            while (sender.sent < until && link.status().ports().getFirst().plugged()) {
                Thread.onSpinWait();
            }
            assertThat(link.status().ports()).allMatch(port -> port.plugged());
            assertThat(link.status().counters().get("vanished")).isGreaterThan(4_000);
            Linux.truncate(file.descriptor().number(), SIZE);
            long delivered = link.status().counters().get("delivered");
            while (link.status().counters().get("delivered") < delivered + 1000) {
                Thread.onSpinWait();
            }
            sender.wire.close();
            sender.sending = false;
            link.close();
            Linux.unmap(sink.address, SIZE);
        }
    }

    private interface Place {
        /** Puts a frame there; answers whether it waits now. */
        boolean takes(Frames frames);

        void empty();
    }

    /** In compiled code the error comes after the copy; what another tenant's frame left there must not go out. */
    private static void nothingWaitsThatWasNotSent(Place place) throws Exception {
        FrameBurst burst = new FrameBurst(1, 1);
        try (Memfd file = Memfd.create("guest", SIZE)) {
            long address = Linux.map(file.descriptor().number(), 0, SIZE, true);
            burst.begin(0);
            burst.add(address, 60);
            for (int round = 0; round < 1_000_000; round++) {
                assertThat(place.takes(burst)).isTrue();
                place.empty();
            }
            Linux.truncate(file.descriptor().number(), 0);
            for (int round = 0; round < 1000; round++) {
                boolean waits = false;
                try {
                    waits = place.takes(burst);
                    RawMemory.settle();
                } catch (InternalError gone) {
                    // as it should be
                }
                assertThat(waits).as("round %s", round).isFalse();
            }
            Linux.unmap(address, SIZE);
        }
    }

    @Test
    void aFrameWhoseMemoryIsGoneIsNotDelayed() throws Exception {
        try (DelayLine line = new DelayLine()) {
            nothingWaitsThatWasNotSent(new Place() {
                @Override
                public boolean takes(Frames frames) {
                    line.add(0, frames, 0, 0);
                    return !line.isEmpty();
                }

                @Override
                public void empty() {
                    line.free(1);
                }
            });
            assertThat(line.isEmpty()).isTrue();
        }
    }

    @Test
    void aFrameWhoseMemoryIsGoneIsNotHeld() throws Exception {
        FrameBurst out = new FrameBurst(1, 1);
        try (ReorderBuffer hold = new ReorderBuffer(1)) {
            nothingWaitsThatWasNotSent(new Place() {
                @Override
                public boolean takes(Frames frames) {
                    hold.put(0, frames, 0, false, 0);
                    return !hold.isEmpty();
                }

                @Override
                public void empty() {
                    hold.take(0, out);
                }
            });
            assertThat(hold.isEmpty()).isTrue();
        }
    }

    @Test
    void theTestsMemoryIsReallyGone() throws Exception {
        try (Memfd file = Memfd.create("guest", SIZE)) {
            long address = Linux.map(file.descriptor().number(), 0, SIZE, true);
            Linux.truncate(file.descriptor().number(), 0);
            assertThat(RawMemory.readable(address, 1)).isFalse();
            Linux.unmap(address, SIZE);
        }
    }
}
