package io.manafold.itests.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import aQute.bnd.osgi.Builder;
import aQute.bnd.osgi.Jar;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.osgi.framework.Version;

/**
 * The example's driver as it was built when its API had a former version: sources of that commit, out of the history,
 * compiled and put together as the build does.
 */
final class OlderDriver {
    private static final String VERSION =
            "bundles/io.manafold.api.device/src/main/java/io/manafold/api/device/package-info.java";
    private static final String EXAMPLE =
            "itests/io.manafold.example.embedder/src/main/java/io/manafold/example/embedder/internal/EduDriver.java";
    private static final List<String> API = List.of("bundles/io.manafold.api.refusal/src/main/java",
            "bundles/io.manafold.api.device/src/main/java");

    private OlderDriver() {
    }

    /**
     * The last commit before the API of devices had its major and minor version, and the driver's first; none without a
     * history.
     */
    static List<String> commits(Version present) throws IOException, InterruptedException {
        List<String> changed = git("log", "--format=%H", "-S@Version(\"" + present.getMajor() + "." + present.getMinor()
                + ".", "--", VERSION).lines().toList();
        List<String> made = git("log", "--format=%H", "--diff-filter=A", "--", EXAMPLE).lines().toList();
        return changed.isEmpty() || made.isEmpty() ? List.of() : List.of(changed.getFirst() + "^", made.getLast());
    }

    /** Makes the jar of a driver of that commit. */
    static Path build(String commit, Path folder, String file) throws Exception {
        Path sources = Files.createDirectories(folder.resolve(file + ".sources"));
        for (String root : API) {
            for (String name : git("ls-tree", "-r", "--name-only", commit, root).lines().toList()) {
                extract(commit, name, sources);
            }
        }
        extract(commit, EXAMPLE, sources);
        Path classes = Files.createDirectories(folder.resolve(file + ".classes"));
        List<String> words = new ArrayList<>(List.of("-nowarn", "-proc:none", "-cp",
                System.getProperty("java.class.path"), "-d", classes.toString()));
        try (Stream<Path> all = Files.walk(sources)) {
            all.filter(one -> one.toString().endsWith(".java")).forEach(one -> words.add(one.toString()));
        }
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, words.toArray(String[]::new))).isZero();
        // its packages say that they are exported, and in which version
        Path api = folder.resolve(file + ".api");
        try (Builder builder = new Builder()) {
            builder.addClasspath(classes.toFile());
            builder.setProperty("-privatepackage", "io.manafold.api.*");
            write(builder, api);
        }
        Path jar = folder.resolve(file);
        Path own = Files.createDirectories(folder.resolve(file + ".own"));
        Files.move(classes.resolve("io/manafold/example"), Files.createDirectories(own.resolve("io/manafold"))
                .resolve("example"));
        try (Builder driver = new Builder()) {
            driver.addClasspath(api.toFile());
            driver.addClasspath(own.toFile());
            driver.setProperty("-privatepackage", "io.manafold.example.*");
            driver.setProperty("Import-Package", "io.manafold.api.*, org.osgi.*;resolution:=optional, *");
            write(driver, jar);
        }
        return jar;
    }

    private static void write(Builder builder, Path file) throws Exception {
        builder.setProperty("Bundle-SymbolicName", file.getFileName().toString());
        try (Jar jar = builder.build()) {
            assertThat(builder.getErrors()).isEmpty();
            jar.write(file.toFile());
        }
    }

    private static void extract(String commit, String name, Path sources) throws IOException, InterruptedException {
        Path file = sources.resolve(name.replaceAll(".*/src/main/java/", ""));
        Files.createDirectories(file.getParent());
        Files.writeString(file, git("show", commit + ":" + name));
    }

    private static String git(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("git", "-c", "safe.directory=*"));
        command.addAll(List.of("-C", Features.ROOT.toString()));
        command.addAll(List.of(words));
        Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor() == 0 ? said : "";
    }
}
