package io.manafold.sockets.internal.uring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.manafold.api.refusal.Errno;
import io.manafold.linux.SystemCallException;
import io.manafold.linux.Tap;
import java.net.InetAddress;
import java.net.InetSocketAddress;
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
    void whatIsNotKnownIsNotConcluded() {
        assertThat(CopyReason.of("lo")).contains(NOT_KNOWN);
        assertThat(CopyReason.of("none7")).contains(NOT_KNOWN);
        assertThat(CopyReason.of("a-name-that-is-too-long")).contains(NOT_KNOWN);
        assertThat(CopyReason.from(null)).contains(NOT_KNOWN);
        assertThat(CopyReason.from(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1))).contains(NOT_KNOWN);
    }
}
