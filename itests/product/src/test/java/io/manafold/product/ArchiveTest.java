package io.manafold.product;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is taken home: an archive that is unpacked somewhere, and needs a JDK and nothing else. */
@Timeout(300)
class ArchiveTest {
    private static final String NOWHERE = "/proc/none";
    private static final Pattern COMMAND = Pattern.compile("(?m)^### ([a-z]\\S*)$");
    /** The words of its own that its usage has. */
    private static final Pattern WORD = Pattern.compile("(?<=[\\s|])(--[a-z-]+|run|attach)(?=\\s)");

    private static final Pattern ZSH_OPTION = Pattern.compile("(?m)^ *'(?:\\(.*?\\))?(-[a-z-]+)\\[");

    private static final String PREPARING = "manafold: preparing fast starts, once ...\n";

    @TempDir
    Path folder;

    private Archive archive;
    private Path place;
    private List<Path> files;

    @BeforeEach
    void unpack() throws IOException {
        archive = Archive.unpacked(folder);
        place = archive.place;
        files = files();
    }

    @AfterEach
    void unlock() {
        archive.close();
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.walk(place)) {
            return all.sorted().toList();
        }
    }

    private Run.Plan started(String... words) {
        return archive.started(words);
    }

    /** The same where no fast start can be kept, so that none is prepared. */
    private Run.Plan unprepared(String... words) {
        return started(words).with("XDG_CACHE_HOME", NOWHERE);
    }

    @Test
    void itRunsWhereItWasUnpackedAndWritesNothingThere() throws IOException {
        Run.Ended first = started("-c", "drivers --json; ping -c 1 -I mana0 10.77.0.2").end().done();
        assertThat(first.out()).contains("\"name\": \"ethernet\"", "1 packets transmitted, 1 received");
        assertThat(first.err()).isEqualTo(PREPARING);
        assertThat(started("-c", "drivers").end().done().err()).isEmpty();
        assertThat(Archive.only(archive.home.resolve("cache/manafold"), ".*[.]aot")).isNotEmptyFile();
        assertThat(started("--help").end().done().out()).isEqualTo(Files.readString(place.resolve("lib/usage.txt")));
        assertThat(files()).isEqualTo(files);
        // without a folder to prepare in it is slower, and that is all
        assertThat(started("-c", "drivers").with("XDG_CACHE_HOME", NOWHERE).end().done().err()).isEmpty();
    }

    /** An archive's files bear the same time whatever is in them, and a JDK is replaced where it lies. */
    @Test
    void fastStartsArePreparedAnewForAnotherProductOrJdkInTheSamePlace() throws IOException {
        Path jdk = Files.createDirectory(folder.resolve("jdk"));
        Path own = Path.of(System.getProperty("java.home"));
        Files.createSymbolicLink(jdk.resolve("bin"), own.resolve("bin"));
        Path release = Files.copy(own.resolve("release"), jdk.resolve("release"));
        Run.Plan start = started("-c", "exit").with("MANAFOLD_JAVA_HOME", jdk.toString());
        assertThat(start.end().done().err()).isEqualTo(PREPARING);
        assertThat(start.end().done().err()).isEmpty();
        Path caches = archive.home.resolve("cache/manafold");
        Path first = Archive.only(caches, ".*[.]aot");
        Path others = Files.writeString(caches.resolve("1st.aot"), "of another program");
        FileTime longAgo = FileTime.from(Instant.now().minus(Duration.ofDays(60)));
        Files.setLastModifiedTime(others, longAgo);
        Files.writeString(release, "BUILD_TYPE=\"another\"\n", StandardOpenOption.APPEND);
        assertThat(start.end().done().err()).isEqualTo(PREPARING);
        assertThat(first).exists();
        Files.setLastModifiedTime(first, longAgo);
        Path sizes = place.resolve("lib/sizes");
        Files.setPosixFilePermissions(sizes, PosixFilePermissions.fromString("rw-r--r--"));
        Files.writeString(sizes, Files.readString(sizes).replaceFirst("\\S+ end", "1-1 end"));
        assertThat(start.end().done().err()).isEqualTo(PREPARING);
        assertThat(first).doesNotExist();
        assertThat(others).exists();
        assertThat(start.end().done().err()).isEmpty();
    }

    @Test
    void aJdkThatWasNamedAndDoesNotFitIsNotPassedOver() throws IOException {
        Path old = Files.createDirectories(folder.resolve("old/bin")).getParent();
        Files.createSymbolicLink(old.resolve("bin/java"), Path.of(System.getProperty("java.home"), "bin/java"));
        Files.writeString(old.resolve("release"), "JAVA_VERSION=\"17.0.1\"\n");
        for (Path named : List.of(old, folder.resolve("none"))) {
            started("--java").with("MANAFOLD_JAVA_HOME", named.toString()).end()
                    .refused(1, "MANAFOLD_JAVA_HOME names " + named, "25 or later");
        }
    }

    /** Some have it in their profile, where it is exported by mistake. */
    @Test
    void itRunsWhereTheShellLooksElsewhereForFolders() throws IOException {
        Run.Ended ended = archive.environment(Run.of("bin/manafold", "--help")).in(place)
                .with("CDPATH", ".:" + archive.home).end().done();
        assertThat(ended.out()).isEqualTo(Files.readString(place.resolve("lib/usage.txt")));
    }

    /** As in a container, whose user is a number: Java calls the home of it a question mark. */
    @Test
    void whoHasNoHomeIsToldToNameAFolder() throws IOException {
        assumeTrue(System.getProperty("user.name").equals("root"), "only root can take a user number without a name");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path here = Files.createDirectory(folder.resolve("here"));
        Files.setPosixFilePermissions(here, PosixFilePermissions.fromString("rwxrwxrwx"));
        Host.plainUser(archive.program);
        List<String> unknown = List.of("setpriv", "--reuid=61234", "--regid=61234", "--clear-groups", "--", "env", "-u",
                "HOME", "-u", "XDG_CACHE_HOME", "-u", "XDG_STATE_HOME");
        for (String[] words : new String[][] {{"--headless"}, {"attach", "-c", "version"}}) {
            archive.started(unknown, words).in(here).end().refused(1, "There is no home", "--data");
        }
        assertThat(archive.started(unknown, "-c", "version").in(here).end().done().err()).isEmpty();
        // bnd's launcher makes an empty one of this name
        assertThat(here.resolve("?/.local")).doesNotExist();
    }

    /** As with a service that has a user of its own: only root can look into its folder. */
    @Test
    void rootAttachesToThePlatformOfAnotherUserAndOthersAreToldThatTheyCannot() throws IOException {
        assumeTrue(System.getProperty("user.name").equals("root"), "only root can be another user");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        List<String> user = Host.plainUser(archive.program);
        Path data = Files.createDirectory(folder.resolve("data"));
        Run.of("chown", "65534", data.toString()).end().done();
        try (Run run = archive.started(user, "--headless", "--data", data.toString()).start()) {
            run.awaitOut("ready\n");
            assertThat(unprepared("attach", "--data", data.toString(), "-c", "version").end().done().out())
                    .startsWith("manafold ");
            // what no one does by mistake: even an open folder does not let a third user in
            Run.of("chmod", "-R", "a+rwX", data.toString()).end().done();
            List<String> third = List.of("setpriv", "--reuid=65533", "--regid=65533", "--clear-groups", "--");
            archive.started(third, "attach", "--data", data.toString(), "-c", "version").end()
                    .refused(1, "only that user and root can attach");
        }
    }

    /** As a service, a job of cron or a container has it, or a user who comes from a machine that has more locales. */
    @ParameterizedTest
    @ValueSource(strings = {"C", "xx_XX.UTF-8"})
    void itRunsInALocaleWithoutUmlauts(String locale) {
        try (Run run = unprepared("--headless").with("LC_ALL", locale).start()) {
            run.awaitOut("ready\n");
            assertThat(unprepared("attach", "-c", "version").with("LC_ALL", locale).end().done().out())
                    .startsWith("manafold ");
        }
    }

    /** No interface, no Maven, and of this repository the README alone. */
    @Test
    void itRunsWhatTheReadmeShowsFirstWithAJdkAlone() throws IOException {
        List<String> alone = Host.withoutInterfaces();
        Path programs = Files.createDirectory(folder.resolve("programs"));
        Host.linkPrograms(programs, name -> !name.startsWith("mvn"));
        List<String> blocks = DocsTest.blocks(Files.readString(place.resolve("README.md")));
        Path script = Files.writeString(folder.resolve("first"), "command -v mvn && exit 3\n"
                + "grep -c : /proc/net/dev\n"
                + DocsTest.script(blocks.get(0)).replace("./manafold", "bin/manafold")
                + DocsTest.script(blocks.get(1)).replace("./manafold", "bin/manafold"));
        List<String> words = new ArrayList<>(alone);
        words.addAll(List.of("bash", script.toString()));
        Run.Ended ended = archive.environment(Run.of(words.toArray(String[]::new))).in(place)
                .with("PATH", programs.toString()).with("JAVA_HOME", System.getProperty("java.home"))
                .fed("", Duration.ofMinutes(4)).done();
        // JUnit would warn of each link
        Run.of("rm", "-r", programs.toString()).end().done();
        assertThat(ended.out()).startsWith("1\n").contains("ethtool", "3 packets transmitted, 3 received", "mana1");
        // beside how far things are, where the machine is slow
        assertThat(ended.err().lines().filter(line -> !line.matches("\\d+ s: .* sent, .*")))
                .containsExactly("manafold: preparing fast starts, once ...");
    }

    /** The home is another user's: what is kept has no place, and it runs without. */
    @Test
    void itRunsWithAHomeThatCannotBeWritten() throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        List<String> user = Host.plainUser(archive.program);
        Run.of("chmod", "a-w", archive.home.toString()).end().done();
        List<String> writes = new ArrayList<>(user);
        writes.addAll(List.of("test", "-w", archive.home.toString()));
        assertThat(Run.of(writes.toArray(String[]::new)).end().status()).as("the home can be written").isEqualTo(1);
        archive.started(user, "--help").end().done();
        Run.Ended ended = archive.started(user, "-c", "drivers --json; ping -c 1 -I mana0 10.77.0.2").end().done();
        assertThat(ended.out()).contains("\"name\": \"ethernet\"", "1 packets transmitted, 1 received");
        assertThat(ended.err()).isEmpty();
        archive.started(user, "attach", "-c", "drivers").end().refused(1, "There is no platform on the data folder");
    }

    /** What an earlier start as another user has left there. */
    @Test
    void itRunsWithACacheThatIsAnothers() throws IOException {
        Files.createDirectories(archive.home.resolve("cache/manafold/build.lock"));
        Run.Ended ended = archive.started("-c", "drivers --json").end().done();
        assertThat(ended.out()).contains("\"name\": \"ethernet\"");
        assertThat(ended.err()).isEmpty();
    }

    @Test
    void itsChecksumIsReadByOthers() {
        Run.of("sh", "-c", "cd '" + Archive.MADE + "' && sha256sum -c manafold-*.tar.gz.sha256").end().done();
    }

    /** The user who built it may be another than those who serve it or take from it. */
    @Test
    void whatWasMadeIsReadByOthers() throws IOException {
        List<Path> made = new ArrayList<>(List.of(Archive.packed()));
        try (Stream<Path> all = Files.walk(Archive.MADE.resolve("repository"))) {
            all.forEach(made::add);
        }
        assertThat(made).hasSizeGreaterThan(100);
        for (Path one : made) {
            assertThat(Files.getPosixFilePermissions(one)).as("%s", one).contains(PosixFilePermission.OTHERS_READ);
        }
    }

    /** Root unpacks modes as they are packed, and makes folders that are not packed as its mask is. */
    @Test
    void othersMayLookIntoItHoweverItIsUnpacked() throws IOException {
        Path strict = Files.createDirectory(folder.resolve("strict"));
        Run.of("sh", "-c", "umask 077; exec tar -xpzf \"$0\" -C \"$1\"", Archive.packed().toString(), strict.toString())
                .end().done();
        try (Stream<Path> all = Files.walk(strict)) {
            for (Path one : all.filter(one -> !one.equals(strict)).toList()) {
                assertThat(Files.getPosixFilePermissions(one)).as("%s", one).contains(PosixFilePermission.OTHERS_READ);
                assertThat(Files.isRegularFile(one) || Files.getPosixFilePermissions(one)
                        .contains(PosixFilePermission.OTHERS_EXECUTE)).as("%s", one).isTrue();
            }
        }
    }

    /** What a page leads to is packed, or among what the README says is in the sources alone. */
    @Test
    void linksOfItsPagesLeadSomewhere() throws IOException {
        int count = 0;
        for (Path page : files.stream().filter(one -> one.toString().endsWith(".md")).toList()) {
            for (Matcher link = DocsTest.LINK.matcher(Files.readString(page)); link.find(); count++) {
                Path aim = page.resolveSibling(link.group(1)).normalize();
                if (!aim.startsWith(place.resolve("itests"))) {
                    assertThat(aim).as("link of %s", place.relativize(page)).exists();
                }
            }
        }
        assertThat(count).isGreaterThan(40);
        assertThat(files).noneMatch(one -> one.endsWith("target"));
    }

    /** With the name by which it was called itself, as typed words. */
    @Test
    void aSecondOneIsToldTheLineToType() throws IOException {
        try (Run run = unprepared("--headless").start()) {
            run.awaitOut("ready\n");
            String said = unprepared("--headless").end().refused(1, "To talk to that platform, type: ").err();
            String line = said.substring(said.indexOf("type: ") + "type: ".length()).strip();
            assertThat(archive.environment(Run.of("sh", "-c", line + " -c version")).with("XDG_CACHE_HOME", NOWHERE)
                    .end().done().out()).startsWith("manafold ");
        }
    }

    /** The page of the manual and the completion know every command. */
    @Test
    void itsPagesAndCompletionComeFromTheCommands() throws IOException {
        String commands = Files.readString(Run.TOP.resolve("docs/commands.md"));
        String page = Files.readString(place.resolve("share/man/man7/manafold-commands.7"));
        String zsh = Files.readString(place.resolve("share/zsh/site-functions/_manafold"));
        int count = 0;
        for (Matcher command = COMMAND.matcher(commands); command.find(); count++) {
            assertThat(page.replace("\\-", "-")).contains("\n.SS " + command.group(1) + "\n");
            assertThat(zsh).containsPattern("[( ]" + command.group(1) + "[ )]");
            assertThat(completed("manafold", "-c", command.group(1))).startsWith(command.group(1));
        }
        assertThat(count).isGreaterThan(40);
        List<String> words = WORD.matcher(Files.readString(place.resolve("lib/usage.txt"))).results()
                .map(MatchResult::group).distinct().toList();
        assertThat(words).contains("--keep-going", "--report", "--vm", "run", "attach");
        for (String word : words) {
            assertThat(completed("manafold", word)).isEqualTo(word);
            assertThat(zsh).containsPattern("[') (]" + word + "[\\[ ):]");
        }
        assertThat(completed("manafold", "").split("\n")).as("no word that it has no more")
                .containsExactlyInAnyOrderElementsOf(Stream.concat(words.stream(), Stream.of("-c")).toList());
        assertThat(ZSH_OPTION.matcher(zsh).results().map(option -> option.group(1)).toList())
                .isSubsetOf(Stream.concat(words.stream(), Stream.of("-c")).toList());
        assertThat(completed("manafold", "attach", "").split("\n")).containsExactlyInAnyOrder("--data", "-c");
        assertThat(completed("manafold", "run", "lines", "--report", "t")).isEqualTo("tap");
        assertThat(Files.readString(place.resolve("share/man/man1/manafold.1"))).contains("\\-\\-headless");
        assertThat(completed("manafold", "-c", "pkt")).isEqualTo("pktgen");
        assertThat(completed("manafold", "--head")).isEqualTo("--headless");
        assertThat(completed("manafold", "--lab", place + "/RE")).isEqualTo(place + "/README.md");
    }

    /** As at a terminal: typed, the key for completion pressed, and each line read back. */
    @Test
    void zshCompletesWhatIsTyped() throws IOException {
        assumeTrue(Run.of("sh", "-c", "command -v zsh").end().status() == 0, "zsh is installed");
        Path given = Files.createDirectories(folder.resolve("given/labs")).getParent();
        Files.writeString(given.resolve("lab.yaml"), "");
        Path script = Files.writeString(folder.resolve("type.zsh"), """
                zmodload zsh/zpty
                zpty shell 'zsh -f -i'
                zpty -w shell "fpath=(${(q)1} \\$fpath); autoload -Uz compinit && compinit -u -D; PS1="
                zpty -w shell 'typed() { print -r -- "<$BUFFER>"; BUFFER= }; zle -N typed; bindkey "^Y" typed'
                zpty -w shell 'print read""y'
                zpty -r shell said '*ready*'
                shift
                for line; do
                    zpty -w -n shell "$line"$'\\t\\x19'
                    zpty -r shell said '*<manafold*>*'
                    print -r -- "${${said##*<}%%>*}"
                done
                zpty -d shell
                """);
        assertThat(Run.of("zsh", "-f", script.toString(), place.resolve("share/zsh/site-functions").toString(),
                "manafold -c pktg", "manafold --head", "manafold att", "manafold -c nosuch",
                "manafold --data " + given + "/la", "manafold --lab " + given + "/lab.", "manafold -c dpdk",
                "manafold run lines --report j", "manafold --keep", "manafold attach --d", "manafold attach --l",
                "manafold attach -c pktg")
                .fed("", Duration.ofMinutes(2)).done().out().lines())
                .containsExactly("manafold -c pktgen ", "manafold --headless ", "manafold attach ",
                        "manafold -c nosuch", "manafold --data " + given + "/labs/",
                        "manafold --lab " + given + "/lab.yaml ", "manafold -c dpdk-testpmd ",
                        "manafold run lines --report junit ", "manafold --keep-going ", "manafold attach --data ",
                        "manafold attach --l", "manafold attach -c pktgen ");
    }

    private String completed(String... words) {
        String typed = "'" + String.join("' '", words) + "'";
        return Run.of("bash", "-c", ". '" + place.resolve("share/bash-completion/completions/manafold")
                + "'; compopt() { :; }; COMP_WORDS=(" + typed + "); COMP_CWORD=" + (words.length - 1)
                + "; _manafold; IFS=$'\\n'; printf '%s' \"${COMPREPLY[*]}\"").end().done().out();
    }
}
