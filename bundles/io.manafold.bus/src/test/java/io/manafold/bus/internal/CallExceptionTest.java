package io.manafold.bus.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class CallExceptionTest {
    private static String trace(Throwable thrown) {
        StringWriter written = new StringWriter();
        thrown.printStackTrace(new PrintWriter(written, true));
        return written.toString();
    }

    @Test
    void tellsWhatWasThrownAndWhereAndWhy() {
        Exception thrown = new IllegalStateException("ring 3", new IOException("no disk"));
        thrown.addSuppressed(new NullPointerException());
        Throwable plain = CallException.plain(thrown);
        assertThat(plain).isExactlyInstanceOf(CallException.class).hasMessage("IllegalStateException: ring 3");
        assertThat(plain.getStackTrace()).isEqualTo(thrown.getStackTrace());
        assertThat(plain.getCause()).isExactlyInstanceOf(CallException.class).hasMessage("IOException: no disk");
        assertThat(trace(plain)).startsWith("IllegalStateException: ring 3\n\tat ")
                .contains("Suppressed: NullPointerException").contains("Caused by: IOException: no disk");
        assertThat(Reasons.of(plain)).isEqualTo(Reasons.of(thrown));
    }

    @Test
    void aRefusalKeepsItsErrnoAndNothingElseOfItsClass() {
        Throwable plain = CallException.plain(new Refusal(Errno.EBUSY, "not now", new IOException("busy")) {
            private static final long serialVersionUID = 1L;
        });
        assertThat(plain).isExactlyInstanceOf(Refusal.class).hasMessage("not now");
        assertThat(((Refusal) plain).errno()).isEqualTo(Errno.EBUSY);
        assertThat(plain.getCause()).isExactlyInstanceOf(CallException.class);
    }

    @Test
    void aRefusalWithoutWordsIsOneStill() {
        Throwable plain = CallException.plain(new Refusal(Errno.EBUSY, "not now") {
            private static final long serialVersionUID = 1L;

            @Override
            public String getMessage() {
                throw new IllegalStateException();
            }
        });
        assertThat(((Refusal) plain).errno()).isEqualTo(Errno.EBUSY);
        assertThat(plain.getMessage()).contains("which threw java.lang.IllegalStateException");
    }

    @Test
    void aDeferralStaysWhatItIs() {
        Deferral deferral = new Deferral("mana.eth.0", "it is not there");
        assertThat(CallException.plain(deferral)).isSameAs(deferral);
    }

    @Test
    void aCircleOfCausesEnds() {
        Exception one = new Exception("one");
        one.initCause(new Exception("two", one));
        assertThat(trace(CallException.plain(one))).contains("Caused by: Exception: two");
    }
}
