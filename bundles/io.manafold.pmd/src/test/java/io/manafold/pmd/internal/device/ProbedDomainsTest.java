package io.manafold.pmd.internal.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.device.PciAddress;
import io.manafold.api.device.Removal;
import io.manafold.api.ethdev.Environment;
import io.manafold.api.ethdev.EthDev;
import io.manafold.api.ethdev.EthDevEvent;
import io.manafold.api.ethdev.EthDevPlan;
import io.manafold.api.ethdev.ProbedPort;
import io.manafold.api.net.MacAddress;
import io.manafold.api.net.NetDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.memory.PacketPools;
import io.manafold.memory.SharedBlocks;
import io.manafold.pmd.internal.words.EalWords;
import io.manafold.testkit.Blocks;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;

/** Ports have their domains from the probe on, and whichever way they end, their devices have them back. */
@Timeout(300)
class ProbedDomainsTest {
    private static final String ONE = "7870:00:00.0";
    private static final String OTHER = "7870:00:01.0";

    private final SharedBlocks memory = Blocks.source();
    private final EnvironmentBook book = new EnvironmentBook(fake(BundleContext.class, Map.of()),
            fake(EnvironmentBook.Config.class, Map.of("recovery_limit", 60_000L)), new PacketPools(memory), memory);
    private final List<DomainDevice> devices = new ArrayList<>();
    private final BlockingQueue<EthDevEvent> events = new LinkedBlockingQueue<>();
    private final DomainDevice one = come(ONE);

    ProbedDomainsTest() {
        networks(ONE, 0);
        networks(OTHER, 2);
    }

    private void networks(String address, int before) {
        for (int port = 1; port <= 2; port++) {
            int number = before + port;
            book.addNetwork(fake(NetDevice.class, Map.of("address", PciAddress.parse(address), "port", port, "mac",
                    MacAddress.parse("00:0d:3a:00:00:0" + number), "name", "mana" + (number - 1), "isUp", false,
                    "totals", Map.of("rx_missed", 0L))));
        }
    }

    @AfterEach
    void end() {
        book.end();
        for (DomainDevice device : devices) {
            assertThat(device.parents()).as("parent domains that are left").isZero();
            assertThat(device.domains()).as("protection domains that are left").isZero();
        }
        assertThat(memory.blocks()).isEmpty();
    }

    private static <T> T fake(Class<T> type, Map<String, Object> answers) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "hashCode" -> System.identityHashCode(proxy);
                    case "equals" -> proxy == arguments[0];
                    case "getServiceReferences" -> List.of();
                    case "registerService" -> fake(ServiceRegistration.class, Map.of());
                    case "unregister" -> null;
                    default -> {
                        Object answer = answers.get(method.getName());
                        if (answer == null) {
                            throw new UnsupportedOperationException(method.getName());
                        }
                        yield answer;
                    }
                }));
    }

    private DomainDevice made() {
        DomainDevice device = new DomainDevice();
        devices.add(device);
        return device;
    }

    private DomainDevice come(String address) {
        DomainDevice device = made();
        book.addRdma(device.device, Map.of("address", address));
        return device;
    }

    private void go(DomainDevice device, Removal why) {
        device.departure = why;
        book.removeRdma(device.device);
    }

    private Environment start(String... more) {
        List<String> words = new ArrayList<>(List.of("-l", "0", "--in-memory"));
        words.addAll(Arrays.asList(more));
        Environment environment = book.start(words);
        environment.listen(events::add);
        return environment;
    }

    private EthDevEvent.Kind next() throws InterruptedException {
        return events.poll(60, TimeUnit.SECONDS).kind();
    }

    private static void await(String what, BooleanSupplier condition) throws InterruptedException {
        long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as(what).isLessThan(giveUp);
            Thread.sleep(1);
        }
    }

    private static void assertOpen(DomainDevice device, int ports) {
        assertThat(device.domains()).as("protection domains").isEqualTo(ports);
        assertThat(device.parents()).as("parent domains").isEqualTo(ports);
    }

    // ---- as long as a port lives

    @Test
    void aPortHasThemFromItsProbeUntilItIsClosed() {
        try (Environment environment = start()) {
            assertOpen(one, 2);
            EthDev first = environment.ports().getFirst();
            first.configure(EthDevPlan.of(1));
            first.stop();
            assertOpen(one, 2);
            first.close();
            assertOpen(one, 1);
            first.close();
            assertThat(environment.attach(ONE + ",mac=00:0d:3a:00:00:01")).hasSize(1);
            assertOpen(one, 2);
        }
        assertOpen(one, 0);
    }

    /** Whether a function is probed or not, its device is one of those that were looked at. */
    @Test
    void whichDevicesWereLookedAtIsTold() {
        Directory directory = new Directory();
        directory.add(one.device, ONE, "manae_0");
        DomainDevice other = made();
        directory.add(other.device, OTHER, "manae_1");
        Probing probing = new Probing(directory, EalWords.parse(List.of("-l", "0", "-a", OTHER), 2), _ -> false);
        probing.all();
        assertThat(probing.looked()).containsExactly(
                "Looks at the RDMA device manae_0 of " + ONE + ": no function that is probed.",
                "Looks at the RDMA device manae_1 of " + OTHER + ": it is part 2 of its vendor, with 2 ports.");
        probing.close();
    }

    @Test
    void aDryRunAsksNothing() {
        try (Environment environment = start("--dry-run")) {
            assertThat(environment.probed()).hasSize(2);
            assertThat(one.asked.getCount()).isOne();
        }
    }

    @Test
    void theyGoWithTheDriver() {
        start();
        assertOpen(one, 2);
        book.end();
        assertOpen(one, 0);
    }

    // ---- devices that refuse

    @Test
    void aPortWhoseDeviceRefusesIsLeftOutAndTheReasonTold() {
        one.noDomain = DomainDevice.refusal();
        assertThatThrownBy(this::start).isInstanceOf(Refusal.class).hasMessageContainingAll(
                "There is no port left to poll. Port 1 of " + ONE + " is left out.", "Port 2 of ", "-12");
        one.noDomain = null;
        one.noParent = 2;
        try (Environment environment = start("-a", ONE)) {
            assertThat(environment.ports()).extracting(EthDev::name).containsExactly(ONE + "_port1");
            assertOpen(one, 1);
            assertThat(environment.probed()).extracting(ProbedPort::isTaken).containsExactly(true, false);
            assertThat(environment.probed().get(1).why()).isEqualTo("Port 2 of " + ONE + " is left out. Its device "
                    + "makes no parent domain for it (ENOMEM, -12): The device has no room for it.");
            assertThat(environment.notes()).anyMatch(note -> note.startsWith("Port 2 of " + ONE + " is left out."));
            assertThatThrownBy(() -> environment.attach(ONE + ",mac=00:0d:3a:00:00:02")).hasMessageContaining("-12");
            assertOpen(one, 1);
            one.noParent = 0;
            assertThat(environment.attach(ONE + ",mac=00:0d:3a:00:00:02")).hasSize(1);
            assertOpen(one, 2);
        }
    }

    /** That it was named besides is not another reason. */
    @Test
    void aNamedPortWhoseDeviceRefusesIsToldOfOnce() {
        LoggedLines.LINES.clear();
        one.noParent = 2;
        start("-a", ONE + ",mac=00:0d:3a:00:00:01,mac=00:0d:3a:00:00:02,mac=00:0d:3a:00:00:09").close();
        assertThat(LoggedLines.LINES)
                .filteredOn(line -> line.startsWith("pmd.net.mana.init Port 2 of " + ONE + " is left out.")).hasSize(1);
        assertThat(LoggedLines.LINES)
                .filteredOn(line -> line.startsWith("pmd.net.mana.init No port of " + ONE + " has the address"))
                .hasSize(1);
    }

    /** What was named without an address has none in the log. */
    @Test
    void whatWasNamedWithoutAnAddressIsLoggedWithoutOne() {
        LoggedLines.LINES.clear();
        start("--log-level=pmd.net.mana.init:8", "--dry-run", "-a", "7870:00:07.0", "-a", ONE
                + ",mac=00:0d:3a:00:00:01").close();
        assertThat(LoggedLines.LINES).anyMatch(line -> line.startsWith("pmd.net.mana.init What was named of "
                + "7870:00:07.0 is not taken: ")).noneMatch(line -> line.contains("null"))
                .anyMatch(line -> line.contains("Port 1 of " + ONE + " (00:0d:3a:00:00:01) is free to be taken"));
    }

    /** The real driver's error is one and the same, whatever its device says. */
    @Test
    void aDeviceThatRefusesWithAnyErrorCostsThePortTheSame() {
        one.noDomain = new Refusal(Errno.EPROTO, "The device has answered with status 0xc00000bb.");
        assertThatThrownBy(() -> PortDomain.of(one.device, 1)).isInstanceOfSatisfying(Refusal.class, refused -> {
            assertThat(refused.errno()).isEqualTo(Errno.ENOMEM);
            assertThat(refused).hasMessage("Its device makes no protection domain for it (ENOMEM, -12; its device says "
                    + "EPROTO): The device has answered with status 0xc00000bb.");
        });
        assertThatThrownBy(this::start).isInstanceOf(Refusal.class).hasMessageContaining("(ENOMEM, -12; its device");
    }

    @Test
    void aStartWithoutAnyPortThatWasNamedIsRefusedAndLeavesNothing() {
        DomainDevice other = come(OTHER);
        other.noDomain = DomainDevice.refusal();
        assertThatThrownBy(() -> start("-a", ONE, "-a", OTHER)).isInstanceOfSatisfying(Refusal.class, refused -> {
            assertThat(refused.errno()).isEqualTo(Errno.ENODEV);
            assertThat(refused).hasMessageContainingAll("The requested device " + OTHER + " cannot be used.",
                    "Port 1 of " + OTHER + " is left out. Its device makes no protection domain for it (ENOMEM, -12)");
        });
        assertOpen(one, 0);
        other.noDomain = new IllegalStateException("The device is broken.");
        assertThatThrownBy(() -> start("-a", ONE, "-a", OTHER)).isInstanceOf(IllegalStateException.class);
        assertOpen(one, 0);
        assertThat(book.running()).isEmpty();
        other.noDomain = null;
        try (Environment environment = start("-a", ONE, "-a", OTHER)) {
            assertThat(environment.ports()).hasSize(4);
            assertOpen(other, 2);
        }
    }

    // ---- devices that go

    @Test
    void aDeviceWhoseDriverLeavesHasThemBackAndTheNextOneMakesNewOnes() throws Exception {
        Environment environment = start();
        go(one, Removal.DRIVER_GONE);
        assertOpen(one, 0);
        assertThat(environment.ports()).isEmpty();
        DomainDevice next = come(ONE);
        await("the ports are back", () -> environment.ports().size() == 2);
        assertOpen(next, 2);
        go(next, Removal.UNBIND);
        assertOpen(next, 0);
        DomainDevice stubborn = made();
        stubborn.noParent = 1;
        book.addRdma(stubborn.device, Map.of("address", ONE));
        await("one port is back", () -> environment.ports().size() == 1);
        await("the other is not", () -> stubborn.domains() == 1);
        assertOpen(stubborn, 1);
    }

    @Test
    void aPortThatGoesOnAfterAResetHasThoseOfTheDeviceThatCame() throws Exception {
        Environment environment = start("-a", ONE + ",mac=00:0d:3a:00:00:01");
        go(one, Removal.DEVICE_GONE);
        assertOpen(one, 0);
        assertThat(next()).isEqualTo(EthDevEvent.Kind.ERR_RECOVERING);
        DomainDevice back = come(ONE);
        assertThat(next()).isEqualTo(EthDevEvent.Kind.RECOVERY_SUCCESS);
        assertOpen(back, 1);
        go(back, Removal.DEVICE_GONE);
        assertThat(next()).isEqualTo(EthDevEvent.Kind.ERR_RECOVERING);
        assertOpen(back, 0);
        DomainDevice refusing = made();
        refusing.noParent = 1;
        book.addRdma(refusing.device, Map.of("address", ONE));
        EthDevEvent failed = events.poll(60, TimeUnit.SECONDS);
        assertThat(failed.kind()).isEqualTo(EthDevEvent.Kind.RECOVERY_FAILED);
        assertThat(failed.text()).contains("makes no parent domain for it (ENOMEM, -12)");
        assertOpen(refusing, 0);
        assertThat(environment.ports()).hasSize(1);
    }

    // ---- devices that take their time

    private CompletableFuture<Environment> startMeanwhile(String... more) throws InterruptedException {
        one.answers = new CountDownLatch(1);
        CompletableFuture<Environment> started = CompletableFuture.supplyAsync(() -> start(more),
                task -> Thread.ofPlatform().daemon().start(task));
        assertThat(one.asked.await(60, TimeUnit.SECONDS)).isTrue();
        return started;
    }

    @Test
    void nobodyElseWaitsForADeviceThatDoesNotAnswer() throws Exception {
        CompletableFuture<Environment> started = startMeanwhile();
        DomainDevice other = come(OTHER);
        try (Environment beside = start("-a", OTHER)) {
            assertThat(beside.ports()).hasSize(2);
            assertThatThrownBy(() -> beside.attach(ONE)).isInstanceOf(Refusal.class)
                    .hasMessageContaining("is in poll mode already");
            go(other, Removal.DRIVER_GONE);
            assertThat(beside.ports()).isEmpty();
        }
        one.answers.countDown();
        assertThat(started.get(60, TimeUnit.SECONDS).ports()).hasSize(2);
        assertOpen(one, 2);
    }

    @Test
    void aNameIsTakenWhileItsPortsAreProbed() throws Exception {
        one.answers = new CountDownLatch(1);
        CompletableFuture<Environment> started = CompletableFuture.supplyAsync(
                () -> book.start(List.of("-l", "0", "--file-prefix=probed")),
                task -> Thread.ofPlatform().daemon().start(task));
        assertThat(one.asked.await(60, TimeUnit.SECONDS)).isTrue();
        assertThatThrownBy(() -> book.start(List.of("-l", "0", "--file-prefix=probed", "-A")))
                .hasMessageContaining("runs already");
        one.answers.countDown();
        started.get(60, TimeUnit.SECONDS).close();
        book.start(List.of("-l", "0", "--file-prefix=probed", "-A")).close();
    }

    @Test
    void aDriverThatLeavesMeanwhileLeavesNothing() throws Exception {
        CompletableFuture<Environment> started = startMeanwhile();
        book.end();
        one.answers.countDown();
        assertThat(started.handle((_, refused) -> refused.getCause().getMessage()).get(60, TimeUnit.SECONDS))
                .contains("is going");
    }

    @Test
    void aDeviceThatGoesMeanwhileIsNotUsed() throws Exception {
        CompletableFuture<Environment> started = startMeanwhile("-a", ONE + ",mac=00:0d:3a:00:00:01");
        go(one, Removal.DRIVER_GONE);
        one.answers.countDown();
        Environment environment = started.get(60, TimeUnit.SECONDS);
        assertOpen(one, 0);
        assertThat(environment.ports()).isEmpty();
        DomainDevice next = come(ONE);
        await("the port is back", () -> environment.ports().size() == 1);
        assertOpen(next, 1);
    }

    @Test
    void aDeviceThatIsResetMeanwhileIsWaitedFor() throws Exception {
        CompletableFuture<Environment> started = startMeanwhile("-a", ONE + ",mac=00:0d:3a:00:00:01");
        go(one, Removal.DEVICE_GONE);
        one.answers.countDown();
        Environment environment = started.get(60, TimeUnit.SECONDS);
        EthDev port = environment.ports().getFirst();
        assertOpen(one, 0);
        DomainDevice back = come(ONE);
        assertThat(next()).isEqualTo(EthDevEvent.Kind.RECOVERY_SUCCESS);
        assertThat(environment.ports()).containsExactly(port);
        assertOpen(back, 1);
    }

    /** Another device comes while the one before it, which has gone, still is asked for what ports need. */
    @Test
    void theDeviceThatCameLastIsTheOneThatIsProbedAgain() throws Exception {
        Environment environment = start("-a", ONE + ",mac=00:0d:3a:00:00:01");
        go(one, Removal.DRIVER_GONE);
        DomainDevice slow = made();
        slow.answers = new CountDownLatch(1);
        book.addRdma(slow.device, Map.of("address", ONE));
        assertThat(slow.asked.await(60, TimeUnit.SECONDS)).isTrue();
        go(slow, Removal.DRIVER_GONE);
        slow.noDomain = new Refusal(Errno.ENODEV, "It has gone.");
        DomainDevice last = come(ONE);
        assertThat(environment.ports()).isEmpty();
        slow.answers.countDown();
        await("the port is back", () -> environment.ports().size() == 1);
        assertOpen(last, 1);
    }
}
