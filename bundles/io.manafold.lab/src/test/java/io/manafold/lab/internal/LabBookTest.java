package io.manafold.lab.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.lab.LabChange;
import io.manafold.api.lab.LabStatus;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Dictionary;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LabBookTest {
    private static final String PAIR = """
            # A pair of ports
            adapters:
              - {name: one, ports: 2}
            links:
              - {name: net, ports: [one/1, one/2]}
            """;

    @TempDir
    private Path data;
    private Path folder;
    private final MemoryConfigurations admin = new MemoryConfigurations();
    private final Set<String> unserved = new HashSet<>();
    private LabBook book;

    @BeforeEach
    void openTheBook() throws IOException {
        folder = Files.createDirectory(data.resolve("labs"));
        book = new LabBook(library(folder), new Configurations(admin), consumers(), new NoArrivals());
    }

    private static LabLibrary library(Path folder) {
        return new LabLibrary(Map.of("default", builtIn("default")), folder);
    }

    private static URL builtIn(String lab) {
        return LabBookTest.class.getResource("/labs/" + lab + ".yaml");
    }

    private ConfigurationConsumers consumers() {
        return new ConfigurationConsumers() {
            @Override
            public boolean serves(String factoryPid) {
                return !unserved.contains(factoryPid);
            }

            @Override
            public Map<String, Obstacle> obstacles(Map<String, Map<String, Object>> held) {
                return Map.of();
            }
        };
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(folder.resolve(name + ".yaml"), text);
    }

    private static Errno errno(ThrowingCallable call) {
        Refusal[] refusal = new Refusal[1];
        assertThatThrownBy(call).isInstanceOfSatisfying(Refusal.class, e -> refusal[0] = e);
        return refusal[0].errno();
    }

    @Test
    void theDefaultLabIsThere() {
        assertThat(book.list()).containsExactly(new LabStatus("default", false, "built in", 4,
                "One adapter, its two ports on one switch, a network device on each; up from the start"));
        assertThat(book.text("default")).startsWith("# One adapter");
        assertThat(steps(book.up("default"))).containsExactly("ADD adapters/one", "ADD links/net",
                "ADD devices/mana0", "ADD devices/mana1");
        assertThat(book.diff("default")).isEmpty();
        assertThat(admin.contents.get("io.manafold.adapter~one").get("ports")).isEqualTo(2);
        assertThat(admin.contents.get("io.manafold.link~net").get("ports"))
                .isEqualTo(new String[] {"one/1", "one/2"});
        assertThat(book.list()).extracting(LabStatus::up).containsExactly(true);
        assertThat(steps(book.down("default"))).containsExactly("REMOVE devices/mana0",
                "REMOVE devices/mana1", "REMOVE links/net", "REMOVE adapters/one");
        assertThat(book.list()).extracting(LabStatus::up).containsExactly(false);
        assertThat(admin.contents).isEmpty();
    }

    @Test
    void theLabsForVirtualMachinesLendTheirAdapters() {
        LabBook builtIn = new LabBook(new LabLibrary(Map.of("default", builtIn("default"), "qemu-one",
                builtIn("qemu-one"), "qemu-two", builtIn("qemu-two"), "qemu-beside", builtIn("qemu-beside"),
                "qemu-rdma", builtIn("qemu-rdma"), "rdma-pingpong", builtIn("rdma-pingpong"), "qemu-dpdk",
                builtIn("qemu-dpdk")), folder), new Configurations(admin), consumers(), new NoArrivals());
        assertThat(steps(builtIn.up("qemu-one"))).containsExactly("ADD exports/one", "ADD adapters/one",
                "ADD links/net");
        assertThat(admin.contents.get("io.manafold.export~one").get("adapter")).isEqualTo("one");
        assertThat(steps(builtIn.up("qemu-two"))).containsExactly("REMOVE adapters/one",
                "REMOVE exports/one", "ADD exports/a", "ADD exports/b", "ADD adapters/a", "ADD adapters/b",
                "CHANGE links/net");
        assertThat(admin.contents.get("io.manafold.adapter~b").get("queues")).isEqualTo(16);
        assertThat(admin.contents.get("io.manafold.adapter~b").get("ports")).isEqualTo(1);
        assertThat(admin.contents.get("io.manafold.link~net").get("ports")).isEqualTo(new String[] {"a/1", "b/1"});
        assertThat(steps(builtIn.up("qemu-beside"))).contains("ADD adapters/one", "ADD adapters/vm", "ADD exports/vm",
                "ADD devices/mana0");
        assertThat(steps(builtIn.up("qemu-rdma"))).contains("ADD adapters/a", "ADD adapters/b", "ADD exports/a",
                "ADD exports/b");
        assertThat(admin.contents.get("io.manafold.adapter~a").get("rdma")).isEqualTo("first");
        assertThat(admin.contents.get("io.manafold.adapter~a").get("rdma-timeout")).isEqualTo(50_000_000L);
        assertThat(admin.contents.get("io.manafold.link~net").get("ports"))
                .isEqualTo(new String[] {"one/1", "a/1", "b/1"});
        assertThat(steps(builtIn.up("qemu-dpdk"))).contains("CHANGE exports/b", "CHANGE devices/mana0");
        assertThat(admin.contents.get("io.manafold.export~b").get("adapter")).isEqualTo("b");
        builtIn.up("rdma-pingpong");
        assertThat(admin.contents.get("io.manafold.link~a-b").get("ports")).isEqualTo(new String[] {"a/1", "b/1"});
        assertThat(admin.contents.get("io.manafold.device~mana1").get("on")).isEqualTo("b/1");
        assertThat(builtIn.list()).allSatisfy(lab -> assertThat(lab.title()).isNotBlank());
    }

    private static List<String> steps(List<LabChange> changes) {
        return changes.stream().map(change -> change.kind() + " " + change.section() + "/" + change.name()).toList();
    }

    @Test
    void upMakesOneConfigurationPerEntry() throws IOException {
        write("pair", PAIR);
        List<LabChange> planned = book.diff("pair");
        assertThat(admin.diary).isEmpty();
        assertThat(book.up("pair")).isEqualTo(planned)
                .extracting(change -> change.kind() + " " + change.section() + "/" + change.name())
                .containsExactly("ADD adapters/one", "ADD links/net");
        assertThat(planned.getFirst().detail()).isEqualTo("address 7870:00:00.0, ports 2, macs [00:0d:3a:00:00:01, "
                + "00:0d:3a:00:00:02]");
        Dictionary<String, Object> one = admin.contents.get("io.manafold.adapter~one");
        assertThat(one.get("name")).isEqualTo("one");
        assertThat(one.get("ports")).isEqualTo(2);
        assertThat(one.get("io.manafold.lab")).isEqualTo("pair");
        assertThat(one.get("io.manafold.lab.entry")).isEqualTo("adapters/one");
        assertThat(book.list()).contains(new LabStatus("pair", true, folder.resolve("pair.yaml").toString(), 2,
                "A pair of ports"));
    }

    @Test
    void aSecondUpDoesNothing() throws IOException {
        write("pair", PAIR);
        book.up("pair");
        admin.diary.clear();
        assertThat(book.diff("pair")).isEmpty();
        assertThat(book.up("pair")).isEmpty();
        assertThat(admin.diary).isEmpty();
    }

    @Test
    void onlyWhatDiffersIsTouched() throws IOException {
        write("pair", PAIR);
        book.up("pair");
        admin.diary.clear();
        write("pair", PAIR.replace("one/2]", "one/2], delay: 2ms, capture: x.pcapng"));
        assertThat(book.up("pair")).containsExactly(new LabChange(LabChange.Kind.CHANGE, "links", "net",
                "capture none → x.pcapng, delay 0 → 2ms"));
        assertThat(admin.diary).containsExactly("update io.manafold.link~net");
    }

    @Test
    void whatIsNoLongerListedGoesDependentsFirst() throws IOException {
        write("pair", PAIR);
        book.up("pair");
        write("pair", "adapters: [{name: other}]");
        admin.diary.clear();
        assertThat(book.up("pair")).extracting(LabChange::kind).containsExactly(LabChange.Kind.REMOVE,
                LabChange.Kind.REMOVE, LabChange.Kind.ADD);
        assertThat(admin.diary).containsExactly("delete io.manafold.link~net", "delete io.manafold.adapter~one",
                "update io.manafold.adapter~other");
    }

    @Test
    void oneLabTakesThePlaceOfAnother() throws IOException {
        write("pair", PAIR);
        write("single", "adapters: [{name: one, ports: 2}]");
        book.up("pair");
        assertThat(book.up("single")).containsExactly(new LabChange(LabChange.Kind.REMOVE, "links", "net", ""),
                new LabChange(LabChange.Kind.CHANGE, "adapters", "one", "lab pair → single"));
        assertThat(book.list()).filteredOn(LabStatus::up).extracting(LabStatus::name).containsExactly("single");
        assertThat(book.down("pair")).isEmpty();
        assertThat(book.down("single")).containsExactly(new LabChange(LabChange.Kind.REMOVE, "adapters", "one", ""));
        assertThat(admin.contents).isEmpty();
    }

    @Test
    void leftoversOfALabThatIsNotUpAreCleaned() throws IOException {
        admin.contents.put("io.manafold.fault~old", new Hashtable<>(Map.of("io.manafold.lab", "gone",
                "io.manafold.lab.entry", "faults/old")));
        write("pair", PAIR);
        assertThat(book.up("pair")).contains(new LabChange(LabChange.Kind.REMOVE, "faults", "old", ""));
        assertThat(admin.contents).doesNotContainKey("io.manafold.fault~old");
    }

    @Test
    void configurationsOfOthersAreLeftAlone() throws IOException {
        write("pair", PAIR);
        admin.contents.put("io.manafold.adapter~mine", new Hashtable<>(Map.of("ports", 1)));
        book.up("pair");
        book.down("pair");
        assertThat(admin.contents).containsOnlyKeys("io.manafold.adapter~mine");
        admin.contents.put("io.manafold.adapter~one", new Hashtable<>(Map.of("ports", 1)));
        assertThatThrownBy(() -> book.up("pair")).hasMessageContaining("line 3: adapters/one is there already")
                .hasMessageContaining("which no lab has made");
        assertThat(errno(() -> book.up("pair"))).isEqualTo(Errno.EEXIST);
    }

    @Test
    void aLabForWhichSomethingIsMissingChangesNothing() throws IOException {
        write("pair", PAIR);
        unserved.add("io.manafold.link");
        assertThatThrownBy(() -> book.up("pair")).hasMessage(folder.resolve("pair.yaml")
                + ", line 5: nothing on this platform takes links: no component is configured by the factory PID "
                + "io.manafold.link. Add a bundle with such a component, or take links out of the file.");
        assertThat(errno(() -> book.up("pair"))).isEqualTo(Errno.EOPNOTSUPP);
        assertThat(admin.diary).isEmpty();
        assertThat(book.diff("pair")).hasSize(2);
    }

    @Test
    void aFailureHalfWayPutsEverythingBack() throws IOException {
        write("before", "adapters: [{name: one}, {name: two}]\nlinks: [{name: net, ports: [two/1]}]");
        book.up("before");
        Map<String, Dictionary<String, Object>> held = new TreeMap<>(admin.contents);
        write("after", "adapters: [{name: one, ports: 2}, {name: three}]\nlinks: [{name: lan, ports: [one/1]}]");
        admin.fails = line -> line.equals("update io.manafold.link~lan");
        assertThatThrownBy(() -> book.up("after")).hasMessage("Lab 'after': the configuration io.manafold.link~lan was "
                + "refused: the disk is full. Everything is as it was before.");
        assertThat(admin.contents).isEqualTo(held);
        assertThat(book.list()).filteredOn(LabStatus::up).extracting(LabStatus::name).containsExactly("before");
        admin.fails = _ -> false;
        assertThat(book.up("after")).hasSize(5);
    }

    @Test
    void aFailureToPutBackIsSaid() throws IOException {
        write("pair", PAIR);
        admin.fails = line -> line.contains("link") || line.startsWith("delete");
        assertThatThrownBy(() -> book.up("pair")).hasMessageEndingWith(
                "2 configurations could not be put back; when the reason is gone, bring a lab up again.");
    }

    @Test
    void whatIsUpIsKnownToTheNextBook() throws IOException {
        write("pair", PAIR);
        book.up("pair");
        LabBook next = new LabBook(library(folder), new Configurations(admin), consumers(), new NoArrivals());
        assertThat(next.list()).filteredOn(LabStatus::up).extracting(LabStatus::name).containsExactly("pair");
        Files.delete(folder.resolve("pair.yaml"));
        assertThat(next.list()).contains(new LabStatus("pair", true, folder.resolve("pair.yaml").toString(), 2, ""));
        assertThat(next.down("pair")).hasSize(2);
    }

    @Test
    void aLabFromAnyFileIsNamedAfterIt() throws IOException {
        Path file = data.resolve("mine.yml");
        Files.writeString(file, PAIR);
        book.up(file.toString());
        assertThat(book.list()).contains(new LabStatus("mine", true, file.toString(), 2, ""));
        assertThat(book.down(file.toString())).hasSize(2);
    }

    @Test
    void aFileInTheFolderTakesThePlaceOfOneOfOurs() throws IOException {
        write("default", PAIR);
        assertThat(book.list()).containsExactly(new LabStatus("default", false,
                folder.resolve("default.yaml").toString(), 2, "A pair of ports"));
        assertThat(book.up("default")).hasSize(2);
    }

    @Test
    void aBrokenFileIsListedWithItsReason() throws IOException {
        write("broken", "adaptors: []");
        Files.createDirectory(folder.resolve("dir.yaml"));
        Files.writeString(folder.resolve("no name.yaml"), "");
        assertThat(book.list()).extracting(LabStatus::name).containsExactly("broken", "default", "dir");
        assertThat(book.list().get(0).title()).contains("line 1").contains("nearest is 'adapters'");
        assertThat(book.list().get(2).title()).contains("is not a regular file");
        assertThat(errno(() -> book.up("broken"))).isEqualTo(Errno.EINVAL);
        assertThat(book.text("broken")).isEqualTo("adaptors: []");
    }

    @Test
    void aMissingLabIsAnsweredWithTheNearest() {
        assertThatThrownBy(() -> book.up("defualt")).hasMessage("There is no lab 'defualt'; nearest is 'default'. A "
                + "file defualt.yaml in " + folder + " would be one.");
        assertThat(errno(() -> book.up("defualt"))).isEqualTo(Errno.ENOENT);
        assertThat(errno(() -> book.down("defualt"))).isEqualTo(Errno.ENOENT);
        assertThat(errno(() -> book.diff("nosuch/file.yaml"))).isEqualTo(Errno.ENOENT);
        assertThat(errno(() -> book.text("nosuch.yaml"))).isEqualTo(Errno.ENOENT);
    }

    @Test
    void aFileWithTheOtherEndingIsPointedOut() throws IOException {
        Files.writeString(folder.resolve("mine.yml"), "");
        assertThatThrownBy(() -> book.up("mine")).hasMessageContaining("rename it to mine.yaml");
    }

    @Test
    void noNameLeadsOutOfTheFolder() throws IOException {
        Files.writeString(data.resolve("secret.yaml"), PAIR);
        for (String name : List.of("..", ".", "", "..\\secret", "a b", "a\u0000b", "-x", "a".repeat(65), "x\n")) {
            assertThat(errno(() -> book.text(name))).as(name).isEqualTo(Errno.EINVAL);
        }
        assertThat(errno(() -> book.text("../.yaml"))).isEqualTo(Errno.EINVAL);
        assertThat(errno(() -> book.text("a\u0000b/x.yaml"))).isEqualTo(Errno.EINVAL);
        assertThat(errno(() -> book.text("/dev/zero"))).isEqualTo(Errno.EINVAL);
    }

    @Test
    void aPlatformWithoutAFolderHasTheBuiltInLabs() {
        LabBook bare = new LabBook(library(null), new Configurations(admin), consumers(), new NoArrivals());
        assertThat(bare.folder()).isNull();
        assertThat(bare.list()).extracting(LabStatus::name).containsExactly("default");
        assertThatThrownBy(() -> bare.up("x")).hasMessage("There is no lab 'x'; nearest is 'default'.");
        LabBook unmade = new LabBook(library(data.resolve("none")), new Configurations(admin), consumers(),
                new NoArrivals());
        assertThat(unmade.list()).extracting(LabStatus::name).containsExactly("default");
    }

    @Test
    void aChangeFromInsideAChangeIsRefused() throws IOException {
        write("pair", PAIR);
        Errno[] inner = new Errno[1];
        admin.fails = line -> {
            inner[0] = errno(() -> book.down("pair"));
            admin.fails = _ -> false;
            return false;
        };
        assertThat(book.up("pair")).hasSize(2);
        assertThat(inner[0]).isEqualTo(Errno.EBUSY);
    }
}
