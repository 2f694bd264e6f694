package io.manafold.product;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.JsonObject;
import jakarta.json.JsonString;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What is wrong with this platform on purpose is found, by one check and no other, and mended by the commands that it
 * shows.
 */
@Timeout(300)
class DoctorTest {
    private static final String FUNCTION = "7870:00:00.0";
    private static final String LINE = " --eal 'dpdk-testpmd -a 7870:00:00.0,mac=00:0d:3a:00:00:01 -- -i'";

    @TempDir
    Path folder;

    private Run.Ended attached(String line) {
        return Run.manafold("attach", "--data", folder.toString(), "-c", line).end();
    }

    @Test
    void whatIsBrokenIsFoundAndMended() throws Exception {
        try (Run platform = Run.manafold("--headless", "--data", folder.toString()).start()) {
            platform.awaitOut("ready\n");
            assertThat(attached("doctor --json").done().json().asJsonArray()).hasSize(22);
            found("8", LINE);
            attached("unbind mana.rdma.0").done();
            found("12", "");
            attached("unbind " + FUNCTION).done();
            found("2", "");
            attached("fault inject one --status 0xc00000bb; servicing revoke one; servicing restore one").done();
            long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
            while (!attached("devices").done().out().contains("failed:")) {
                assertThat(System.nanoTime()).as("time for the driver to be refused").isLessThan(deadline);
                Thread.sleep(100);
            }
            found("3", "");
            Path page = folder.resolve("report.html");
            assertThat(attached("doctor guest one --report " + page).done().out())
                    .contains("adapter-state: one address=" + FUNCTION, "ports: one/1 mac=00:0d:3a:00:00:01 ");
            assertThat(Files.readString(page)).contains("driver of one");
        }
    }

    private void found(String id, String option) {
        Run.Ended ended = attached("doctor --json" + option);
        List<JsonObject> failed = ended.json().asJsonArray().getValuesAs(JsonObject.class).stream()
                .filter(one -> one.getString("state").equals("fail")).toList();
        assertThat(failed).extracting(one -> one.getString("id")).containsExactly(id);
        assertThat(ended.status()).isEqualTo(1);
        List<String> mend = failed.getFirst().getJsonArray("mend").getValuesAs(JsonString.class).stream()
                .map(JsonString::getString).filter(line -> !line.startsWith("#")).toList();
        attached(String.join("; ", mend)).done();
        assertThat(attached("doctor" + option).done().out()).contains("ok   %5s ".formatted(id));
    }
}
