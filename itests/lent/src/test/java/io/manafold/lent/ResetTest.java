package io.manafold.lent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.adapter.internal.TestAdapter;
import io.manafold.api.refusal.Refusal;
import io.manafold.fabric.internal.BareSwitch;
import io.manafold.gdma.DeviceId;
import io.manafold.gdma.message.QueryMaxResources;
import io.manafold.memory.DmaArena;
import io.manafold.memory.RawMemory;
import io.manafold.vfio.internal.BareExport;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A function is reset under its driver, while frames fly: by its register, and by the machine around it. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class ResetTest {
    private static final int ROUNDS = 100;
    private static final int WARM_UP = 5;
    private static final long BASE = 0x1_0000_0000L;
    private static final int BYTES = 16 << 20;
    private static final int ID = 0x00ba1414;

    @TempDir
    Path folder;

    @Test
    void theFunctionIsAsNewAndNothingStays() throws Exception {
        Path socket = folder.resolve("one.sock");
        try (BareSwitch link = new BareSwitch("link", "one/1", "one/2");
                TestAdapter one = new TestAdapter("one", "ports", 2, "queues", 4)) {
            one.plug(link.link(), "one/1", "one/2");
            try (BareExport export = new BareExport("one", one.function(), socket);
                    Borrowed function = new Borrowed(socket)) {
                Footprint before = null;
                for (int round = 0; round < ROUNDS + WARM_UP; round++) {
                    before = round == WARM_UP ? Footprint.now() : before;
                    resetUnderTraffic(one, function, round);
                    assertThat(one.function().dma().ranges()).isZero();
                }
                assertThat(Footprint.now().isWithin(before, ROUNDS / 4)).as("%s, at first %s", Footprint.now(), before)
                        .isTrue();
                assertThat(export.connected()).isTrue();
            }
        }
    }

    private void resetUnderTraffic(TestAdapter one, Borrowed function, int round) throws Exception {
        DmaArena memory = new DmaArena(function.dma(), "before", BASE, BYTES);
        try {
            long begin = memory.allocate(RawMemory.PAGE).pointer();
            Traffic traffic = new Traffic(function, memory);
            traffic.start();
            traffic.await(100);
            if (round % 2 == 0) {
                function.resetByRegister();
            } else {
                function.reset();
            }
            assertThat(one.adapter().state()).isEqualTo("idle");
            traffic.stop();
            assertThat(function.readConfig(0, 4)).isEqualTo(ID);
            assertThat(used(one.adapter().usage())).as("what a driver had made").isEmpty();
            if (round % 20 == 0) {
                theChannelIsGone(traffic);
            }
            // the kernel of a guest does not tell its driver; that one gives up, and all it had is written no more
            traffic.session.function().channel().close();
            function.interrupts().clear();
            long sum = sum(begin);
            aNewSessionComesUp(function);
            assertThat(sum(begin)).as("memory of the driver before").isEqualTo(sum);
        } finally {
            memory.discard();
        }
    }

    private static void theChannelIsGone(Traffic traffic) {
        traffic.session.function().channel().setTimeout(100);
        assertThatThrownBy(() -> traffic.session.function().channel().call(DeviceId.NONE, new QueryMaxResources()))
                .isInstanceOf(Refusal.class).hasMessageContaining("did not answer");
    }

    private static void aNewSessionComesUp(Borrowed function) throws Exception {
        try (DmaArena memory = new DmaArena(function.dma(), "after", BASE + BYTES, BYTES)) {
            Traffic traffic = new Traffic(function, memory);
            traffic.start();
            traffic.await(100);
            traffic.stop();
            traffic.close();
            assertThat(memory.pagesInUse()).isZero();
        }
    }

    /** What is used of the adapter's limits, memory that is lent aside. */
    private static Map<String, Long> used(Map<String, Long> usage) {
        usage.keySet().removeAll(Set.of("mapped_ranges", "mapped_bytes", "rejections"));
        usage.values().removeIf(value -> value == 0);
        return usage;
    }

    private static long sum(long begin) {
        CRC32 sum = new CRC32();
        byte[] bytes = new byte[BYTES];
        RawMemory.copy(begin, bytes, 0, bytes.length);
        sum.update(bytes);
        return sum.getValue();
    }
}
