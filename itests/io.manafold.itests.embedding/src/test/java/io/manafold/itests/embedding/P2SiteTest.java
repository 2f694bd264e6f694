package io.manafold.itests.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import aQute.bnd.http.HttpClient;
import aQute.p2.api.Artifact;
import aQute.p2.packed.Unpack200;
import aQute.p2.provider.P2Impl;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.zip.ZipFile;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.Version;
import org.osgi.framework.VersionRange;
import org.osgi.util.promise.PromiseFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * The release folder as a site of p2: where bundles lie is read by bnd's reader of such sites, what there is and what
 * it needs from the XML itself.
 */
class P2SiteTest {
    private static final Path FOLDER = Features.ROOT.resolve("release/target/repository").normalize();
    private static final String IU = "org.eclipse.equinox.p2.iu";
    private static final String EXTENDER = "osgi.extender";
    private static final String PACKAGE = "java.package";

    @Test
    void eachBundleLiesWhereTheSiteSaysWithItsLengthAndChecksum() throws Exception {
        List<Artifact> artifacts = new ArrayList<>();
        try (HttpClient client = new HttpClient(); Unpack200 packed = new Unpack200()) {
            artifacts.addAll(new P2Impl(packed, client, FOLDER.toUri(), new PromiseFactory(Runnable::run))
                    .getArtifacts());
        }
        assertThat(artifacts).hasSizeGreaterThan(60);
        for (Artifact artifact : artifacts) {
            Path file = Path.of(artifact.uri);
            assertThat(file).startsWith(FOLDER).hasSize(artifact.download_size);
            assertThat(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file))).as("checksum of %s", file)
                    .isEqualTo(HexFormat.of().parseHex(artifact.getProperty("download.checksum.sha-256")));
            try (JarFile jar = new JarFile(file.toFile())) {
                Attributes headers = jar.getManifest().getMainAttributes();
                assertThat(headers.getValue("Bundle-SymbolicName").split(";")[0].strip()).isEqualTo(artifact.id);
                assertThat(Version.parseVersion(headers.getValue("Bundle-Version"))).isEqualTo(artifact.version);
            }
        }
        assertThat(artifacts.stream().map(artifact -> artifact.id + " " + artifact.version)).doesNotHaveDuplicates()
                .containsAll(units().stream().filter(unit -> !elements(unit, "artifact").isEmpty())
                        .map(unit -> unit.getAttribute("id") + " " + unit.getAttribute("version")).toList());
    }

    /** What each unit needs is of the site, or of Equinox. */
    @Test
    void whatIsNeededIsThere() throws Exception {
        Map<String, List<Version>> provided = new TreeMap<>();
        for (Element unit : units()) {
            for (Element each : elements(unit, "provided")) {
                provided.computeIfAbsent(key(each), _ -> new ArrayList<>())
                        .add(Version.parseVersion(each.getAttribute("version")));
            }
        }
        try (JarFile jar = new JarFile(new Jars().only("org.eclipse.platform", "org.eclipse.osgi").toFile())) {
            String exported = jar.getManifest().getMainAttributes().getValue("Export-Package");
            for (String clause : exported.split(",(?=[a-z])")) {
                provided.computeIfAbsent(PACKAGE + " " + clause.split(";")[0], _ -> new ArrayList<>())
                        .add(Version.parseVersion(clause.contains("version=\"")
                                ? clause.replaceAll("(?s).*?;version=\"([^\"]+)\".*", "$1") : "0"));
            }
        }
        List<String> missing = new ArrayList<>();
        for (Element unit : units()) {
            for (Element each : elements(unit, "required")) {
                VersionRange range = new VersionRange(each.getAttribute("range"));
                if (each.getAttribute("optional").isEmpty() && provided.getOrDefault(key(each), List.of()).stream()
                        .noneMatch(range::includes)) {
                    missing.add(unit.getAttribute("id") + " needs " + key(each) + " " + range);
                }
            }
        }
        assertThat(missing).isEmpty();
    }

    /** What components are carried out by is a bundle of the site, and each bundle says which Java it is made for. */
    @Test
    void javaAndExtendersAreAskedFor() throws Exception {
        List<Map<String, Object>> extenders = new ArrayList<>();
        for (Element unit : units()) {
            elements(unit, "provided").stream().filter(each -> each.getAttribute("namespace").equals(EXTENDER))
                    .forEach(each -> extenders.add(Map.of(EXTENDER, each.getAttribute("name"), "version",
                            Version.parseVersion(each.getAttribute("version")))));
        }
        for (Element unit : units()) {
            String name = unit.getAttribute("id");
            List<String> javas = new ArrayList<>();
            for (Element each : elements(unit, "requiredProperties")) {
                String match = each.getAttribute("match");
                if (each.getAttribute("namespace").equals(EXTENDER)) {
                    assertThat(extenders).as("%s needs %s", name, match)
                            .anyMatch(FrameworkUtil.createFilter(match)::matches);
                } else {
                    javas.add(match);
                }
            }
            if (name.startsWith("io.manafold.") && !elements(unit, "artifact").isEmpty()) {
                assertThat(javas).as("the Java of %s", name).containsExactly("(&(osgi.ee=JavaSE)(version=25))");
            }
        }
    }

    @Test
    void eachFeatureIsAGroupOfExactlyItsBundles() throws Exception {
        Map<String, Element> byName = new TreeMap<>();
        for (Element unit : units()) {
            byName.put(unit.getAttribute("id"), unit);
        }
        for (String name : Features.names()) {
            Element group = byName.get("io.manafold.features." + name + ".feature.group");
            assertThat(group).as("the group of the feature %s", name).isNotNull();
            List<Element> members = elements(group, "required");
            assertThat(members).hasSameSizeAs(Features.bundles(Features.read(name)))
                    .allMatch(member -> member.getAttribute("namespace").equals(IU));
            assertThat(elements(byName.get("io.manafold.category"), "required"))
                    .anyMatch(member -> member.getAttribute("name").equals(group.getAttribute("id")));
        }
    }

    private static String key(Element each) {
        return each.getAttribute("namespace") + " " + each.getAttribute("name");
    }

    private static List<Element> units() throws Exception {
        try (ZipFile jar = new ZipFile(FOLDER.resolve("content.jar").toFile());
                InputStream in = jar.getInputStream(jar.getEntry("content.xml"))) {
            return elements(DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(in).getDocumentElement(),
                    "unit");
        }
    }

    private static List<Element> elements(Element parent, String name) {
        NodeList found = parent.getElementsByTagName(name);
        List<Element> elements = new ArrayList<>();
        for (int i = 0; i < found.getLength(); i++) {
            elements.add((Element) found.item(i));
        }
        return elements;
    }
}
