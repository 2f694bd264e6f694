package io.manafold.pmd.internal.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.manafold.api.device.PciAddress;
import io.manafold.api.device.Removal;
import io.manafold.api.ethdev.EthDevEvent;
import io.manafold.api.ethdev.EthDevPlan;
import io.manafold.api.ethdev.Offload;
import io.manafold.api.ethdev.RssHash;
import io.manafold.api.net.MacAddress;
import io.manafold.api.net.NetDevice;
import io.manafold.api.rdma.DeviceAttributes;
import io.manafold.api.rdma.RdmaDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.pmd.internal.queue.CheckedReceiveQueue;
import io.manafold.pmd.internal.queue.CheckedSendQueue;
import io.manafold.pmd.internal.words.EalWords;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a port answers while its device is there, is being reset, and has gone. */
class PollDeviceTest {
    private static final String ADDRESS = "7870:00:00.0";
    private static final DeviceAttributes LIMITS = new DeviceAttributes(0x1414, 2, 0, 1, 16, 16, 16, 16, 4096, 30, 1,
            4096, 0, 0, 65535);

    private final Directory directory = new Directory();
    private final PmdEnvironment environment = new PmdEnvironment(null, EalWords.parse(List.of("-l", "0"), 2), null,
            directory, null, Duration.ofSeconds(60));
    private final PortFacts facts = PortFacts.of(ADDRESS, 1, MacAddress.parse("00:0d:3a:00:00:01"), "mana0",
            EalWords.parse(List.of("-a", ADDRESS), 2).argument(PciAddress.parse(ADDRESS)), LIMITS);
    private final DomainDevice firstOnes = new DomainDevice();
    private final DomainDevice secondOnes = new DomainDevice();
    private final RdmaDevice first = firstOnes.device;
    private final RdmaDevice second = secondOnes.device;
    private final PollDevice port = new PollDevice(environment, directory, facts, PortDomain.of(first, 1), 0);
    private final BlockingQueue<EthDevEvent> events = new LinkedBlockingQueue<>();
    private final AutoCloseable listening = environment.listen(events::add);
    /** {@code null} if the network device does not tell. */
    private Long missed = 0L;

    private NetDevice network() {
        return (NetDevice) Proxy.newProxyInstance(PollDeviceTest.class.getClassLoader(),
                new Class<?>[] {NetDevice.class}, (proxy, method, arguments) -> switch (method.getName()) {
                    case "port" -> 1;
                    case "address" -> PciAddress.parse(ADDRESS);
                    case "totals" -> missed == null ? Map.of() : Map.of("rx_missed", missed);
                    case "hashCode" -> System.identityHashCode(proxy);
                    case "equals" -> proxy == arguments[0];
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    @AfterEach
    void end() throws Exception {
        listening.close();
    }

    private static void assertRefused(Errno errno, String part, ThrowingCallable asked) {
        assertThatThrownBy(asked).isInstanceOf(Refusal.class).hasMessageContaining(part).satisfies(refused ->
                assertThat(((Refusal) refused).errno()).isEqualTo(errno));
    }

    private void assertAllRefused(Errno errno, String part) {
        List<ThrowingCallable> calls = List.of(() -> port.configure(EthDevPlan.of(1)), () -> port.setUpSend(0, 0),
                () -> port.setUpReceive(0, 0, 0), port::start, () -> port.mtu(1500), port::redirection,
                () -> port.redirection(new int[64]), port::rss);
        calls.forEach(call -> assertRefused(errno, part, call));
        assertThat(port.link().isUp()).isFalse();
        assertThat(port.receiveQueue(0).burst(new int[4], 0, 4)).isZero();
        assertThat(port.sendQueue(0).burst(new int[4], 0, 4)).isZero();
    }

    @Test
    void nothingIsAskedOfAPortThatRecoversAndItIsStoppedAndClosed() {
        port.configure(EthDevPlan.of(1));
        assertThat(port.link().isUp()).isTrue();
        port.life().suspend();
        assertAllRefused(Errno.EBUSY, "is recovering from a reset");
        port.stop();
        assertThat(port.life().resume(second)).isTrue();
        assertThat(port.redirection()).hasSize(64);
        assertThat(port.life().isOf(second)).isTrue();
        assertThat(port.life().isOf(first)).isFalse();
        port.life().suspend();
        DomainDevice third = new DomainDevice();
        third.departure = Removal.DEVICE_GONE;
        assertThat(port.life().resume(third.device)).as("one that has gone again").isFalse();
        assertThat(third.domains()).isZero();
        port.life().fail();
        assertAllRefused(Errno.ENODEV, "has not come back");
        port.close();
        assertAllRefused(Errno.ENODEV, "has been closed");
        assertThat(port.life().resume(second)).isTrue();
        assertAllRefused(Errno.ENODEV, "has been closed");
    }

    @Test
    void countersHaveTheNamesThatDpdkGivesThem() {
        List<String> common = List.of("rx_good_packets", "tx_good_packets", "rx_good_bytes", "tx_good_bytes",
                "rx_missed_errors", "rx_errors", "tx_errors", "rx_mbuf_allocation_errors");
        assertThat(port.extendedStatistics().keySet()).as("before it has queues").containsExactlyElementsOf(common);
        port.configure(EthDevPlan.of(2));
        assertThat(List.copyOf(port.extendedStatistics().keySet())).startsWith(common.toArray(String[]::new))
                .endsWith("rx_q0_packets", "rx_q0_bytes", "rx_q0_errors", "rx_q1_packets", "rx_q1_bytes",
                        "rx_q1_errors", "tx_q0_packets", "tx_q0_bytes", "tx_q1_packets", "tx_q1_bytes").hasSize(18);
    }

    @Test
    void whatAPortCannotBeIsRefused() {
        assertRefused(Errno.EINVAL, "is not configured", port::start);
        assertRefused(Errno.EINVAL, "is not configured", () -> port.setUpSend(0, 0));
        for (int queues : new int[] {0, 3, 32, -1, Integer.MIN_VALUE}) {
            assertRefused(Errno.EINVAL, "the same power of two, at most 16",
                    () -> port.configure(EthDevPlan.of(queues)));
        }
        assertRefused(Errno.EINVAL, "the same power of two",
                () -> port.configure(new EthDevPlan(2, 1, 0, 0, null, false)));
        assertRefused(Errno.EINVAL, "no receive offloads 0x10",
                () -> port.configure(EthDevPlan.of(1).withOffloads(0x10, 0)));
        assertRefused(Errno.EINVAL, "no send offloads 0x20",
                () -> port.configure(EthDevPlan.of(1).withOffloads(0, 0x21)));
        assertRefused(Errno.EINVAL, "keys of 40 bytes",
                () -> port.configure(EthDevPlan.of(2).withRss(new RssHash(new byte[39], 0))));
        assertRefused(Errno.EINVAL, "hashes the fields",
                () -> port.configure(EthDevPlan.of(2).withRss(new RssHash(new byte[40], 1))));
        port.configure(EthDevPlan.of(2));
        for (int descriptors : new int[] {1, 63, 65, 8192, -64}) {
            assertRefused(Errno.EINVAL, "multiples of 64", () -> port.setUpSend(0, descriptors));
        }
        assertRefused(Errno.EINVAL, "the queues 0 to 1", () -> port.setUpSend(2, 0));
        assertRefused(Errno.EINVAL, "the queues 0 to 1", () -> port.setUpReceive(-1, 0, 0));
        assertRefused(Errno.EINVAL, "which is not there", () -> port.setUpReceive(0, 0, 255));
        assertRefused(Errno.EINVAL, "which is not there", () -> port.setUpReceive(0, 0, -1));
        assertRefused(Errno.EINVAL, "its queue 0 is not set up", port::start);
        assertRefused(Errno.EINVAL, "has no queue 2", () -> port.receiveQueue(2));
        assertRefused(Errno.EINVAL, "an MTU from 68 to 9000", () -> port.mtu(9001));
        assertRefused(Errno.ENODEV, "no network device", () -> port.mtu(1500));
        assertRefused(Errno.EOPNOTSUPP, "no promiscuous mode", () -> port.promiscuous(true));
        assertThatThrownBy(() -> port.sendQueue(0).burst(new int[4], 2, 3))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(port.plan().receiveQueues()).isEqualTo(2);
    }

    @Test
    void aPortThatIsRemovedWhileItRecoversStaysSo() {
        port.configure(EthDevPlan.of(1));
        port.life().suspend();
        assertThat(port.life().remove()).isTrue();
        assertThat(port.life().remove()).isFalse();
        assertAllRefused(Errno.ENODEV, "has been removed");
        assertThat(port.life().resume(second)).isTrue();
        port.life().fail();
        assertAllRefused(Errno.ENODEV, "has been removed");
    }

    /** An application that has given none may want to compute hashes, too. */
    @Test
    void theKeyOfTheHashIsToldThatIsInUse() {
        String usual = "2cc681d15bdbf4f7fca28319db1a3e946b9e38d92c9c03d1ad9944a7d9563d59063c25f3fc1fdc2a";
        byte[] own = HexFormat.of().parseHex("6d5a".repeat(20));
        port.configure(EthDevPlan.of(4));
        assertThat(HexFormat.of().formatHex(port.rss().key())).isEqualTo(usual);
        assertThat(port.rss().fields()).isEqualTo(RssHash.DEFAULT.fields());
        port.rss(new RssHash(own, RssHash.IPV4));
        assertThat(port.rss()).isEqualTo(new RssHash(own, RssHash.IPV4));
        port.rss(RssHash.DEFAULT);
        assertThat(HexFormat.of().formatHex(port.rss().key())).isEqualTo(usual);
    }

    /** It is the hash of which the queue of a packet follows. */
    @Test
    void aPortThatSpreadsItsPacketsTellsTheirHash() {
        port.configure(EthDevPlan.of(4).withOffloads(Offload.RECEIVE_VLAN_STRIP, Offload.SEND_SEGMENTS));
        assertThat(port.plan().receiveOffloads()).isEqualTo(Offload.RECEIVE_RSS_HASH | Offload.RECEIVE_VLAN_STRIP);
        assertThat(port.plan().sendOffloads()).isEqualTo(Offload.SEND_SEGMENTS);
        for (EthDevPlan none : List.of(EthDevPlan.of(1), EthDevPlan.of(1).withRss(RssHash.DEFAULT),
                EthDevPlan.of(2).withRss(new RssHash(new byte[0], 0)), new EthDevPlan(2, 2, 0, 0, null, false))) {
            port.configure(none);
            assertThat(port.plan()).isEqualTo(none);
        }
    }

    /** What a secondary takes of a checked pool is the application's from then on, as it is to its primary. */
    @Test
    void queuesThatAreLentAreLookedAtAsOthersAre() {
        PmdEnvironment checking = new PmdEnvironment(null, EalWords.parse(List.of("-l", "0", "--check"), 2), null,
                directory, null, Duration.ZERO);
        try (PollDevice one = new PollDevice(checking, directory, facts, PortDomain.of(first, 1), 0)) {
            one.configure(EthDevPlan.of(2));
            one.offerQueues(1);
            assertThat(one.lend(1).receive()).isInstanceOf(CheckedReceiveQueue.class);
            one.life().takeBack(1);
            assertThat(one.lend(1).send()).isInstanceOf(CheckedSendQueue.class);
        }
    }

    /** A minute is never waited for: the thread is told at once, with the words that a start is refused with. */
    @Test
    void aThreadThatSleepsIsToldThatThePortHasGone() throws Exception {
        Map<String, Consumer<PollDevice>> ends = Map.of("has not come back from a reset", one -> one.life().fail(),
                "has been removed; close it", one -> one.life().remove(), "has been closed", PollDevice::close);
        for (Map.Entry<String, Consumer<PollDevice>> end : ends.entrySet()) {
            PollDevice one = new PollDevice(environment, directory, facts, PortDomain.of(first, 1), 0);
            one.configure(EthDevPlan.of(1).withInterrupts());
            one.life().suspend();
            CompletableFuture<Throwable> told = new CompletableFuture<>();
            Thread sleeper = Thread.ofPlatform().daemon().start(() -> told.complete(catchThrowable(
                    () -> one.receiveQueue(0).await(TimeUnit.MINUTES.toNanos(10)))));
            while (sleeper.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }
            end.getValue().accept(one);
            Throwable refused = told.get(60, TimeUnit.SECONDS);
            assertRefused(Errno.ENODEV, end.getKey(), () -> {
                throw refused;
            });
            assertRefused(Errno.ENODEV, end.getKey(), () -> one.receiveQueue(0).await(1));
        }
    }

    @Test
    void aPortGoesOnWhenBothOfItsDevicesAreThere() throws Exception {
        port.configure(EthDevPlan.of(1));
        port.life().suspend();
        Recovery.begin(environment, directory, port, Duration.ofSeconds(60));
        directory.add(second, ADDRESS, "manae_0");
        assertThat(events).isEmpty();
        directory.add(network());
        EthDevEvent event = events.poll(60, TimeUnit.SECONDS);
        assertThat(event.kind()).as(event.text()).isEqualTo(EthDevEvent.Kind.RECOVERY_SUCCESS);
        assertThat(port.life().isOf(second)).isTrue();
        directory.remove(second);
        port.life().suspend();
        Recovery.begin(environment, directory, port, Duration.ZERO);
        assertThat(events.poll(60, TimeUnit.SECONDS).kind()).isEqualTo(EthDevEvent.Kind.RECOVERY_FAILED);
        assertAllRefused(Errno.ENODEV, "has not come back");
    }

    @Test
    void packetsWithoutABufferAreCountedOverAResetOfTheFunction() {
        missed = 7L;
        directory.add(network());
        PollDevice late = new PollDevice(environment, directory, facts, PortDomain.of(first, 1), 1);
        assertThat(late.statistics().missed()).as("those before it").isZero();
        missed = 10L;
        assertThat(late.statistics().missed()).isEqualTo(3);
        missed = 2L;
        assertThat(late.statistics().missed()).as("counted from 0 again").isEqualTo(5);
        assertThat(late.extendedStatistics()).containsEntry("rx_missed_errors", 5L);
        late.resetStatistics();
        assertThat(late.statistics().missed()).isZero();
        missed = 4L;
        assertThat(late.statistics().missed()).isEqualTo(2);
    }

    /** What a device tells late is not what was missed since. */
    @Test
    void packetsWithoutABufferAreNotGuessed() {
        missed = null;
        directory.add(network());
        PollDevice late = new PollDevice(environment, directory, facts, PortDomain.of(first, 1), 1);
        assertThat(late.statistics().missed()).isZero();
        missed = 100L;
        assertThat(late.statistics().missed()).as("those before it was known").isZero();
        missed = 103L;
        assertThat(late.statistics().missed()).isEqualTo(3);
        missed = null;
        assertThat(late.statistics().missed()).isEqualTo(3);
        missed = 104L;
        assertThat(late.statistics().missed()).isEqualTo(4);
    }
}
