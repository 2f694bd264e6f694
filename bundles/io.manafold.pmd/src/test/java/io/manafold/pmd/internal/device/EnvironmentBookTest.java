package io.manafold.pmd.internal.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.device.PciAddress;
import io.manafold.api.device.Removal;
import io.manafold.api.ethdev.CoreRun;
import io.manafold.api.ethdev.Environment;
import io.manafold.api.ethdev.EthDev;
import io.manafold.api.ethdev.EthDevEvent;
import io.manafold.api.ethdev.EthDevPlan;
import io.manafold.api.ethdev.ProbedPort;
import io.manafold.api.ethdev.ReceiveQueue;
import io.manafold.api.net.MacAddress;
import io.manafold.api.net.NetDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.linux.Processors;
import io.manafold.linux.SystemCallException;
import io.manafold.memory.PacketPlan;
import io.manafold.memory.PacketPool;
import io.manafold.memory.PacketPools;
import io.manafold.memory.SharedBlocks;
import io.manafold.pmd.internal.RefusedThreads;
import io.manafold.pmd.internal.process.PrimaryConnection;
import io.manafold.pmd.internal.process.PrimaryLock;
import io.manafold.pmd.internal.process.PrimarySocket;
import io.manafold.pmd.internal.queue.CheckedReceiveQueue;
import io.manafold.pmd.internal.queue.CheckedSendQueue;
import io.manafold.pmd.internal.telemetry.RuntimeFolder;
import io.manafold.pmd.internal.words.EalWords;
import io.manafold.testkit.Blocks;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;

/** Environments beside each other, over devices that are only looked at. */
class EnvironmentBookTest {
    private static final String ADDRESS = "7870:00:00.0";

    private final SharedBlocks memory = Blocks.source();
    private final DomainDevice device = new DomainDevice();
    private final List<String> registered = new ArrayList<>();
    /** The port whose registration does not end as it should. */
    private String stubborn = "";
    private final RefusedThreads threads = new RefusedThreads();
    private final EnvironmentBook book = new EnvironmentBook(fake(BundleContext.class, Map.of()), config(),
            new PacketPools(memory), memory, threads);

    EnvironmentBookTest() {
        for (int port = 1; port <= 2; port++) {
            book.addNetwork(fake(NetDevice.class, Map.of("address", PciAddress.parse(ADDRESS), "port", port, "mac",
                    MacAddress.parse("00:0d:3a:00:00:0" + port), "name", "mana" + (port - 1), "isUp", false, "totals",
                    Map.of("rx_missed", 0L))));
        }
        book.addRdma(device.device, Map.of("address", ADDRESS));
    }

    @AfterEach
    void end() {
        stubborn = "";
        book.end();
        assertThat(memory.blocks()).isEmpty();
    }

    private EnvironmentBook.Config config() {
        return fake(EnvironmentBook.Config.class, Map.of("recovery_limit", 1000L));
    }

    /** Answers what is given, registers ports by name, and knows no other service. */
    private <T> T fake(Class<T> type, Map<String, Object> answers) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "hashCode" -> System.identityHashCode(proxy);
                    case "equals" -> proxy == arguments[0];
                    case "getServiceReferences" -> List.of();
                    case "registerService" -> register(((EthDev) arguments[1]).name());
                    default -> {
                        Object answer = answers.get(method.getName());
                        if (answer == null) {
                            throw new UnsupportedOperationException(method.getName());
                        }
                        yield answer;
                    }
                }));
    }

    private Object register(String name) {
        registered.add(name);
        return Proxy.newProxyInstance(ServiceRegistration.class.getClassLoader(),
                new Class<?>[] {ServiceRegistration.class}, (_, method, _) -> {
                    if (method.getName().equals("unregister") && name.equals(stubborn)) {
                        throw new Refusal(Errno.EIO, name + " does not end.");
                    }
                    registered.remove(name);
                    return null;
                });
    }

    private static Set<String> threads() {
        return Thread.getAllStackTraces().keySet().stream().map(Thread::getName).filter(name -> name.startsWith("pmd-"))
                .collect(Collectors.toSet());
    }

    @Test
    void whatWasNamedAndIsNotTakenIsToldWithTheReason() {
        String both = ADDRESS + ",mac=00:0d:3a:00:00:01,mac=00:0d:3a:00:00:09";
        String missing = "No port of " + ADDRESS + " has the address 00:0d:3a:00:00:09, which mac= names.";
        try (Environment dry = book.start(List.of("-l", "0", "--dry-run", "-a", both))) {
            assertThat(dry.probed()).extracting(port -> port.port() + " " + port.mac() + " " + port.why())
                    .contains("1 00:0d:3a:00:00:01 ", "0 00:0d:3a:00:00:09 " + missing);
        }
        try (Environment dry = book.start(List.of("-l", "0", "--dry-run", "-a", "7870:00:07.0"))) {
            assertThat(dry.probed()).hasSize(1);
            assertThat(dry.probed().getFirst().why()).startsWith("There is no RDMA device for raw packets");
        }
        try (Environment first = book.start(List.of("-l", "0", "--in-memory", "-a", both))) {
            assertThat(first.ports()).hasSize(1);
            assertThat(first.notes()).contains(missing);
            try (Environment other = book.start(List.of("-l", "0", "--in-memory", "-a", ADDRESS
                    + ",mac=00:0d:3a:00:00:01,mac=00:0d:3a:00:00:02"))) {
                assertThat(other.ports()).hasSize(1);
                assertThat(other.notes()).contains("Port 1 of " + ADDRESS + " is in poll mode already, of this "
                        + "environment or another.").noneMatch(note -> note.contains("Port 2"));
            }
        }
        try (Environment all = book.start(List.of("-l", "0", "--in-memory", "-a", ADDRESS))) {
            assertThat(all.notes()).noneMatch(note -> note.contains("ort"));
        }
        List<String> none = List.of("-l", "0", "--in-memory", "-a", ADDRESS + ",mac=00:0d:3a:00:00:09");
        assertThatThrownBy(() -> book.start(none))
                .isInstanceOfSatisfying(Refusal.class, refused -> assertThat(refused.errno()).isEqualTo(Errno.ENODEV))
                .hasMessageContaining(missing);
    }

    @Test
    void aDryRunLooksBesideWhatRunsAndBeginsNothing() {
        try (Environment first = book.start(List.of("-l", "0", "--file-prefix=book", "-a", ADDRESS
                + ",mac=00:0d:3a:00:00:01"))) {
            assertThat(first.ports()).hasSize(1);
            Set<String> before = threads();
            assertThatThrownBy(() -> book.start(List.of("-l", "0", "--file-prefix=book"))).isInstanceOfSatisfying(
                    Refusal.class, refused -> assertThat(refused.errno()).isEqualTo(Errno.EBUSY));
            for (String role : List.of("primary", "auto")) {
                try (Environment dry = book.start(List.of("-l", "0", "--file-prefix=book", "--dry-run", "--telemetry",
                        "--proc-type=" + role))) {
                    assertThat(dry.probed()).extracting(ProbedPort::owner).containsExactly("another environment", "");
                    assertThat(dry.probed()).extracting(port -> port.why().isEmpty()).containsExactly(false, true);
                    assertThat(dry.ports()).isEmpty();
                    assertThat(threads()).isEqualTo(before);
                    assertThat(dry.notes()).noneMatch(note -> note.contains("elemetry"));
                    assertThat(book.running()).containsExactly(first);
                }
            }
            assertThat(book.running()).containsExactly(first);
        }
    }

    @Test
    void aPortThatDoesNotCloseKeepsNoOtherOpen() {
        Environment environment = book.start(List.of("-l", "0", "--in-memory", "-a", ADDRESS));
        assertThat(registered).containsExactly(ADDRESS + "_port1", ADDRESS + "_port2");
        stubborn = ADDRESS + "_port1";
        assertThatThrownBy(environment::close).isInstanceOf(Refusal.class).hasMessageContaining("does not end");
        assertThat(registered).as("the port that does not end").containsExactly(stubborn);
        assertThat(book.running()).isEmpty();
    }

    @Test
    void twoEnvironmentsHaveAPortEach() {
        Environment first = book.start(List.of("-l", "0", "--file-prefix=first", "--in-memory", "-a", ADDRESS
                + ",mac=00:0d:3a:00:00:01"));
        try (Environment second = book.start(List.of("-l", "0", "--file-prefix=second", "--in-memory", "-a", ADDRESS
                + ",mac=00:0d:3a:00:00:02"))) {
            assertThat(first.ports()).extracting(EthDev::name).containsExactly(ADDRESS + "_port1");
            assertThat(second.ports()).extracting(EthDev::name).containsExactly(ADDRESS + "_port2");
            assertThatThrownBy(() -> first.attach(ADDRESS + ",mac=00:0d:3a:00:00:02")).isInstanceOf(Refusal.class)
                    .hasMessageContaining("is in poll mode already, of this environment or another");
            first.close();
            assertThat(registered).containsExactly(ADDRESS + "_port2");
            assertThat(book.running()).containsExactly(second);
            assertThat(second.attach(ADDRESS + ",mac=00:0d:3a:00:00:01")).extracting(EthDev::name)
                    .containsExactly(ADDRESS + "_port1");
        }
        assertThat(registered).isEmpty();
    }

    @Test
    void levelsThatAreSetHoldForPortsThatAreLookedForLater() {
        String looks = "pmd.net.mana.driver Looks at the RDMA device ";
        LoggedLines.LINES.clear();
        try (Environment one = book.start(List.of("-l", "0", "--in-memory", "-a", ADDRESS
                + ",mac=00:0d:3a:00:00:01"))) {
            assertThat(LoggedLines.LINES).as("by default").noneMatch(line -> line.startsWith(looks));
            one.logLevel("pmd.net.mana.driver", 8);
            assertThat(one.attach(ADDRESS + ",mac=00:0d:3a:00:00:02")).hasSize(1);
            assertThat(LoggedLines.LINES).filteredOn(line -> line.startsWith(looks)).hasSize(1);
        }
    }

    /** By the end of the driver they have heard of it. */
    @Test
    void applicationsAreToldThatTheirPortsGoWithTheDriver() {
        Environment one = book.start(List.of("-l", "0-1", "--in-memory"));
        Queue<EthDevEvent> events = new ConcurrentLinkedQueue<>();
        one.listen(events::add);
        book.end();
        assertThat(events).extracting(EthDevEvent::kind).containsExactly(EthDevEvent.Kind.INTR_RMV,
                EthDevEvent.Kind.INTR_RMV);
        assertThat(events).extracting(EthDevEvent::text).allMatch(text -> text.contains("removed with its driver"));
        assertThat(one.ports()).isEmpty();
        assertThatThrownBy(() -> one.attach(ADDRESS)).isInstanceOf(Refusal.class).hasMessageContaining("has ended");
        assertThatThrownBy(() -> book.start(List.of("-l", "0"))).isInstanceOf(Refusal.class)
                .hasMessageContaining("is going");
    }

    /** A secondary that begins while the component ends. */
    @Test
    void aSecondaryOfAnotherProcessDoesNotStartBesideADriverThatGoes() {
        EnvironmentBook other = new EnvironmentBook(fake(BundleContext.class, Map.of()), config(),
                new PacketPools(memory), memory);
        List<String> words = List.of("-l", "0", "--file-prefix=book-going");
        try (Environment primary = book.start(words)) {
            assertThat(primary.isSecondary()).isFalse();
            other.end();
            assertThatThrownBy(() -> other.start(with(words, "--proc-type=secondary"))).isInstanceOf(Refusal.class)
                    .hasMessageContaining("is going");
            assertThat(other.running()).isEmpty();
            await("what it had of its primary is back", () -> memory.blocks().stream()
                    .noneMatch(block -> block.name().startsWith("pool of process")));
        }
    }

    private static void await(String what, BooleanSupplier done) {
        long giveUp = System.nanoTime() + 60_000_000_000L;
        while (!done.getAsBoolean()) {
            assertThat(System.nanoTime()).as(what).isLessThan(giveUp);
            Thread.yield();
        }
    }

    /** Names that it has looked for are free again. */
    @Test
    void aPortThatNoThreadCanLookForComesWithTheNextDevice() {
        try (Environment one = book.start(List.of("-l", "0", "--in-memory"))) {
            assertThat(one.ports()).hasSize(2);
            device.departure = Removal.DRIVER_GONE;
            book.removeRdma(device.device);
            assertThat(one.ports()).isEmpty();
            DomainDevice next = new DomainDevice();
            threads.refuses = true;
            assertThatThrownBy(() -> book.addRdma(next.device, Map.of("address", ADDRESS)))
                    .isInstanceOf(OutOfMemoryError.class);
            threads.refuses = false;
            book.addRdma(next.device, Map.of("address", ADDRESS));
            await("its ports are back", () -> one.ports().size() == 2);
        }
    }

    @Test
    void aPrimaryOfAnotherProcessKeepsItsNameToItself() {
        PrimaryLock others = PrimaryLock.take(RuntimeFolder.root(), "book-others");
        for (String role : List.of("primary", "auto")) {
            assertThatThrownBy(() -> book.start(List.of("-l", "0", "--file-prefix=book-others", "--proc-type=" + role)))
                    .isInstanceOfSatisfying(Refusal.class, refused -> {
                        // to the other role it is one that never gets its socket
                        assertThat(refused.errno()).isEqualTo(role.equals("auto") ? Errno.ENODEV : Errno.EBUSY);
                        assertThat(refused).hasMessageContainingAll("called book-others runs already, in process ",
                                "--proc-type=secondary", "--file-prefix", "--in-memory");
                    });
        }
        assertThat(registered).isEmpty();
        for (String free : List.of("--in-memory", "--dry-run", "--file-prefix=book-other")) {
            book.start(List.of("-l", "0", "--file-prefix=book-others", free)).close();
        }
        others.close();
        Environment one = book.start(List.of("-l", "0", "--file-prefix=book-others"));
        assertThatThrownBy(() -> PrimaryLock.take(RuntimeFolder.root(), "book-others")).isInstanceOf(Refusal.class);
        one.close();
        assertThat(RuntimeFolder.root().resolve("book-others")).doesNotExist();
        // a start that fails leaves the name to others
        assertThatThrownBy(() -> book.start(List.of("-l", "0", "--file-prefix=book-others", "-a", "7870:00:09.0")))
                .isInstanceOf(Refusal.class).hasMessageContaining("cannot be used");
        PrimaryLock.take(RuntimeFolder.root(), "book-others").close();
    }

    /** Between its lock and its socket a primary looks for ports, for which a secondary waits. */
    @Test
    void whichOfTwoThatBeginAtOnceIsThePrimaryIsDecidedOnce() throws Exception {
        List<String> words = List.of("-l", "0", "--file-prefix=book-begins", "--proc-type=auto");
        PrimaryLock ends = PrimaryLock.take(RuntimeFolder.root(), "book-begins");
        CompletableFuture<Environment> second = CompletableFuture.supplyAsync(() -> book.start(words));
        assertThatThrownBy(() -> second.get(300, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        Path socket = RuntimeFolder.root().resolve("book-begins").resolve(PrimarySocket.NAME);
        EnvironmentBook other = new EnvironmentBook(fake(BundleContext.class, Map.of()), config(),
                new PacketPools(memory), memory);
        PmdEnvironment first = new PmdEnvironment(fake(BundleContext.class, Map.of()), EalWords.parse(words, 2), other,
                new Directory(), null, Duration.ofSeconds(1));
        first.role().hold(ends);
        first.begin(new PacketPools(memory), memory);
        assertThat(socket).exists();
        try (Environment made = second.get(60, TimeUnit.SECONDS)) {
            assertThat(made.isSecondary()).isTrue();
        }
        first.close();
        try (Environment made = book.start(words)) {
            assertThat(made.isSecondary()).isFalse();
        }
        other.end();
    }

    /** It has no lock and no socket then, and polls all the same. */
    @Test
    void aPrimaryRunsWithoutAPlaceToWrite() throws IOException {
        Path place = RuntimeFolder.of(RuntimeFolder.root(), "book-nowhere");
        Files.delete(place);
        Files.createSymbolicLink(place, Path.of("/proc/nowhere"));
        LoggedLines.LINES.clear();
        try (Environment one = book.start(List.of("-l", "0", "--file-prefix=book-nowhere"))) {
            assertThat(one.ports()).hasSize(2);
            assertThat(LoggedLines.LINES).filteredOn(line -> line.startsWith("pmd.net.mana.init No other process can "
                    + "attach to book-nowhere, nor is one kept from being another primary")).hasSize(1);
        } finally {
            Files.delete(place);
        }
    }

    /** Its socket is still there, and no process listens. */
    @Test
    void aPrimaryThatWasKilledIsFollowedByAnother() throws IOException {
        Path left = RuntimeFolder.of(RuntimeFolder.root(), "book-killed").resolve(PrimarySocket.NAME);
        Files.deleteIfExists(left);
        ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(left)).close();
        assertThat(left).exists();
        assertThatThrownBy(() -> book.start(List.of("-l", "0", "--file-prefix=book-killed", "--proc-type=secondary")))
                .isInstanceOfSatisfying(Refusal.class, refused -> assertThat(refused.errno()).isEqualTo(Errno.ENODEV));
        try (Environment one = book.start(List.of("-l", "0", "--file-prefix=book-killed", "--proc-type=auto"))) {
            assertThat(one.isSecondary()).isFalse();
            assertThat(one.ports()).hasSize(2);
            try (Environment other = book.start(List.of("-l", "0", "--file-prefix=book-killed", "--proc-type=auto"))) {
                assertThat(other.isSecondary()).isTrue();
            }
        }
        assertThat(left).doesNotExist();
    }

    /** As the real driver: what its primary has not probed it cannot attach to. */
    @Test
    void aSecondaryThatNamesWhatItsPrimaryDoesNotIsRefused() {
        List<String> second = List.of("-l", "0", "--file-prefix=book-other", "--proc-type=secondary", "-a");
        List<String> others = List.of("7870:00:01.0", ADDRESS + ",mac=00:0d:3a:00:00:02");
        try (Environment one = book.start(List.of("-l", "0", "--file-prefix=book-other", "-a", ADDRESS
                + ",mac=00:0d:3a:00:00:01"))) {
            assertThat(one.ports()).hasSize(1);
            for (String other : others) {
                assertThatThrownBy(() -> book.start(Stream.concat(second.stream(), Stream.of(other)).toList()))
                        .isInstanceOfSatisfying(Refusal.class, refused -> {
                            assertThat(refused.errno()).isEqualTo(Errno.ENOMEM);
                            assertThat(refused).hasMessageContainingAll("The requested device "
                                    + other.substring(0, 12) + " cannot be used (-12)", "what its primary does");
                        });
            }
            assertThat(book.running()).containsExactly(one);
            book.start(Stream.concat(second.stream(), Stream.of(ADDRESS)).toList()).close();
        }
    }

    /** Queues are looked at once, whether the primary does so or its secondary, or both. */
    @ParameterizedTest
    @CsvSource({"'', --check, true", "--check, --check, true", "--check, '', true", "'', '', false"})
    void queuesOfASecondaryAreChecked(String ofPrimary, String ofSecondary, boolean checked) throws Exception {
        List<String> words = new ArrayList<>(List.of("-l", "0", "--file-prefix=book-check"));
        try (Environment one = book.start(with(words, ofPrimary));
                Environment second = book.start(with(words, "--proc-type=secondary", ofSecondary))) {
            one.ports().getFirst().configure(EthDevPlan.of(2));
            one.ports().getFirst().offerQueues(1);
            assertThat(second.checks()).isEqualTo(!ofSecondary.isEmpty());
            ReceiveQueue in = second.ports().getFirst().receiveQueue(1);
            assertThat(in instanceof CheckedReceiveQueue).isEqualTo(checked);
            assertThat(second.ports().getFirst().sendQueue(1) instanceof CheckedSendQueue).isEqualTo(checked);
            try (PacketPool pool = new PacketPools(memory).make(new PacketPlan("own", 2, 0, 2048).withChecks(true))) {
                int[] packet = {pool.allocate()};
                // of a port that is not started: it is the application's before and after
                assertThat(second.ports().getFirst().sendQueue(1).burst(packet, 0, 1)).isZero();
                PacketPool.release(packet, 0, 1);
                assertThat(in.burst(packet, 0, 1)).isZero();
            }
            // another process's
            Path socket = RuntimeFolder.root().resolve("book-check").resolve(PrimarySocket.NAME);
            try (Environment other = SecondaryEnvironment.of(EalWords.parse(with(words, ofSecondary), 2),
                    new Directory(), socket, new PacketPools(memory), _ -> { })) {
                assertThat(other.checks()).isEqualTo(!ofSecondary.isEmpty());
                assertThat(PacketPool.numbered(other.pool()).owners() != null).isEqualTo(!ofSecondary.isEmpty());
            }
        }
        long giveUp = System.nanoTime() + 60_000_000_000L;
        while (!memory.blocks().isEmpty()) {
            assertThat(System.nanoTime()).as("time for its memory to come back").isLessThan(giveUp);
            Thread.onSpinWait();
        }
    }

    private static List<String> with(List<String> words, String... more) {
        return Stream.concat(words.stream(), Stream.of(more).filter(word -> !word.isEmpty())).toList();
    }

    /** That it was closed is said of a port that its primary closes, and of no other. */
    @Test
    void anotherProcessIsToldWhyAPortHasGone() throws InterruptedException {
        BlockingQueue<EthDevEvent> events = new LinkedBlockingQueue<>();
        try (Environment one = book.start(List.of("-l", "0", "--file-prefix=book-gone"));
                PrimaryConnection attached = new PrimaryConnection(RuntimeFolder.root().resolve("book-gone")
                        .resolve(PrimarySocket.NAME), new PacketPools(memory), 0, false, events::add, () -> { })) {
            assertThat(attached.ports()).hasSize(2);
            one.ports().getFirst().close();
            assertThat(events.poll(60, TimeUnit.SECONDS).text()).contains("Port 0", "has been closed by its primary");
            device.departure = Removal.DRIVER_GONE;
            book.removeRdma(device.device);
            assertThat(events.poll(60, TimeUnit.SECONDS).text()).contains("Port 1", "has been removed; all of its");
            assertThat(events.poll(50, TimeUnit.MILLISECONDS)).isNull();
        }
    }

    @Test
    void functionsAreNotAttachedWithoutTheirBus() {
        try (Environment one = book.start(List.of("-l", "0", "--in-memory", "--no-pci", "-a", ADDRESS))) {
            assertThat(one.ports()).isEmpty();
            assertThatThrownBy(() -> one.attach(ADDRESS)).isInstanceOfSatisfying(Refusal.class, refused -> {
                assertThat(refused.errno()).isEqualTo(Errno.ENODEV);
                assertThat(refused).hasMessageContaining("was started with --no-pci");
            });
        }
    }

    @Test
    void aCoreIsBoundToTheProcessorsBehindIt() throws Exception {
        int first = Processors.allowed().nextSetBit(0);
        AtomicReference<BitSet> seen = new AtomicReference<>();
        try (Environment one = book.start(List.of("--lcores", "0,1@" + first, "--in-memory", "-A"))) {
            CoreRun run = one.launch(1, () -> {
                seen.compareAndSet(null, allowed());
                return 1;
            });
            long giveUp = System.nanoTime() + 20_000_000_000L;
            while (seen.get() == null && run.failure() == null && System.nanoTime() < giveUp) {
                Thread.yield();
            }
            assertThat(one.processors(1)).containsExactly(first);
            assertThat(one.processors(0)).as("the main core").isEmpty();
            run.stop();
            assertThat(run.emptyTurns()).isZero();
            assertThat(run.turns()).isPositive();
        }
        assertThat(seen.get().stream().boxed()).containsExactly(first);
    }

    private static BitSet allowed() {
        try {
            return Processors.allowed();
        } catch (SystemCallException wrong) {
            throw new IllegalStateException(wrong);
        }
    }
}
