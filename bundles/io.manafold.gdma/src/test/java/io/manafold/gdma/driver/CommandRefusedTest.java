package io.manafold.gdma.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.refusal.Errno;
import io.manafold.gdma.Command;
import io.manafold.gdma.Status;
import org.junit.jupiter.api.Test;

/** The errno is the one that Linux's driver has; the sentence blames what is at fault. */
class CommandRefusedTest {
    private static final String REQUEST = "is not as the contract wants it";

    private static CommandRefused refused(int status) {
        return new CommandRefused(Command.CREATE_WQ_OBJECT, status);
    }

    @Test
    void aDeviceThatHasNoMoreDoesNotBlameTheRequest() {
        CommandRefused refused = refused(Status.NO_RESOURCES);
        assertThat(refused.errno()).isEqualTo(Errno.EPROTO);
        assertThat(refused).hasMessage("The device answered create-wq-object with no-resources: there is no more of "
                + "what was asked for. Do with fewer, or have some that are there destroyed first.");
        for (int status : new int[] {Status.NOT_FOUND, Status.NOT_SUPPORTED, Status.BUSY, Status.DENIED,
            Status.INTERNAL_ERROR}) {
            assertThat(refused(status).errno()).isEqualTo(Errno.EPROTO);
            assertThat(refused(status).getMessage()).doesNotContain(REQUEST).endsWith(Status.meaning(status));
        }
    }

    @Test
    void aRequestThatIsAtFaultIsBlamed() {
        for (int status : new int[] {Status.INVALID_PARAMETER, Status.MALFORMED, 0x1234}) {
            assertThat(refused(status).getMessage()).contains(REQUEST);
        }
        assertThat(refused(Status.UNSUPPORTED).errno()).isEqualTo(Errno.EOPNOTSUPP);
    }
}
