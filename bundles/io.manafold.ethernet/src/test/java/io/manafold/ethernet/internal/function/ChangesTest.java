package io.manafold.ethernet.internal.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.adapter.Fault;
import io.manafold.api.device.PciAddress;
import io.manafold.api.net.Counter;
import io.manafold.api.net.Moderation;
import io.manafold.api.net.QueueStatus;
import io.manafold.api.net.ReceiveHook;
import io.manafold.api.net.ReceivePolicy;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.ethernet.internal.port.EthernetDevice;
import io.manafold.ethernet.internal.queue.PortConfig;
import io.manafold.ethernet.internal.queue.PrivateFlags;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Changes of a port while frames come and go. */
@Timeout(300)
class ChangesTest {
    private final Bench bench = new Bench("queues", 8);
    private Pulse left = new Pulse(bench.left(), bench.right());
    private Pulse right = new Pulse(bench.right(), bench.left());

    @AfterEach
    void close() {
        left.close();
        right.close();
        bench.close();
        assertThat(left.wrong).isZero();
        assertThat(right.wrong).isZero();
    }

    private void bothFlow(String after) {
        left.flows(after);
        right.flows(after);
    }

    private static void assertRefused(Errno errno, ThrowingCallable wish) {
        assertThatThrownBy(wish).isInstanceOfSatisfying(Refusal.class,
                refusal -> assertThat(refusal.errno()).as(refusal.getMessage()).isEqualTo(errno));
    }

    @Test
    void everyChangeIsMadeUnderTraffic() {
        EthernetDevice device = bench.left();
        bothFlow("at first");
        device.setMtu(9000);
        assertThat(device.mtu()).isEqualTo(9000);
        bothFlow("with another MTU");
        assertThat(device.setRings(1000, 256)).hasSize(1);
        assertThat(device.rings().receive()).isEqualTo(1024);
        assertThat(device.setRings(2048, 512)).isEmpty();
        bothFlow("with other rings");
        device.setChannels(3);
        bothFlow("with other channels");
        // more than half of what there is: old and new have no room side by side
        device.setChannels(8);
        assertThat(device.channels()).isEqualTo(8);
        bothFlow("with all channels");
        device.setMtu(1500);
        bothFlow("with all channels and another MTU");
        device.setSpreading(new byte[40], new int[64]);
        assertThat(device.spreading().table()).containsOnly(0);
        bothFlow("with another table");
        device.setCoalescing(4);
        assertThat(device.coalescing().nanos()).isEqualTo(2048);
        bothFlow("with coalescing");
        device.setCoalescing(8);
        assertThat(device.coalescing().frames()).isEqualTo(8);
        bothFlow("with up to eight to a completion");
        assertThat(device.moderation(true)).contains(Moderation.ADAPTIVE);
        device.setModeration(new Moderation(false, 100, 16), new Moderation(false, 50, 0));
        bothFlow("with interrupts held back");
        assertThat(device.debugState()).containsEntry("rx_7_usecs", 100L).containsEntry("rx_0_frames", 16L)
                .containsEntry("tx_7_usecs", 50L).containsEntry("tx_0_frames", 0L);
        assertThat(bench.adapter.adapter().ports().getFirst().queues()).allSatisfy(queue -> assertThat(queue)
                .containsEntry("rx_usecs", 100L).containsEntry("rx_frames", 16L).containsEntry("tx_usecs", 50L));
        assertThat(device.queues()).extracting(QueueStatus::events).allSatisfy(events -> {
            assertThat(events.adaptive()).isFalse();
            assertThat(events.micros()).isPositive();
        }).anySatisfy(events -> assertThat(events.count()).isPositive());
        device.setModeration(Moderation.ADAPTIVE, Moderation.OFF);
        device.setPages(ReceivePolicy.FRAGMENT, 65536);
        // from here on a page may be for one packet only
        device.setRings(256, 256);
        bothFlow("with other pages");
        device.setHook((_, _) -> ReceiveHook.Verdict.PASS);
        bothFlow("with a hook");
        device.setHook(null);
        device.setFeature("tx-checksumming", false);
        device.setPrivateFlag(PortConfig.POLL, true);
        bothFlow("polling");
        device.setPrivateFlag(PortConfig.POLL, false);
        device.setPrivateFlag(PrivateFlags.FULL_PAGE, true);
        device.setUp(false);
        device.setUp(false);
        assertThat(device.hasCarrier()).isFalse();
        device.setUp(true);
        assertThat(device.hasCarrier()).isTrue();
        assertThat(device.totals()).containsEntry("carrier_changes", 2L).containsEntry("rx_length_errors", 0L);
        bothFlow("up again");
        assertThat(bench.adapter.adapter().rejections()).isEmpty();
        assertThat(device.totals().get("tx_dropped")).isZero();
    }

    @Test
    void whatWasSetIsThereForTheNextDriver() {
        EthernetDevice device = bench.left();
        byte[] key = new byte[40];
        key[7] = 7;
        device.setMtu(4000);
        device.setRings(512, 1024);
        device.setChannels(4);
        device.setSpreading(key, null);
        device.setModeration(new Moderation(true, 0, 0), new Moderation(false, 64, 32));
        bench.right().setUp(false);
        byte[] random = bench.right().spreading().key();
        bench.remove();
        bench.begin();
        EthernetDevice next = bench.left();
        assertThat(next.mtu()).isEqualTo(4000);
        assertThat(next.moderation(true)).contains(Moderation.ADAPTIVE);
        assertThat(next.moderation(false)).contains(new Moderation(false, 64, 32));
        assertThat(next.debugState()).containsEntry("tx_0_usecs", 64L);
        assertThat(next.rings().receive()).isEqualTo(512);
        assertThat(next.rings().transmit()).isEqualTo(1024);
        assertThat(next.channels()).isEqualTo(4);
        assertThat(next.spreading().key()).isEqualTo(key);
        assertThat(bench.right().isUp()).isFalse();
        assertThat(bench.right().spreading().key()).as("a random key stays").isEqualTo(random);
        assertThat(next.speed()).isEqualTo(200_000_000_000L);
        assertRefused(Errno.ENODEV, () -> device.setMtu(1500));
    }

    @Test
    void whatTheDeviceRefusesLeavesThePortAsItWas() {
        EthernetDevice device = bench.left();
        bothFlow("at first");
        for (String message : List.of("create-wq-object", "create-queue", "configure-vport-rx")) {
            bench.adapter.adapter().inject(new Fault("no", message, Fault.Effect.STATUS, 0xc000_0001, 0, true));
            assertThatThrownBy(() -> device.setMtu(3000)).as(message).isInstanceOf(Refusal.class);
            assertThat(device.mtu()).isEqualTo(1500);
            bothFlow("after a refusal of " + message);
        }
        device.setChannels(8);
        bench.adapter.adapter().inject(new Fault("no", "create-wq-object", Fault.Effect.STATUS, 0xc000_0001, 0, true));
        assertThatThrownBy(() -> device.setMtu(3000)).isInstanceOf(Refusal.class);
        assertThat(device.mtu()).isEqualTo(1500);
        bothFlow("after a refusal without room for both");
        assertRefused(Errno.ENOMEM, () -> {
            device.setPages(ReceivePolicy.PAGE, 65536);
            device.setRings(8192, 256);
        });
        assertThat(device.rings().receive()).isEqualTo(1024);
        bothFlow("after there was not enough memory");
    }

    @Test
    void countersHaveTheNamesAndTheOrderOfTheRealDriver() {
        EthernetDevice device = bench.left();
        device.setChannels(2);
        left.flows("to be counted");
        List<Counter> counters = device.statistics();
        assertThat(counters).hasSize(6 + 27 + 50 + 2 * 13 + 2 * 11);
        assertThat(counters.get(0).name()).isEqualTo("stop_queue");
        assertThat(counters.get(6).name()).isEqualTo("hc_rx_discards_no_wqe");
        assertThat(counters.get(33).name()).isEqualTo("hc_rx_pkt_drop_phy");
        assertThat(counters.get(83).name()).isEqualTo("rx_0_packets");
        assertThat(counters.get(95).name()).isEqualTo("rx_0_coalesced_cqe_8");
        assertThat(counters.get(109).name()).isEqualTo("tx_0_packets");
        assertThat(counters.getLast().name()).isEqualTo("tx_1_mana_map_err");
        assertThat(counters.get(109).value()).isPositive();
        Bench.await("the host's counters are asked for", () -> device.statistics().stream()
                .anyMatch(one -> one.name().equals("hc_tx_ucast_pkts") && one.value() > 0));
        assertThat(device.statistics()).anyMatch(one -> one.name().equals("hc_tc0_tx_pkt_phy") && one.value() > 0);
        device.setUp(false);
        assertThat(device.statistics()).hasSize(counters.size()).allMatch(one -> one.value() == 0);
    }

    @Test
    void aPlanMayComeFirstOrLater() {
        PciAddress address = bench.adapter.function().address();
        bench.drive.follow(new Plan(address, 1, "mana0", Optional.of(1400), true));
        Bench.await("the plan is followed", () -> bench.left().mtu() == 1400);
        bothFlow("with a plan");
        left.close();
        bench.plans.put(1, new Plan(address, 1, "uplink", Optional.of(1400), true));
        bench.drive.follow(bench.plans.get(1));
        Bench.await("the device has its name", () -> bench.left().name().equals("uplink"));
        left = new Pulse(bench.left(), bench.right(), left.next());
        bothFlow("under another name");
        // what an administrator has set is stronger
        bench.left().setMtu(1300);
        bench.drive.follow(new Plan(address, 1, "uplink", Optional.of(1400), false));
        Bench.await("the rest of the plan is followed", () -> !bench.left().isUp());
        assertThat(bench.left().mtu()).isEqualTo(1300);
        bench.plans.clear();
        bench.plans.put(2, new Plan(address, 2, "second", Optional.of(9000), false));
        bench.remove();
        bench.begin();
        assertThat(bench.left().name()).isEqualTo("mana0");
        assertThat(bench.right().name()).isEqualTo("second");
        assertThat(bench.right().mtu()).isEqualTo(9000);
        assertThat(bench.right().isUp()).isFalse();
    }

    @Test
    void namesThatPlansWantAreGivenWay() {
        PciAddress address = bench.adapter.function().address();
        left.close();
        right.close();
        bench.plans.put(1, new Plan(address, 1, "mana1", Optional.empty(), true));
        bench.plans.put(2, new Plan(address, 2, "mana0", Optional.empty(), true));
        bench.plans.values().forEach(bench.drive::follow);
        Bench.await("the two have each other's name",
                () -> bench.left().name().equals("mana1") && bench.right().name().equals("mana0"));
        bench.plans.clear();
        Plan stranger = new Plan(new PciAddress(1, 2, 3, 4), 1, "mana1", Optional.empty(), true);
        bench.plans.put(9, stranger);
        bench.drive.follow(stranger);
        Bench.await("the name is free", () -> bench.devices.isFree("mana1"));
        Bench.await("the device has another", () -> bench.left().name().equals("mana2"));
        assertThat(bench.right().name()).isEqualTo("mana0");
        left = new Pulse(bench.left(), bench.right());
        right = new Pulse(bench.right(), bench.left());
        bothFlow("under other names");
    }
}
