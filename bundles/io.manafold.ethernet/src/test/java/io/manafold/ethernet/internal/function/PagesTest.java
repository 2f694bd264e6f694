package io.manafold.ethernet.internal.function;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.device.Removal;
import io.manafold.api.net.PoolStatus;
import io.manafold.api.net.ReceiveMapping;
import io.manafold.api.net.ReceivePolicy;
import io.manafold.ethernet.internal.port.EthernetDevice;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Where the pages of a device are, when they are mapped, and who has not given them back. */
@Timeout(300)
class PagesTest {
    private static final int PACKETS = 40;

    private final Bench bench = new Bench();

    @AfterEach
    void close() {
        bench.close();
    }

    private static long count(EthernetDevice device, String what) {
        return device.pools().stream().mapToLong(pool -> pool.statistics().get(what)).sum();
    }

    private static void exchange(Station from, Station to, int packets) {
        for (int i = 0; i < packets; i++) {
            byte[] frame = from.frame(to.device, i, 1400 + i);
            from.send(frame);
            assertThat(to.next().bytes()).isEqualTo(frame);
        }
    }

    @ParameterizedTest
    @EnumSource(ReceiveMapping.class)
    void pagesAreMappedAsItIsSet(ReceiveMapping mapping) {
        EthernetDevice device = bench.right();
        bench.right().setRings(128, 128);
        try (Station left = new Station(bench.left()); Station right = new Station(device)) {
            for (ReceivePolicy policy : ReceivePolicy.values()) {
                device.setPages(policy, 16384, mapping);
                assertThat(device.mapping()).isEqualTo(mapping);
                exchange(left, right, PACKETS);
                assertThat(device.pools()).filteredOn(pool -> !pool.closing()).isNotEmpty().allSatisfy(pool -> {
                    assertThat(pool.mapping()).isEqualTo(mapping);
                    assertThat(pool.plan().policy()).isEqualTo(policy);
                });
                long maps = count(device, "dma-map");
                exchange(left, right, PACKETS);
                long more = count(device, "dma-map") - maps;
                if (!mapping.isRepeated()) {
                    assertThat(maps).isEqualTo(mapping == ReceiveMapping.PAGE
                            ? device.pools().stream().mapToLong(PoolStatus::pages).sum() : 0);
                    assertThat(more).isZero();
                } else if (policy == ReceivePolicy.PAGE) {
                    assertThat(more).isEqualTo(PACKETS);
                } else {
                    assertThat(more).isBetween(1L, (long) PACKETS);
                }
            }
            // the other way, and in the memory of the packets that came
            exchange(right, left, 3);
        }
        assertThat(bench.adapter.adapter().rejections()).isEmpty();
    }

    @Test
    void whatIsReachedNoMoreIsCopiedWhenItIsSentBack() {
        EthernetDevice device = bench.right();
        for (ReceiveMapping mapping : ReceiveMapping.values()) {
            device.setPages(ReceivePolicy.LEAN, 4096, mapping);
            long before = device.life().counters().send(0).copied;
            try (Station left = new Station(bench.left()); Echo right = new Echo(device)) {
                // 802.1Q would be another queue's affair: one queue is enough
                byte[] frame = left.frame(device, 9, 700);
                left.send(frame);
                byte[] back = left.next().bytes();
                assertThat(back).endsWith(java.util.Arrays.copyOfRange(frame, 12, 700));
            }
            assertThat(device.life().counters().send(0).copied - before).as("%s", mapping)
                    .isEqualTo(mapping.isRepeated() ? 1 : 0);
        }
        assertThat(bench.adapter.adapter().rejections()).isEmpty();
    }

    @Test
    void howPagesAreMappedIsThereForTheNextDriver() {
        bench.left().setPages(ReceivePolicy.PAGE, 65536, ReceiveMapping.WHOLE_PAGE);
        bench.right().setPages(ReceivePolicy.LEAN, 16384);
        bench.remove();
        bench.begin();
        assertThat(bench.left().mapping()).isEqualTo(ReceiveMapping.WHOLE_PAGE);
        assertThat(bench.left().pageSize()).isEqualTo(65536);
        assertThat(bench.right().mapping()).isEqualTo(ReceiveMapping.ARENA);
        assertThat(bench.right().pageSize()).isEqualTo(16384);
    }

    @Test
    void whoeverGivesNothingBackIsNamed() {
        Station left = new Station(bench.left());
        Station right = new Station(bench.right());
        right.keeping = true;
        exchange(left, right, 3);
        assertThat(held(bench.right())).containsExactly("in use: station 3");
        bench.right().setMtu(4000);
        exchange(left, right, 1);
        assertThat(held(bench.right())).containsExactly("closing: station 3", "in use: station 1");
        right.kept.removeFirst().release();
        assertThat(held(bench.right())).containsExactly("closing: station 2", "in use: station 1");
        FunctionDrive gone = bench.drive;
        bench.drive = null;
        EthernetDevice device = gone.offered().get(1);
        gone.remove(Removal.UNBIND);
        assertThat(held(device)).containsExactly("closing: station 2", "closing: station 1");
        assertThat(gone.memory().pagesInUse()).isPositive();
        left.close();
        right.close();
        assertThat(device.pools()).isEmpty();
        assertThat(gone.memory().pagesInUse()).isZero();
    }

    private static List<String> held(EthernetDevice device) {
        return device.pools().stream().filter(pool -> !pool.held().isEmpty()).map(pool ->
                (pool.closing() ? "closing" : "in use") + ": " + pool.held().toString().replaceAll("[{}]", "")
                        .replace('=', ' ')).toList();
    }
}
