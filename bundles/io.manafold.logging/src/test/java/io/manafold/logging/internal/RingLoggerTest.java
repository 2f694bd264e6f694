package io.manafold.logging.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.logging.LogRing;
import io.manafold.logging.LoggedLine;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

class RingLoggerTest {
    private final LogRing ring = new LogRing(8);
    private final Logger log = new RingLogger("io.manafold.bus.internal.Binder", ring, Level.INFO);

    private LoggedLine last() {
        return ring.recent().getLast();
    }

    @Test
    void namesTheSpeakerWithoutItsPackage() {
        log.info("bound {} to {}", "7870:00:00.0", "ethernet");
        assertThat(last().logger()).isEqualTo("Binder");
        assertThat(last().level()).isEqualTo("INFO");
        assertThat(last().text()).isEqualTo("bound 7870:00:00.0 to ethernet");
    }

    @Test
    void leavesOutWhatIsBelowItsLevel() {
        log.debug("detail");
        assertThat(ring.recent()).isEmpty();
        assertThat(log.isDebugEnabled()).isFalse();
        assertThat(log.isWarnEnabled()).isTrue();
    }

    @Test
    void namesAThrowableInTheLineAndKeepsItsTraceApart() {
        log.error("probe failed", new IllegalStateException("ring 3", new NullPointerException()));
        assertThat(last().text())
                .isEqualTo("probe failed: IllegalStateException: ring 3, because of NullPointerException");
        assertThat(last().trace()).contains("\tat ").contains("Caused by");
    }

    /** An exception as a stranger may have written it. */
    private static final class Wild extends Exception {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no message");
        }
    }

    @Test
    void aThrowableThatThrowsItselfIsNamedAllTheSame() {
        log.error("probe failed", new Wild());
        assertThat(last().text()).isEqualTo("probe failed: Wild (which threw java.lang.IllegalStateException)");
        assertThat(last().trace()).contains("(its trace threw java.lang.IllegalStateException)");
        log.error("probe failed", new IllegalArgumentException("ring 3", new Wild()));
        assertThat(last().text()).isEqualTo("probe failed: IllegalArgumentException: ring 3, because of Wild (which "
                + "threw java.lang.IllegalStateException)");
        assertThat(last().trace()).contains("ring 3").contains("\tat ");
    }

    @Test
    void whatIsLoggedCannotForgeALineOrSpeakToATerminal() {
        log.info("name {}", "x\n2026-01-01 ERROR forged\u001b[2J\r");
        assertThat(last().text()).isEqualTo("name x\\n2026-01-01 ERROR forged\\u001b[2J\\r");
    }

    @Test
    void cutsWhatIsEndless() {
        log.info("x".repeat(1_000_000));
        assertThat(last().text()).hasSizeLessThan(5000).endsWith("…");
    }

    @Test
    void aLevelThatDoesNotExistIsInfo() {
        assertThat(RingServiceProvider.levelOf(" debug ")).isEqualTo(Level.DEBUG);
        assertThat(RingServiceProvider.levelOf("chatty")).isEqualTo(Level.INFO);
    }

    @Test
    void isWhatSlf4jFinds() {
        LoggerFactory.getLogger("found").info("through the service loader");
        assertThat(LogRing.shared().recent()).extracting(LoggedLine::text).contains("through the service loader");
    }
}
