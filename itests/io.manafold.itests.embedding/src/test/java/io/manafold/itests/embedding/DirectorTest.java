package io.manafold.itests.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Equinox's director installs features from the release folder into an empty place, as it does for users of Equinox.
 * The framework itself is not ours to offer: Equinox's own publisher makes a site of it.
 */
class DirectorTest {
    private static final Path DIRECTOR = Path.of(System.getProperty("manafold.director"));
    private static final Path SITE = Features.ROOT.resolve("release/target/repository").normalize();
    private static final String GROUP = "io.manafold.features.%s.feature.group";
    /** What the director is told of the Java that runs it: the framework wants one. */
    private static final String JAVA = """
            <?xml version='1.0' encoding='UTF-8'?>
            <?metadataRepository version='1.2.0'?>
            <repository name='Java' version='1.0.0'
                type='org.eclipse.equinox.internal.p2.metadata.repository.LocalMetadataRepository'>
              <units size='1'>
                <unit id='a.jre.javase' version='25.0.0' singleton='false'>
                  <provides size='2'>
                    <provided namespace='org.eclipse.equinox.p2.iu' name='a.jre.javase' version='25.0.0'/>
                    <provided namespace='osgi.ee' name='JavaSE' version='1.8.0'/>
                  </provides>
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
        Path java = Files.createDirectory(folder.resolve("java"));
        Files.writeString(java.resolve("content.xml"), JAVA);
        Files.writeString(java.resolve("artifacts.xml"), NOTHING);
        Path plugins = Files.createDirectories(folder.resolve("framework/plugins"));
        Path framework = framework();
        Files.copy(framework, plugins.resolve(framework.getFileName()));
        Ended published = run("org.eclipse.equinox.p2.publisher.FeaturesAndBundlesPublisher", "-source",
                folder.resolve("framework").toString(), "-metadataRepository", uri("equinox"), "-artifactRepository",
                uri("equinox"), "-publishArtifacts", "-compress");
        assertThat(published.status()).as(published.said()).isZero();
    }

    private String uri(String name) {
        return folder.resolve(name).toUri().toString();
    }

    private static Path framework() throws IOException {
        return jars().stream().filter(jar -> jar.getFileName().toString().startsWith("org.eclipse.osgi-")).findFirst()
                .orElseThrow();
    }

    private static List<Path> jars() throws IOException {
        try (Stream<Path> files = Files.list(DIRECTOR)) {
            return files.sorted().toList();
        }
    }

    @Test
    void eachFeatureIsInstalledAsItLiesInTheFolder() throws Exception {
        for (String feature : List.of("core", "ethernet", "all")) {
            Ended ended = install(feature, SITE.toUri() + "," + uri("equinox") + "," + uri("java"));
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
        Ended ended = install("core", SITE.toUri().toString());
        assertThat(ended.status()).isNotZero();
        assertThat(ended.said()).contains("java.package; org.osgi.framework");
        assertThat(folder.resolve("core/plugins")).doesNotExist();
    }

    private Ended install(String feature, String sites) throws IOException, InterruptedException {
        String place = folder.resolve(feature).toString();
        String units = GROUP.formatted(feature) + (sites.contains(",") ? ",org.eclipse.osgi" : "");
        return run("org.eclipse.equinox.p2.director", "-repository", sites, "-installIU", units, "-destination", place,
                "-bundlepool", place, "-profile", "manafold", "-roaming");
    }

    private Ended run(String application, String... words) throws IOException, InterruptedException {
        Path configuration = Files.createTempDirectory(folder, "configuration");
        Files.writeString(configuration.resolve("config.ini"), "osgi.bundles=" + bundles()
                + "\nosgi.bundles.defaultStartLevel=4\nosgi.compatibility.bootdelegation=true\nosgi.framework="
                + framework().toUri() + "\n");
        Path launcher = jars().stream().filter(jar -> jar.getFileName().toString().contains(".launcher-")).findFirst()
                .orElseThrow();
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

    /** Declarative Services come before what is made of components. */
    private static String bundles() throws IOException {
        List<String> bundles = new ArrayList<>();
        for (Path jar : jars()) {
            String name = jar.getFileName().toString();
            if (!name.startsWith("org.eclipse.osgi-") && !name.contains(".launcher-")) {
                String level = name.contains("simpleconfigurator-") ? "@1:start"
                        : name.contains(".scr-") || name.contains("equinox.common-") || name.contains("core.runtime-")
                                ? "@2:start" : "@4:start";
                bundles.add("reference:" + jar.toUri() + level);
            }
        }
        return String.join(",", bundles);
    }
}
