package io.manafold.itests;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.device.PciFunction;
import io.manafold.api.lab.Labs;
import io.manafold.api.log.LogLine;
import io.manafold.api.log.PlatformLog;
import io.manafold.gdma.EventEntry;
import io.manafold.gdma.driver.ChannelLimits;
import io.manafold.gdma.driver.EthernetSession;
import io.manafold.itests.bundles.DriverBundle;
import io.manafold.itests.bundles.Platform;
import io.manafold.memory.DmaArena;
import io.manafold.shell.Command;
import io.manafold.shell.Session;
import io.manafold.shell.Shell;
import io.manafold.shell.Syntax;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.osgi.framework.Constants;
import org.osgi.framework.ServiceReference;
import org.osgi.service.cm.ManagedServiceFactory;

/** The commands on a platform with the default lab, two versions of a driver of its adapter and a dependent. */
@Timeout(120)
class CommandsTest {
    private static final String ADDRESS = "7870:00:00.0";
    private static final String LAB = "default";
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    /** What an example about captures writes. */
    private static final List<Path> CAPTURED = List.of(Path.of("net.pcapng"), Path.of("next.pcapng"));
    /** It asks a driver that speaks to the adapter, and those of this test do not. */
    private static final List<String> ASKS_THE_DRIVER = List.of("servicing suspend one --part ");
    /** What needs a second process or a network device, and is tried where there is one: with the whole product. */
    private static final List<String> ELSEWHERE = List.of("vfio borrow ", "vfio return ", "capture start mana0 ",
            "fault script ", "servicing reset ", "servicing suspend one; ",
            "servicing storm one --cycles 3 --every 500ms --at ");
    private static final long ARENA = 1L << 32;

    @RegisterExtension
    final Platform platform = new Platform();

    private DeviceTaker devices;

    /** What a line came to. */
    private record Said(int status, String out, String err) {
    }

    @BeforeEach
    void populate() throws Exception {
        platform.register(PlatformLog.class, new PlatformLog() {
            @Override
            public List<LogLine> recent() {
                return List.of(new LogLine(Instant.EPOCH, "INFO", "Test", "a line"));
            }

            @Override
            public AutoCloseable follow(Consumer<LogLine> listener) {
                return () -> { };
            }
        });
        devices = new DeviceTaker(platform.context());
        platform.register(ManagedServiceFactory.class, devices, Map.of(Constants.SERVICE_PID, DeviceTaker.PID));
        Labs labs = platform.service(Labs.class);
        labs.up(LAB);
        assertThat(labs.settle(PATIENCE)).isEmpty();
        platform.start(DriverBundle.of("ethernet", "1414:00ba").version("1.0.0").offers("mana.eth", "mana.rdma"));
        platform.start(DriverBundle.of("ethernet", "1414:00ba").version("1.1.0").offers("mana.eth", "mana.rdma"));
        platform.start(DriverBundle.of("rdma", "mana.rdma"));
        platform.assertBound("mana.rdma.0", "rdma 1.0.0");
    }

    @AfterEach
    void takeDown() throws Exception {
        putBack();
        Labs labs = platform.service(Labs.class);
        labs.down(LAB);
        // what the examples of the lab's commands leave behind
        for (String name : List.of("two", "left", "right", "lone")) {
            say("adapter remove " + name);
        }
        say("link remove cable");
        labs.settle(PATIENCE);
        devices.close();
        for (Path file : CAPTURED) {
            Files.deleteIfExists(file);
        }
    }

    /** Has all be as it was before an example. */
    private void putBack() throws InterruptedException {
        say("vfio remove one");
        say("override " + ADDRESS + " --clear");
        say("lab up " + LAB);
        assertThat(platform.service(Labs.class).settle(PATIENCE)).isEmpty();
        say("bind " + ADDRESS);
    }

    private Said say(String line) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        try (Session session = platform.service(Shell.class).open(InputStream.nullInputStream(),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8))) {
            int status = session.execute(line);
            return new Said(status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
        }
    }

    /** Says it while a driver speaks to the adapter over its hardware channel. */
    private Said sayToADriver(String line) throws Exception {
        PciFunction function = platform.context().getServiceReferences(PciFunction.class, "(address=" + ADDRESS + ")")
                .stream().findFirst().map(platform.context()::getService).orElseThrow();
        assertThat(say(line).err).contains("ENODEV");
        BlockingQueue<Integer> heard = new LinkedBlockingQueue<>();
        try (DmaArena memory = new DmaArena(function.dma(), "test", ARENA, 4 << 20);
                EthernetSession _ = EthernetSession.open(function, memory, ChannelLimits.USUAL,
                        (type, data) -> heard.add(type))) {
            heard.clear();
            Said said = say(line);
            assertThat(heard.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS)).as(line).isEqualTo(EventEntry.SOC_SERVICE);
            return said;
        }
    }

    private String done(String line) {
        Said said = say(line);
        assertThat(said.status).as("%s: %s %s", line, said.out, said.err).isZero();
        return said.out;
    }

    @Test
    void theTreeShowsFunctionPartsAndWhatTheyOffer() {
        assertThat(done("devices")).contains(ADDRESS + "  1414:00ba", "driver ethernet 1.1.0", "─ mana.eth.0", "(free)",
                "─ mana.rdma.0", "driver rdma 1.0.0", "ethernet@" + ADDRESS);
    }

    @Test
    void lspciSpeaksAsTheRealOne() {
        assertThat(done("lspci -d 1414:00ba:0200 -k")).startsWith(ADDRESS + " Ethernet controller: ")
                .contains("\tKernel driver in use: ethernet");
        assertThat(done("lspci -d 8086:")).isEmpty();
        assertThat(done("lspci -n")).isEqualTo(ADDRESS + " 0200: 1414:00ba\n");
    }

    @Test
    void ordersComeAbout() {
        done("unbind " + ADDRESS);
        assertThat(done("devices")).contains("unbound by hand");
        Said free = say("servicing suspend one");
        assertThat(free.status).isEqualTo(1);
        assertThat(free.err).contains(ADDRESS + " has no driver that could suspend it").contains("ENODEV");
        done("bind " + ADDRESS + " ethernet 1.0.0");
        Said cannot = say("servicing suspend one");
        assertThat(cannot.status).isEqualTo(1);
        assertThat(cannot.err).contains("ethernet 1.0.0 does not suspend " + ADDRESS).contains("EOPNOTSUPP");
        assertThat(say("servicing resume one").err).contains("is not suspended").contains("EINVAL");
        assertThat(done("drivers")).containsPattern("ethernet +1\\.0\\.0 .*" + ADDRESS);
        done("override " + ADDRESS + " ethernet 1.1.0");
        assertThat(done("override --json")).contains("\"" + ADDRESS + "\"");
        done("override " + ADDRESS + " --clear");
        Said refused = say("override " + ADDRESS + " nosuch");
        assertThat(refused.status).isEqualTo(1);
        assertThat(refused.err).contains("there is no driver nosuch here").contains("ENOENT");
    }

    @Test
    void namesAreCompleted() {
        try (Session session = platform.service(Shell.class).open(InputStream.nullInputStream(), System.out,
                System.err)) {
            assertThat(session.complete("bind ", 5)).extracting("value").contains(ADDRESS, "mana.eth.0");
            String line = "override " + ADDRESS + " e";
            assertThat(session.complete(line, line.length())).extracting("value").contains("ethernet");
        }
    }

    @Test
    void everyExampleOfEveryCommandWorksAsItStands() throws Exception {
        List<String> failed = new ArrayList<>();
        int count = 0;
        for (ServiceReference<Command> reference : platform.context().getServiceReferences(Command.class, null)) {
            Syntax syntax = platform.context().getService(reference).syntax();
            assertThat(reference.getProperty(Command.NAME)).as("what the service of %s says of its name", syntax.name())
                    .isIn(syntax.name(), null);
            for (Syntax.Example example : examples(syntax).toList()) {
                count++;
                String line = example.line();
                if (ELSEWHERE.stream().anyMatch(line::startsWith)) {
                    continue;
                }
                // what follows an endless stream would wait for ever; that it ends when told to is tested elsewhere
                if (line.contains("--follow") || line.contains(" monitor ")) {
                    assertThat(sayAndInterrupt(line).err).as(line).doesNotContain("Exception");
                    continue;
                }
                if (line.startsWith("bind ")) {
                    done("unbind " + ADDRESS);
                }
                Said said = ASKS_THE_DRIVER.stream().anyMatch(line::startsWith) ? sayToADriver(line) : say(line);
                if (said.status != 0 && !line.startsWith("exit")) {
                    failed.add(line + " → " + said);
                }
                putBack();
            }
        }
        assertThat(count).isGreaterThan(40);
        assertThat(failed).isEmpty();
    }

    private static Stream<Syntax.Example> examples(Syntax syntax) {
        return Stream.concat(syntax.examples().stream(), syntax.verbs().stream().flatMap(CommandsTest::examples));
    }

    private Said sayAndInterrupt(String line) throws InterruptedException {
        List<Said> said = new ArrayList<>();
        Thread thread = Thread.ofPlatform().name("follower").start(() -> said.add(say(line)));
        Thread.sleep(300);
        thread.interrupt();
        thread.join(60_000);
        assertThat(thread.isAlive()).as("%s ends when it is interrupted", line).isFalse();
        return said.getFirst();
    }

    @Test
    void adaptersLinksAndExportsComeAndGo() {
        assertThat(done("adapter list")).containsPattern("one +" + ADDRESS + " +1414:00ba");
        assertThat(done("link list")).containsPattern("net +switch +one/1, one/2 +2");
        done("adapter add two --ports 2");
        assertThat(done("devices")).contains("7870:00:01.0");
        done("link add cable two/1 two/2 --kind direct");
        assertThat(done("adapter show two")).contains("cable");
        assertThat(done("vfio export two")).startsWith("qemu-system-x86_64 ").contains("vfio-user-pci");
        assertThat(done("vfio list --json")).contains("\"adapter\": \"two\"").contains("\"connected\": false");
        done("vfio remove two");
        done("link remove cable");
        done("adapter remove two");
        assertThat(done("devices")).doesNotContain("7870:00:01.0");
        Said refused = say("adapter remove two");
        assertThat(refused.status).isEqualTo(1);
        assertThat(refused.err).contains("There is no adapter 'two'").contains("ENODEV");
    }

    @Test
    void nothingIsLeftOfALabThatIsDown() {
        for (int round = 0; round < 5; round++) {
            done("lab up " + LAB);
            assertThat(done("devices")).contains(ADDRESS);
            done("lab down " + LAB);
            assertThat(done("devices --json")).isEqualTo("[]\n");
            assertThat(done("adapter list --json")).isEqualTo("[]\n");
            assertThat(done("link list --json")).isEqualTo("[]\n");
        }
    }

    @Test
    void aLabThatIsNotThereIsRefused() {
        assertThat(done("lab list")).contains(LAB, "qemu-one", "qemu-two");
        assertThat(done("lab up " + LAB)).isNotNull();
        Said refused = say("lab up nosuchlab");
        assertThat(refused.status).isEqualTo(1);
        assertThat(refused.err).contains("nosuchlab").contains("ENOENT");
    }
}
