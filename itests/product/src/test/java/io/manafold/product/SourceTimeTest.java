package io.manafold.product;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.Version;

/** What tells two snapshots apart: the same for the same sources, and greater for later ones. */
@Timeout(300)
class SourceTimeTest {
    private static final String ELSE = "2026-11-01T00:00:00Z";
    private static final String COMMITTED = "2026-11-20T10:20:30Z";

    @TempDir
    Path folder;

    private Path sources;

    @BeforeEach
    void copy() throws IOException {
        sources = Files.createDirectories(folder.resolve("täglich neu/release")).getParent();
        Files.copy(Run.TOP.resolve("release/source-time"), sources.resolve("release/source-time"));
        Files.writeString(sources.resolve(".gitattributes"), "release/source-time export-subst\n");
        Files.writeString(sources.resolve(".gitignore"), "target/\n");
    }

    /** As a build of its own asks: one that has asked before is told the same. */
    private static String time(Path top) {
        return Run.of("sh", "-c", "sh \"$0\" \"$1\"; :", top.resolve("release/source-time").toString(), ELSE)
                .with("GIT_CEILING_DIRECTORIES", top.getParent().toString()).end().done().out().strip();
    }

    private void git(String... words) {
        Run.of(Stream.concat(Stream.of("git", "-c", "user.name=A", "-c", "user.email=a@example.org"), Stream.of(words))
                .toArray(String[]::new)).in(sources).with("GIT_COMMITTER_DATE", COMMITTED).end().done();
    }

    private void commit() {
        assumeTrue(Run.of("sh", "-c", "command -v git").end().status() == 0, "git is installed");
        git("init", "-q");
        git("add", "-A");
        git("commit", "-q", "-m", "First");
    }

    @Test
    void whatIsCommittedHasTheTimeOfItsCommitInEachClone() {
        commit();
        assertThat(time(sources)).isEqualTo("20261120102030");
        Path clone = folder.resolve("clone");
        Run.of("git", "clone", "-q", sources.toString(), clone.toString()).end().done();
        assertThat(time(clone)).isEqualTo("20261120102030");
    }

    @Test
    void whatIsChangedOrNewHasTheTimeOfTheLatestFile() throws IOException {
        commit();
        Path added = Files.writeString(sources.resolve("a new file"), "new");
        Files.setLastModifiedTime(added, FileTime.from(Instant.parse("2026-11-21T00:00:00Z")));
        assertThat(time(sources)).isEqualTo("20261121000000");
        Path changed = Files.writeString(sources.resolve(".gitignore"), "target/\nother/\n");
        Files.setLastModifiedTime(changed, FileTime.from(Instant.parse("2026-11-22T00:00:00Z")));
        assertThat(time(sources)).isEqualTo("20261122000000");
        Files.setLastModifiedTime(changed, FileTime.from(Instant.parse("2026-11-02T00:00:00Z")));
        assertThat(time(sources)).as("never before the commit").isEqualTo("20261121000000");
    }

    @Test
    void allBundlesOfOneBuildHaveTheSame() throws IOException {
        commit();
        Path changed = sources.resolve("new");
        String twice = Run.of("sh", "-c", "sh \"$0\" x; touch -d 2026-11-21T00:00:00Z \"$1\"; sh \"$0\" x; :",
                sources.resolve("release/source-time").toString(), changed.toString()).end().done().out();
        assertThat(twice).isEqualTo("20261120102030\n20261120102030\n");
        assertThat(time(sources)).isEqualTo("20261121000000");
    }

    @Test
    void anArchiveOfGitKnowsItAndOtherSourcesHaveTheTimeGiven() throws IOException {
        assertThat(time(sources)).isEqualTo("20261101000000");
        commit();
        Path unpacked = Files.createDirectory(folder.resolve("unpacked"));
        git("archive", "--format=tar", "-o", folder.resolve("sources.tar").toString(), "HEAD");
        Run.of("tar", "-xf", folder.resolve("sources.tar").toString(), "-C", unpacked.toString()).end().done();
        assertThat(time(unpacked)).isEqualTo("20261120102030");
    }

    /** So that a framework takes what was built later for newer. */
    @Test
    void allBundlesOfASnapshotHaveTheSameAndItIsNewerThanNone() throws IOException {
        String version = StrangersBuild.version();
        assumeTrue(version.endsWith("-SNAPSHOT"), "a release has no qualifier");
        String numbers = version.replace("-SNAPSHOT", "");
        Set<String> versions = new TreeSet<>();
        Path ours = Run.TOP.resolve("release/target/repository/io/manafold");
        try (Stream<Path> all = Files.walk(ours)) {
            for (Path file : all.filter(one -> one.toString().endsWith("-" + version + ".jar")).toList()) {
                try (JarFile jar = new JarFile(file.toFile())) {
                    versions.add(jar.getManifest().getMainAttributes().getValue("Bundle-Version"));
                }
            }
        }
        assertThat(versions).singleElement().asString().matches(Pattern.quote(numbers) + "\\.20\\d{12}");
        Version built = Version.parseVersion(versions.iterator().next());
        assertThat(built).isGreaterThan(Version.parseVersion(numbers))
                .isLessThan(Version.parseVersion(numbers + ".29991231235959"));
    }
}
