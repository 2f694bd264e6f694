package io.manafold.testpmd.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.net.MacAddress;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Peers of ports that a file names. */
class PeersFileTest {
    @TempDir
    Path folder;

    private static Settings read(String... words) {
        return SettingsReader.read(new ProgramOptions(List.of(words)));
    }

    private static MacAddress peer(Settings settings, int number) {
        LoopPort port = new LoopPort(number, 1);
        settings.came(port);
        return settings.peer(port);
    }

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("peers"), text);
    }

    /** What an option says later holds. */
    @Test
    void eachLineIsThePeerOfAPort() throws IOException {
        String option = "--eth-peers-configfile=" + file("00:0d:3a:d0:00:01\n  00:0D:3A:D0:00:02 \r\n");
        Settings settings = read(option);
        assertThat(peer(settings, 0)).hasToString("00:0d:3a:d0:00:01");
        assertThat(peer(settings, 1)).hasToString("00:0d:3a:d0:00:02");
        assertThat(peer(settings, 2)).as("as without a file").hasToString("02:00:00:00:00:02");
        assertThat(peer(read(option, "--eth-peer=0,00:0d:3a:00:00:09"), 0)).hasToString("00:0d:3a:00:00:09");
        assertThat(peer(read("--eth-peer=0,00:0d:3a:00:00:09", option), 0)).hasToString("00:0d:3a:d0:00:01");
    }

    private static void refused(String name, String sentence) {
        assertThatThrownBy(() -> read("--eth-peers-configfile", name)).isInstanceOf(Refusal.class)
                .hasMessageContaining(sentence);
    }

    @Test
    void whatIsNoFileOfAddressesIsRefused() throws IOException {
        refused(file("00:0d:3a:d0:00:01\n\n00:0d:3a:d0:00:02\n").toString(), "Bad MAC address format on line 2 of '");
        refused(file("00:0d:3a:d0:00:01\n\0\u001b[2J\n").toString(), "'??[2J' is not six bytes");
        refused(file("00:0d:3a:d0:00:01\n".repeat(1025)).toString(), "has more than 1024 lines");
        refused(file("0".repeat(65537)).toString(), "is larger than 65536 bytes");
        refused(folder.toString(), "is no file of addresses");
        refused("/dev/zero", "is no file of addresses");
        refused(folder.resolve("none").toString(), "There is no file '");
        refused("\0", "is no path");
        refused(file("").toString(), "has no bytes");
        refused("/proc/self/mounts", "has no bytes");
        refused(folder.resolve("x".repeat(300)).toString(), "cannot be read");
    }

    /** Editors leave such lines. */
    @Test
    void blankLinesAtTheEndAreNone() throws IOException {
        assertThat(PeersFile.read(file("00:0d:3a:d0:00:01\n \n\r\n").toString())).hasSize(1);
    }

    @Test
    void whatCannotBeReadIsToldByItsReason() {
        assertThat(PeersFile.refusal("x", new AccessDeniedException("x")).errno()).isEqualTo(Errno.EACCES);
        assertThat(PeersFile.refusal("x", new NoSuchFileException("x")).errno()).isEqualTo(Errno.ENOENT);
    }

    /** As what was put in the place of a file after that was looked at. */
    @Test
    @Timeout(60)
    void whatBlocksIsLeft() throws Exception {
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
        refused(pipe.toString(), "is no file of addresses");
        assertThatThrownBy(() -> PeersFile.inTime("pipe", pipe)).isInstanceOf(Refusal.class)
                .hasMessageContaining("could not be read");
        Files.newOutputStream(pipe).close();
    }
}
