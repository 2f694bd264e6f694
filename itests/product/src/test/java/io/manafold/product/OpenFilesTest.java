package io.manafold.product;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A process may have only so many files open. */
@Timeout(120)
class OpenFilesTest {
    private static Run.Ended limited(int files, String line) {
        return Run.of("sh", "-c", "ulimit -n " + files + "; exec '" + Run.TOP.resolve("manafold") + "' -c '"
                + line + "'")
                .end();
    }

    @Test
    void tooFewAreToldBeforeTheStart() {
        limited(127, "drivers").refused(1, "127 files", "needs 128", "ulimit -n 1024");
    }

    @Test
    void theLeastIsEnoughForTheDefaultLab() {
        assertThat(limited(128, "ping -c 1 -I mana0 10.77.0.2; events").done().out()).contains("1 received");
    }
}
