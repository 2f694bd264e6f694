package io.manafold.pmd.internal.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.device.PciAddress;
import io.manafold.api.ethdev.Environment;
import io.manafold.api.ethdev.EthDev;
import io.manafold.api.ethdev.EthDevEvent;
import io.manafold.api.ethdev.EthDevPlan;
import io.manafold.api.ethdev.EthDevStatistics;
import io.manafold.api.ethdev.Offload;
import io.manafold.api.ethdev.ReceiveQueue;
import io.manafold.api.ethdev.RssHash;
import io.manafold.api.net.MacAddress;
import io.manafold.api.net.NetDevice;
import io.manafold.api.net.SyntheticDevice;
import io.manafold.api.net.SyntheticPort;
import io.manafold.api.rdma.DeviceAttributes;
import io.manafold.api.rdma.MemoryRegion;
import io.manafold.api.rdma.QueuePair;
import io.manafold.api.rdma.RdmaDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.QueueType;
import io.manafold.gdma.driver.DirectQueue;
import io.manafold.memory.PacketPlan;
import io.manafold.memory.PacketPool;
import io.manafold.memory.PacketPools;
import io.manafold.memory.SharedBlocks;
import io.manafold.pmd.internal.queue.LyingQueue;
import io.manafold.testkit.Blocks;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;

/** A port over a pair whose virtual function does not do as it should. */
@Timeout(300)
class PairedLifeTest {
    private static final String ADDRESS = "7870:00:00.0";
    private static final String INSTANCE = "000d3ad0-0001-000d-3ad0-0001000d3ad0";
    private static final int PACKETS = 512;
    private static final int DESCRIPTORS = 64;
    private static final MacAddress MAC = MacAddress.parse("00:0d:3a:00:00:01");
    private static final DeviceAttributes LIMITS = new DeviceAttributes(0x1414, 2, 0, 1, 16, 16, 16, 16, 4096, 30, 1,
            4096, 0, 0, 65535);

    private final SharedBlocks memory = Blocks.source();
    private final PacketPools pools = new PacketPools(memory);
    private final PacketPool pool = pools.make(new PacketPlan("test", PACKETS, 0, PacketPlan.DEFAULT_ROOM));
    private LyingQueue out = new LyingQueue(memory, QueueType.SEND);
    private LyingQueue in = new LyingQueue(memory, QueueType.RECEIVE);
    private volatile boolean keepsMemory;
    /** Whether the host has told of the virtual function. */
    private volatile boolean isAssociated = true;
    /** What happens while a queue is given up. */
    private volatile Runnable late = () -> { };
    /** Whether each receive queue has a completion of another's as soon as there is one. */
    private volatile boolean isSpoilt;
    private final List<LyingQueue> spoilt = new CopyOnWriteArrayList<>();
    private final NetDevice network = fake(NetDevice.class, Map.of("address", PciAddress.parse(ADDRESS), "port", 1,
            "mac", MAC, "name", "mana0", "isUp", false, "hasLink", true, "speed", 0L, "mtu", 1500, "totals",
            Map.of("rx_missed", 0L)));
    private final SyntheticDevice pair = fake(SyntheticDevice.class, Map.of("name", "eth1", "instance", INSTANCE,
            "mac", MAC, "address", PciAddress.parse(ADDRESS), "port", 1, "device", network,
            "poll", fake(SyntheticPort.class, Map.of("length", 0))));
    private final RdmaDevice device = fake(RdmaDevice.class, Map.of());
    private final EnvironmentBook book = new EnvironmentBook(fake(BundleContext.class, Map.of()),
            fake(EnvironmentBook.Config.class, Map.of("recovery_limit", 1000L)), pools, memory);
    private final Queue<EthDevEvent> events = new ConcurrentLinkedQueue<>();
    private Environment environment;

    @AfterEach
    void end() {
        keepsMemory = false;
        book.end();
        book.removeRdma(device);
        pool.close();
        out.close();
        in.close();
        spoilt.forEach(LyingQueue::close);
        assertThat(memory.blocks()).isEmpty();
    }

    /** Answers what is given, and of the rest what a device makes that does all. */
    private <T> T fake(Class<T> type, Map<String, Object> answers) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "hashCode" -> System.identityHashCode(proxy);
                    case "equals" -> proxy == arguments[0];
                    case "toString" -> type.getSimpleName();
                    case "getServiceReferences" -> List.of();
                    case "registerService" -> fake(ServiceRegistration.class, Map.of());
                    case "attributes" -> LIMITS;
                    case "departure" -> null;
                    case "isAssociated" -> isAssociated;
                    case "direct" -> proxy instanceof QueuePair ? out.direct : receives();
                    case "close" -> {
                        late.run();
                        if (keepsMemory && proxy instanceof MemoryRegion) {
                            throw new Refusal(Errno.EIO, "The memory is not given up.");
                        }
                        yield null;
                    }
                    default -> answers.containsKey(method.getName()) ? answers.get(method.getName())
                            : any(method.getReturnType());
                }));
    }

    private DirectQueue receives() {
        if (!isSpoilt) {
            return in.direct;
        }
        LyingQueue made = new LyingQueue(memory, QueueType.RECEIVE);
        made.publish(99);
        spoilt.add(made);
        return made.direct;
    }

    private Object any(Class<?> type) {
        if (type == int.class) {
            return 0x100;
        }
        if (type == long.class) {
            return pool.block().segment().address();
        }
        return type.isInterface() ? fake(type, Map.of()) : null;
    }

    private EthDev start() {
        EthDev port = probed();
        port.configure(EthDevPlan.of(1));
        port.setUpSend(0, DESCRIPTORS);
        port.setUpReceive(0, DESCRIPTORS, pool.number());
        port.start();
        assertThat(switches(port)).isOne();
        return port;
    }

    private EthDev probed() {
        book.addNetwork(network);
        book.addRdma(device, Map.of("address", ADDRESS));
        book.addSynthetic(pair);
        environment = book.start(List.of("-l", "0", "--in-memory"));
        environment.listen(events::add);
        return environment.ports().stream().filter(one -> one.name().equals(INSTANCE)).findFirst().orElseThrow();
    }

    private static long switches(EthDev port) {
        return port.extendedStatistics().get("path_switches");
    }

    private static void await(String what, BooleanSupplier done) {
        long giveUp = System.nanoTime() + 60_000_000_000L;
        while (!done.getAsBoolean()) {
            assertThat(System.nanoTime()).as(what).isLessThan(giveUp);
            Thread.yield();
        }
    }

    /** As a port of the virtual function has: who has packets spread by their hash is told it. */
    @Test
    void whoHasPacketsSpreadIsToldTheirHash() {
        EthDev port = probed();
        assertThat(port.info().receiveOffloads()).isEqualTo(Offload.RECEIVE_RSS_HASH);
        port.configure(EthDevPlan.of(1));
        assertThat(port.plan().receiveOffloads()).isZero();
        port.configure(EthDevPlan.of(2).withRss(new RssHash(new byte[0], RssHash.ALL)));
        assertThat(port.plan().receiveOffloads()).isEqualTo(Offload.RECEIVE_RSS_HASH);
        assertThatThrownBy(() -> port.configure(EthDevPlan.of(1).withOffloads(Offload.RECEIVE_VLAN_STRIP, 0)))
                .isInstanceOf(Refusal.class).hasMessageContaining("has no receive offloads");
    }

    @Test
    void countersOfBothWaysHaveTheNamesThatOthersGiveThem() {
        EthDev port = start();
        List<String> all = List.copyOf(port.extendedStatistics().keySet());
        assertThat(all).startsWith("rx_good_packets", "tx_good_packets", "rx_good_bytes", "tx_good_bytes",
                "rx_missed_errors", "rx_errors", "tx_errors", "rx_mbuf_allocation_errors", "tx_q0_good_packets",
                "tx_q0_good_bytes", "tx_q0_errors", "rx_q0_good_packets", "rx_q0_good_bytes", "rx_q0_errors");
        assertThat(all).endsWith("path_switches", "vf_rx_good_packets", "vf_tx_good_packets", "vf_rx_good_bytes",
                "vf_tx_good_bytes", "vf_rx_missed_errors", "vf_rx_errors", "vf_tx_errors",
                "vf_rx_mbuf_allocation_errors", "vf_rx_q0_packets", "vf_rx_q0_bytes", "vf_rx_q0_errors",
                "vf_tx_q0_packets", "vf_tx_q0_bytes");
    }

    @Test
    void aVirtualFunctionWhoseQueueHasFailedIsStartedAnew() {
        EthDev port = start();
        LyingQueue before = in;
        in = new LyingQueue(memory, QueueType.RECEIVE);
        before.publish(99);
        await("the failure is seen to", () -> {
            assertThat(port.receiveQueue(0).burst(new int[1], 0, 1)).isZero();
            return switches(port) == 3;
        });
        assertThat(pool.available()).as("packets that are not in its receive queue").isEqualTo(PACKETS - DESCRIPTORS);
        before.close();
    }

    @Test
    void aVirtualFunctionThatFailsAsSoonAsItIsStartedIsStartedNowAndThen() {
        isSpoilt = true;
        EthDev port = start();
        long begin = System.nanoTime();
        await("it is started for the third time", () -> {
            assertThat(port.receiveQueue(0).burst(new int[1], 0, 1)).isZero();
            return spoilt.size() == 3;
        });
        assertThat(System.nanoTime() - begin).as("at once, then after a pause").isGreaterThan(Backoff.FIRST_NANOS);
        long end = System.nanoTime() + Backoff.FIRST_NANOS;
        while (System.nanoTime() - end < 0) {
            assertThat(port.receiveQueue(0).burst(new int[1], 0, 1)).isZero();
            assertThat(spoilt).as("starts").hasSize(3);
            Thread.yield();
        }
        assertThat(port.isStarted()).isTrue();
        assertThat(switches(port)).as("the path is its synthetic device's").isEven();
    }

    @Test
    void whatAQueueSaysWhileItsPortIsStoppedIsNotSaidOfTheNextStart() {
        EthDev port = start();
        PollDevice function = ((PmdEnvironment) environment).list().function(MAC);
        LyingQueue before = in;
        in = new LyingQueue(memory, QueueType.RECEIVE);
        late = () -> ((PmdEnvironment) environment).failed(function, function.say().failure("send", 0, "It lies."));
        before.publish(99);
        await("the failure is seen to", () -> {
            assertThat(port.receiveQueue(0).burst(new int[1], 0, 1)).isZero();
            return switches(port) == 3;
        });
        long end = System.nanoTime() + 500_000_000;
        while (System.nanoTime() - end < 0) {
            assertThat(switches(port)).as("path switches").isEqualTo(3);
            Thread.yield();
        }
        late = () -> { };
        before.close();
    }

    @Test
    void aVirtualFunctionThatIsDissociatedAndRefusesToStopIsTold() {
        PairedDevice port = (PairedDevice) start();
        LoggedLines.LINES.clear();
        keepsMemory = true;
        isAssociated = false;
        port.life().look();
        // packets go by the synthetic device, and the virtual function is stopped
        port.life().look();
        port.life().look();
        assertThat(port.isStarted()).isTrue();
        assertThat(switches(port)).isEqualTo(2);
        await("its refusal is told", () -> LoggedLines.LINES.stream().anyMatch(line -> line.contains("does not use "
                + ADDRESS + "_port1 yet: ")));
    }

    @Test
    void aPortBelowAnotherKeepsItsCounters() {
        EthDev port = start();
        EthDev below = environment.ports().stream().filter(one -> !one.owner().isEmpty()).findFirst().orElseThrow();
        assertThatThrownBy(below::resetStatistics).isInstanceOfSatisfying(Refusal.class, refused ->
                assertThat(refused.errno()).isEqualTo(Errno.EBUSY)).hasMessageContaining("ask that");
        port.resetStatistics();
        assertThat(port.statistics()).isEqualTo(EthDevStatistics.NONE);
    }

    @Test
    void aBurstThatFindsItsQueueFailedDoesNotWaitForTheEnvironment() throws InterruptedException {
        EthDev port = start();
        LyingQueue before = in;
        in = new LyingQueue(memory, QueueType.RECEIVE);
        ReceiveQueue queue = port.receiveQueue(0);
        Thread burst = Thread.ofPlatform().unstarted(() -> queue.burst(new int[1], 0, 1));
        synchronized (((PmdEnvironment) environment).list()) {
            before.publish(99);
            burst.start();
            assertThat(burst.join(Duration.ofSeconds(60))).as("the burst is over").isTrue();
        }
        await("the failure is seen to", () -> switches(port) == 3);
        before.close();
    }

    @Test
    void aPairThatGoesTakesItsPortWithItWhateverItsVirtualFunctionSays() {
        start();
        keepsMemory = true;
        book.removeSynthetic(pair);
        await("the port is removed", () -> events.stream().anyMatch(event -> event.kind()
                == EthDevEvent.Kind.INTR_RMV));
        assertThat(environment.ports()).extracting(EthDev::name).doesNotContain(INSTANCE);
        assertThat(pool.available()).as("packets that are home").isLessThan(PACKETS);
        assertThat(events).filteredOn(event -> event.kind() == EthDevEvent.Kind.INTR_RMV)
                .allSatisfy(event -> assertThat(event.text()).contains("come home when it is reset or removed")
                .doesNotContain("all of its packets"));
    }
}
