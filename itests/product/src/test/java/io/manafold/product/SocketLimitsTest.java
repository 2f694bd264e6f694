package io.manafold.product;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Connections of a platform that may do less than most: they are carried all the same, and a sentence names what is
 * missing.
 */
@Timeout(300)
class SocketLimitsTest {
    /** The smallest program that forbids rings to what it becomes, as the filters of most containers do. */
    private static final String NO_RINGS = """
            #include <errno.h>
            #include <linux/filter.h>
            #include <linux/seccomp.h>
            #include <sys/prctl.h>
            #include <unistd.h>

            int main(int count, char **words)
            {
                struct sock_filter program[] = {
                    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
                    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 425, 0, 1),
                    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
                    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
                };
                struct sock_fprog filter = {4, program};
                if (count < 2 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter))
                    return 126;
                execv(words[1], words + 1);
                return 127;
            }
            """;
    private static final Pattern HASH = Pattern.compile("x_sha256\": *\"([0-9a-f]{64})\"");

    @TempDir
    Path folder;

    @BeforeEach
    void anyUserMayWriteHere() throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    private static List<String> plainUser() {
        return Host.plainUser(Run.TOP.resolve("bndrun/target/manafold.jar"));
    }

    /** Echoes over both transports, and what rings can do. */
    private String carried(String limit, List<String> before) {
        String lines = Stream.of("nio", "uring").map(transport -> "sock listen 127.0.0.1:0 --do echo --transport "
                + transport + " --json").reduce("", (all, line) -> all + line + "\n");
        List<String> command = new ArrayList<>(List.of("sh", "-c", limit + "exec \"$@\"", "sh"));
        command.addAll(before);
        command.addAll(List.of(Run.TOP.resolve("manafold").toString(), "--data", folder.resolve("home").toString()));
        try (Run run = Run.of(command.toArray(String[]::new)).with("HOME", folder.toString()).start()) {
            run.type(lines);
            List<String> ports = new ArrayList<>();
            for (String transport : List.of("nio", "uring")) {
                String said = run.awaitOut("\"transport\": \"" + transport, "\"do\"");
                Matcher port = Pattern.compile("\"transport\": *\"" + transport
                        + "\",\\s*\"local\": *\"127\\.0\\.0\\.1:(\\d+)").matcher(said);
                assertThat(port.find()).as(said).isTrue();
                ports.add(port.group(1));
            }
            run.type("sock connect 127.0.0.1:" + ports.get(0) + " --bytes 1m --transport uring --json\n"
                    + "sock connect 127.0.0.1:" + ports.get(1)
                    + " --bytes 1m --transport nio --json\nsock probe uring --json\nexit\n");
            Run.Ended ended = run.ended().done();
            assertThat(ended.err()).isEmpty();
            List<String> hashes = HASH.matcher(ended.out()).results().map(result -> result.group(1)).toList();
            assertThat(hashes).as("both directions of both connections").hasSize(4);
            assertThat(hashes.stream().distinct()).hasSize(1);
            assertThat(ended.out()).contains("\"rx_bytes\": 1048576");
            return ended.out();
        }
    }

    @Test
    void aPlainUserHasRings() {
        String said = carried("", plainUser());
        assumeTrue(!said.contains("io_uring is forbidden here"), "io_uring is forbidden here");
        assertThat(said).doesNotContain("the transport nio carries it");
    }

    @Test
    void whoMayLockNoMemoryIsToldTheLimit() {
        assertThat(carried("ulimit -l 0; ", plainUser())).contains("the transport nio carries it",
                "may lock 0 KiB of memory (ulimit -l)");
    }

    @Test
    void whereRingsAreForbiddenThatIsSaid() throws IOException {
        assumeTrue(Host.isThere("gcc"), "gcc is not installed");
        Path source = Files.writeString(folder.resolve("no-rings.c"), NO_RINGS);
        Path program = folder.resolve("no-rings");
        Run.of("gcc", "-o", program.toString(), source.toString()).end().done();
        assertThat(carried("", List.of(program.toString()))).contains("the transport nio carries it",
                "io_uring is forbidden here", "by a filter of system calls");
    }
}
