package io.manafold.itests.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.Bundle;

/**
 * Equinox's director installs features from the release folder into an empty place, as it does for users of Equinox.
 * The framework itself is not ours to offer: Equinox's own publisher makes a site of it.
 */
class DirectorTest {
    private static final Path DIRECTOR = Path.of(System.getProperty("manafold.director"));
    private static final Path SITE = Features.ROOT.resolve("release/target/repository").normalize();
    private static final String GROUP = "io.manafold.features.%s.feature.group";
    private static final String FRAMEWORK = ",org.eclipse.osgi";
    /**
     * What the director is told of a Java, each version that it can stand for, and of bundles, as each product of
     * Eclipse tells it: that they are written down for the framework.
     */
    private static final String JAVA = """
            <?xml version='1.0' encoding='UTF-8'?>
            <?metadataRepository version='1.2.0'?>
            <repository name='Java' version='1.0.0'
                type='org.eclipse.equinox.internal.p2.metadata.repository.LocalMetadataRepository'>
              <units size='2'>
                <unit id='a.jre.javase' version='%1$s.0.0' singleton='false'>
                  <provides size='%2$s'>
                    <provided namespace='org.eclipse.equinox.p2.iu' name='a.jre.javase' version='%1$s.0.0'/>
                    <provided namespace='osgi.ee' name='JavaSE/compact1' version='1.8.0'/>
                    %3$s
                  </provides>
                </unit>
                <unit id='tooling.osgi.bundle.default' version='1.0.0' singleton='false'>
                  <hostRequirements size='1'>
                    <required namespace='org.eclipse.equinox.p2.eclipse.type' name='bundle' range='0.0.0'
                        multiple='true' greedy='false'/>
                  </hostRequirements>
                  <properties size='1'>
                    <property name='org.eclipse.equinox.p2.type.fragment' value='true'/>
                  </properties>
                  <provides size='2'>
                    <provided namespace='org.eclipse.equinox.p2.iu' name='tooling.osgi.bundle.default'
                        version='1.0.0'/>
                    <provided namespace='org.eclipse.equinox.p2.flavor' name='tooling' version='1.0.0'/>
                  </provides>
                  <requires size='1'>
                    <required namespace='org.eclipse.equinox.p2.eclipse.type' name='bundle' range='0.0.0'
                        multiple='true' greedy='false'/>
                  </requires>
                  <touchpoint id='null' version='0.0.0'/>
                  <touchpointData size='1'>
                    <instructions size='3'>
                      <instruction key='install'>installBundle(bundle:${artifact})</instruction>
                      <instruction key='uninstall'>uninstallBundle(bundle:${artifact})</instruction>
                      <instruction key='configure'>setStartLevel(startLevel:4);</instruction>
                    </instructions>
                  </touchpointData>
                </unit>
              </units>
            </repository>
            """;
    private static final String NOTHING = """
            <?xml version='1.0' encoding='UTF-8'?>
            <?artifactRepository version='1.1.0'?>
            <repository name='Java' type='org.eclipse.equinox.p2.artifact.repository.simpleRepository' version='1'>
              <artifacts size='0'/>
            </repository>
            """;

    @TempDir
    Path folder;

    /** How a program of Equinox ended. */
    private record Ended(int status, String said) {
    }

    @BeforeEach
    void writeSitesOfOthers() throws IOException, InterruptedException {
        java("java", 25);
        Path plugins = Files.createDirectories(folder.resolve("framework/plugins"));
        Path framework = framework();
        Files.copy(framework, plugins.resolve(framework.getFileName()));
        Ended published = run("org.eclipse.equinox.p2.publisher.FeaturesAndBundlesPublisher", "-source",
                folder.resolve("framework").toString(), "-metadataRepository", uri("equinox"), "-artifactRepository",
                uri("equinox"), "-publishArtifacts", "-compress");
        assertThat(published.status()).as(published.said()).isZero();
    }

    private void java(String site, int version) throws IOException {
        List<String> stoodFor = Stream.of("1.7", "1.8", "11", "17", "21", "25")
                .filter(each -> Float.parseFloat(each) <= version)
                .map("<provided namespace='osgi.ee' name='JavaSE' version='%s.0'/>"::formatted).toList();
        Path java = Files.createDirectory(folder.resolve(site));
        Files.writeString(java.resolve("content.xml"),
                JAVA.formatted(version, 2 + stoodFor.size(), String.join("", stoodFor)));
        Files.writeString(java.resolve("artifacts.xml"), NOTHING);
    }

    private String uri(String name) {
        return folder.resolve(name).toUri().toString();
    }

    private static Path framework() throws IOException {
        return jar("org.eclipse.osgi-");
    }

    private static Path jar(String words) throws IOException {
        return jars().stream().filter(jar -> jar.getFileName().toString().contains(words)).findFirst().orElseThrow();
    }

    private static List<Path> jars() throws IOException {
        try (Stream<Path> files = Files.list(DIRECTOR)) {
            return files.sorted().toList();
        }
    }

    @Test
    void eachFeatureIsInstalledAsItLiesInTheFolder() throws Exception {
        for (String feature : List.of("core", "ethernet", "all")) {
            Ended ended = install(feature, FRAMEWORK, uri("equinox"), uri("java"));
            assertThat(ended.status()).as(ended.said()).isZero();
            List<Path> installed;
            try (Stream<Path> files = Files.list(folder.resolve(feature).resolve("plugins"))) {
                installed = files.filter(file -> !file.getFileName().toString().startsWith("org.eclipse.osgi_"))
                        .toList();
            }
            assertThat(installed).as(feature).hasSameSizeAs(Features.bundles(Features.read(feature)))
                    .allSatisfy(file -> assertThat(offered()).anyMatch(one -> isSame(one, file)));
        }
    }

    /** By what p2 has written down for the framework: which bundles there are, and which of them are started. */
    @Test
    void whatIsInstalledRuns() throws Exception {
        Ended ended = install("core", FRAMEWORK, uri("equinox"), uri("java"));
        assertThat(ended.status()).as(ended.said()).isZero();
        Properties written = new Properties();
        try (InputStream in = Files.newInputStream(folder.resolve("core/configuration/config.ini"))) {
            written.load(in);
        }
        String[] listed = written.getProperty("osgi.bundles").split(",");
        assertThat(listed).hasSameSizeAs(Features.bundles(Features.read("core")));
        try (Host host = new Host(Host.Kind.EQUINOX, new Jars(), folder.resolve("storage"), Map.of())) {
            List<Bundle> started = new ArrayList<>();
            for (String each : listed) {
                String name = each.replaceAll("^reference:file:|@.*", "");
                Bundle bundle = host.install(folder.resolve("core/plugins").resolve(name));
                if (each.endsWith(":start")) {
                    started.add(bundle);
                }
            }
            for (Bundle bundle : started) {
                bundle.start();
            }
            host.await("the driver core", () -> host.has("io.manafold.api.device.DriverCore", null));
            assertThat(host.context().getBundles()).allSatisfy(bundle -> assertThat(bundle.getState())
                    .as("%s", bundle).isEqualTo(Host.isFragment(bundle) ? Bundle.RESOLVED : Bundle.ACTIVE));
        }
    }

    @Test
    void anOlderJavaIsRefused() throws Exception {
        java("older", 21);
        Ended ended = install("core", FRAMEWORK, uri("equinox"), uri("older"));
        assertThat(ended.status()).isNotZero();
        assertThat(ended.said()).contains("Missing requirement: ", "(&(osgi.ee=JavaSE)(version=25))");
        assertThat(folder.resolve("core/plugins")).doesNotExist();
    }

    private static List<Path> offered() throws IOException {
        try (Stream<Path> files = Files.walk(SITE)) {
            return files.filter(file -> file.toString().endsWith(".jar")).toList();
        }
    }

    private static boolean isSame(Path one, Path other) {
        try {
            return Files.mismatch(one, other) < 0;
        } catch (IOException unreadable) {
            throw new AssertionError(unreadable);
        }
    }

    /** What a bundle needs is told by the site, so that nothing is installed that could not start. */
    @Test
    void withoutAFrameworkTheDirectorSaysWhatIsMissing() throws Exception {
        Ended ended = install("core", "", uri("java"));
        assertThat(ended.status()).isNotZero();
        assertThat(ended.said()).contains("java.package; org.osgi.framework");
        assertThat(folder.resolve("core/plugins")).doesNotExist();
    }

    private Ended install(String feature, String framework, String... sites) throws IOException, InterruptedException {
        String place = folder.resolve(feature).toString();
        return run("org.eclipse.equinox.p2.director", "-repository", SITE.toUri() + "," + String.join(",", sites),
                "-installIU", GROUP.formatted(feature) + framework + ",tooling.osgi.bundle.default", "-destination",
                place, "-bundlepool", place, "-profile", "manafold", "-roaming");
    }

    private Ended run(String application, String... words) throws IOException, InterruptedException {
        Path configuration = Files.createTempDirectory(folder, "configuration");
        Files.writeString(configuration.resolve("config.ini"), "osgi.bundles=" + bundles()
                + "\nosgi.bundles.defaultStartLevel=4\nosgi.compatibility.bootdelegation=true\nosgi.framework="
                + framework().toUri() + "\n");
        Path launcher = jar(".launcher-");
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java")
                .toString(), "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-jar", launcher.toString(),
                "-configuration", configuration.toString(), "-consoleLog", "-application", application));
        command.addAll(List.of(words));
        Path said = configuration.resolve("said");
        Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile()).start();
        try {
            assertThat(process.waitFor(120, TimeUnit.SECONDS)).as("%s ends", application).isTrue();
            return new Ended(process.exitValue(), Files.readString(said));
        } finally {
            process.destroyForcibly();
        }
    }

    /** Declarative Services come before what is made of components; a fragment is never started. */
    private static String bundles() throws IOException {
        List<String> bundles = new ArrayList<>();
        for (Path jar : jars()) {
            String name = jar.getFileName().toString();
            if (!name.startsWith("org.eclipse.osgi-") && !name.contains(".launcher-")) {
                String level = name.contains("simpleconfigurator-") ? "@1:start"
                        : name.contains(".scr-") || name.contains("equinox.common-") || name.contains("core.runtime-")
                                ? "@2:start" : name.contains("compatibility.state-") ? "" : "@4:start";
                bundles.add("reference:" + jar.toUri() + level);
            }
        }
        return String.join(",", bundles);
    }
}
