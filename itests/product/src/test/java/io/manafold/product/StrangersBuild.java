package io.manafold.product;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A project of the examples as a stranger builds it: copied away, without a network, with what Maven has fetched of
 * others and of Manafold what the release folder has.
 */
final class StrangersBuild {
    static final Path RELEASED = Run.TOP.resolve("release/target/repository");
    private static final Path FETCHED = Path.of(System.getProperty("localRepository",
            System.getProperty("user.home") + "/.m2/repository"));

    private static final Pattern OWN_VERSION = Pattern.compile("(?m)^  <version>(.+)</version>$");

    private final Path project;

    /** Builds and tests it. */
    StrangersBuild(String example, Path folder) throws IOException {
        project = folder.resolve("first " + example);
        Run.of("cp", "-r", Run.TOP.resolve("examples").resolve(example).toString(), project.toString()).end().done();
        Run.of("mvn", "-B", "-ntp", "-o", "-q", "-Daether.offline.protocols=file", "-Dmaven.repo.local="
                + fetched(folder), "-Dmanafold.repository=" + RELEASED, "verify")
                .in(project).with("JAVA_HOME", System.getProperty("java.home"))
                .with("MAVEN_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC").fed("", Duration.ofMinutes(3)).done();
    }

    /** The version of what is released, as pom.xml has it. */
    static String version() throws IOException {
        Matcher own = OWN_VERSION.matcher(Files.readString(Run.TOP.resolve("pom.xml")));
        assertThat(own.find()).as("a version in pom.xml").isTrue();
        return own.group(1);
    }

    Path file(String name) {
        return project.resolve(name);
    }

    /** What Maven has fetched of others, and nothing of ours. */
    private static Path fetched(Path folder) throws IOException {
        Path repository = Files.createDirectory(folder.resolve("repository"));
        link(FETCHED, repository, "io");
        link(FETCHED.resolve("io"), Files.createDirectory(repository.resolve("io")), "manafold");
        return repository;
    }

    private static void link(Path from, Path into, String without) throws IOException {
        try (Stream<Path> all = Files.list(from)) {
            for (Path one : all.filter(one -> !one.endsWith(without)).toList()) {
                Files.createSymbolicLink(into.resolve(one.getFileName()), one);
            }
        }
    }
}
