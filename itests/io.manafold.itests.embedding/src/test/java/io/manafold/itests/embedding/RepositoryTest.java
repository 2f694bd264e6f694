package io.manafold.itests.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import aQute.bnd.osgi.repository.XMLResourceParser;
import biz.aQute.resolve.Bndrun;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.Bundle;
import org.osgi.resource.Resource;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** The folder that others take for a repository. */
class RepositoryTest {
    private static final Path FOLDER = Features.ROOT.resolve("release/target/repository").normalize();

    @TempDir
    Path temporary;

    /** As a bndrun file does that names the index, without anything else that is here. */
    @Test
    void aCompositionIsResolvedFromItsIndexAndStarts() throws Exception {
        List<Resource> resources = XMLResourceParser.getResources(FOLDER.resolve("index.xml").toUri());
        Set<Path> answer = new Resolution(resources)
                .of(List.of(Resolution.service("io.manafold.api.device.DriverCore")));
        assertThat(answer).allMatch(file -> file.startsWith(FOLDER) && Files.isRegularFile(file));
        Set<String> names = new TreeSet<>();
        answer.forEach(file -> names.add(file.getFileName().toString()));
        assertThat(names).anyMatch(name -> name.startsWith("io.manafold.bus-"))
                .anyMatch(name -> name.startsWith("org.apache.felix.scr-"));
        try (Host host = new Host(Host.Kind.FELIX, new Jars(), temporary, new TreeMap<>())) {
            for (Bundle bundle : host.start(List.copyOf(answer))) {
                assertThat(bundle.getState()).isEqualTo(Host.isFragment(bundle) ? Bundle.RESOLVED : Bundle.ACTIVE);
            }
            host.await("the driver core", () -> host.has("io.manafold.api.device.DriverCore", null));
        }
    }

    /** A file of bnd's that names the index as the one repository there is. */
    @Test
    void aBndrunIsResolvedFromItsIndex() throws Exception {
        Path file = Files.writeString(temporary.resolve("own.bndrun"), """
                -standalone: %s;name=Manafold
                -runfw: org.apache.felix.framework
                -runee: JavaSE-25
                -resolve.effective: active
                -runrequires: %s
                """.formatted(FOLDER.resolve("index.xml").toUri(),
                Resolution.service("io.manafold.api.net.NetDevice")));
        try (Bndrun own = Bndrun.createBndrun(null, file.toFile())) {
            String answer = own.resolve(false, false);
            assertThat(own.getErrors()).isEmpty();
            assertThat(answer).contains("io.manafold.ethernet;version=", "io.manafold.adapter;version=",
                    "org.apache.felix.scr;version=");
            own.setProperty("-runbundles", answer);
            assertThat(own.getRunbundles()).hasSizeGreaterThan(20).allSatisfy(one -> {
                assertThat(one.getError()).isNull();
                assertThat(one.getFile()).isFile();
            });
        }
    }

    /** What a launcher of features asks a repository for by the ids in them. */
    @Test
    void eachFeatureIsThereWithItsBundles() throws IOException {
        Path ours = FOLDER.resolve("io/manafold");
        for (String name : Features.names()) {
            String[] id = Features.read(name).getID().toString().split(":");
            assertThat(ours.resolve("%s/%s/%s-%s-%s.%s".formatted(id[1], id[4], id[1], id[4], id[3], id[2])))
                    .hasSameBinaryContentAs(Features.ROOT.resolve("features/" + name + ".json"));
            for (String bundle : Features.bundles(Features.read(name))) {
                String[] part = bundle.split(":");
                Path file = Path.of(part[1] + "-" + part[2] + ".jar");
                assertThat(FOLDER.resolve(part[0].replace('.', '/')).resolve(part[1]).resolve(part[2]).resolve(file))
                        .isRegularFile();
            }
        }
    }

    /** So that Maven has nothing to fetch from elsewhere for them, of what only their builds and tests need neither. */
    @Test
    void eachPomNeedsNothingThatIsNotHere() throws Exception {
        List<Path> poms = ours("pom");
        assertThat(poms).anyMatch(pom -> pom.toString().contains("/io.manafold.features/"))
                .containsAll(ours("jar").stream().filter(jar -> !jar.toString().matches(".*-(sources|javadoc)[.]jar"))
                        .map(jar -> Path.of(jar.toString().replaceAll("jar$", "pom"))).toList());
        for (Path pom : poms) {
            Element project = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(pom.toFile())
                    .getDocumentElement();
            assertThat(elements(project, "parent")).as("parents in %s", pom).isEmpty();
            assertThat(elements(project, "scope")).as("scopes in %s", pom).isEmpty();
            if (elements(project, "dependencyManagement").isEmpty()) {
                for (Element each : elements(project, "dependency")) {
                    assertThat(jar(each)).as("needed by %s", pom).isRegularFile();
                }
            }
        }
    }

    /** Who imports the bill of materials need not know a version of anything that lies in the folder. */
    @Test
    void theBillToImportHasEachLibraryThatLiesHere() throws Exception {
        Path bill = ours("pom").stream().filter(pom -> pom.toString().contains(".bom-")).findFirst().orElseThrow();
        Set<Path> managed = new TreeSet<>();
        for (Element each : elements(DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(bill.toFile())
                .getDocumentElement(), "dependency")) {
            if (!text(each, "groupId").equals("io.manafold")) {
                managed.add(jar(each));
            }
        }
        assertThat(managed).isEqualTo(new TreeSet<>(files("org", "jar")));
    }

    /** Where the jar of a dependency would lie. */
    private static Path jar(Element dependency) {
        String artifact = text(dependency, "artifactId");
        String version = text(dependency, "version");
        return FOLDER.resolve(text(dependency, "groupId").replace('.', '/')).resolve(artifact).resolve(version)
                .resolve(artifact + "-" + version + ".jar");
    }

    private static List<Path> ours(String end) throws IOException {
        return files("io", end);
    }

    private static List<Path> files(String folder, String end) throws IOException {
        try (Stream<Path> all = Files.walk(FOLDER.resolve(folder))) {
            return all.filter(file -> file.toString().endsWith("." + end)).sorted().toList();
        }
    }

    private static List<Element> elements(Element parent, String name) {
        NodeList found = parent.getElementsByTagName(name);
        return IntStream.range(0, found.getLength()).mapToObj(i -> (Element) found.item(i)).toList();
    }

    private static String text(Element parent, String name) {
        return elements(parent, name).getFirst().getTextContent().strip();
    }

    /** Each library that is in the product's jar, with its version and checksum, and nothing else. */
    @Test
    void theBillOfMaterialsHasWhatTheProductHas() throws Exception {
        Set<String> shipped = new TreeSet<>();
        try (JarFile product = new JarFile(Features.ROOT.resolve("bndrun/target/manafold.jar").toFile())) {
            for (JarEntry entry : product.stream().filter(one -> one.getName().endsWith(".jar")).toList()) {
                String name = Path.of(entry.getName()).getFileName().toString();
                byte[] sum = MessageDigest.getInstance("SHA-256")
                        .digest(product.getInputStream(entry).readAllBytes());
                shipped.add(name + " " + HexFormat.of().formatHex(sum));
            }
        }
        Set<String> listed = new TreeSet<>();
        List<Path> bills;
        try (Stream<Path> all = Files.list(FOLDER)) {
            bills = all.filter(file -> file.toString().endsWith("-cyclonedx.json")).toList();
        }
        assertThat(bills).hasSize(1);
        try (JsonReader reader = Json.createReader(Files.newInputStream(bills.getFirst()))) {
            JsonObject bill = reader.readObject();
            assertThat(bill.getString("bomFormat") + " " + bill.getString("specVersion")).isEqualTo("CycloneDX 1.6");
            for (JsonObject each : bill.getJsonArray("components").getValuesAs(JsonObject.class)) {
                String name = each.getString("name");
                String version = each.getString("version");
                JsonObject hash = each.getJsonArray("hashes").getJsonObject(0);
                assertThat(hash.getString("alg")).isEqualTo("SHA-256");
                assertThat(each.getString("purl"))
                        .isEqualTo("pkg:maven/" + each.getString("group") + "/" + name + "@" + version + "?type=jar");
                // what is ours has the licence that the owner will choose
                assertThat(each.containsKey("licenses")).as("a licence of %s", name)
                        .isEqualTo(!each.getString("group").equals("io.manafold"));
                listed.add(name + "-" + version + ".jar " + hash.getString("content"));
            }
        }
        assertThat(shipped).hasSizeGreaterThan(60).anyMatch(one -> one.startsWith("biz.aQute.launcher-"));
        assertThat(listed).isEqualTo(shipped);
    }

    @Test
    void eachFileHasItsChecksum() throws Exception {
        Set<Path> told = new TreeSet<>();
        for (String line : Files.readAllLines(FOLDER.resolve("SHA256SUMS"))) {
            String[] both = line.split(" {2}", 2);
            Path file = FOLDER.resolve(both[1]).normalize();
            told.add(file);
            assertThat(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)))
                    .isEqualTo(HexFormat.of().parseHex(both[0]));
        }
        try (Stream<Path> all = Files.walk(FOLDER)) {
            assertThat(all.filter(Files::isRegularFile).filter(one -> !one.endsWith("SHA256SUMS")).sorted().toList())
                    .isEqualTo(List.copyOf(told));
        }
    }
}
