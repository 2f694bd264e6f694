package io.manafold.sockets.internal.uring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.manafold.api.refusal.Errno;
import io.manafold.linux.SystemCallException;
import io.manafold.linux.Tap;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Conclusions about devices of this machine; scatter-gather that is off is for a machine whose card we may set. */
class CopyReasonTest {
    private static final String NOT_KNOWN = "does not take memory of programs";

    @Test
    void aTapSaysThatItIsOne() throws Exception {
        try (Tap tap = Tap.open("mfcopy%d")) {
            assertThat(CopyReason.of(tap.name())).isEqualTo("it leaves by " + tap.name()
                    + ", a tap or tun, whose other end reads copies");
        } catch (SystemCallException failed) {
            assertThat(failed.errno()).as("%s", failed).isIn(Errno.EPERM.number(), Errno.EACCES.number(),
                    Errno.ENOENT.number());
            abort("this process may have no tap: " + failed.getMessage());
        }
    }

    @Test
    void aVethPairSaysThatItIsOne() throws Exception {
        Path ip = Path.of("/usr/sbin/ip");
        assumeTrue(Files.isExecutable(ip), "ip is not installed (iproute2)");
        String near = "mfveth" + ProcessHandle.current().pid() % 1_000_000;
        String said = run(ip.toString(), "link", "add", near, "type", "veth", "peer", "name", near + "b");
        assumeTrue(said.isEmpty(), () -> "this process may have no veth pair: " + said);
        try {
            assertThat(CopyReason.of(near)).isEqualTo("it leaves by " + near
                    + ", a veth pair, whose other end reads copies");
        } finally {
            assertThat(run(ip.toString(), "link", "del", near)).isEmpty();
        }
    }

    private static String run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return said.strip();
    }

    @Test
    void whatIsNotKnownIsNotConcluded() {
        assertThat(CopyReason.of("lo")).contains(NOT_KNOWN);
        assertThat(CopyReason.of("none7")).contains(NOT_KNOWN);
        assertThat(CopyReason.of("a-name-that-is-too-long")).contains(NOT_KNOWN);
        assertThat(CopyReason.from(null)).contains(NOT_KNOWN);
        assertThat(CopyReason.from(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1))).contains(NOT_KNOWN);
    }
}
