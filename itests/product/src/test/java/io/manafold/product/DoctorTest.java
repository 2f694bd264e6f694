package io.manafold.product;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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
            found("ports-up", "8", LINE);
            found("no-rdma-driver", "12", "");
            found("no-driver", "2", "");
            found("refused", "3", "");
            found("revoked", "1", "");
            Path page = folder.resolve("report.html");
            assertThat(attached("doctor guest one --report " + page).done().out())
                    .contains("adapter-state: one address=" + FUNCTION, "ports: one/1 mac=00:0d:3a:00:00:01 ",
                    "links: net kind=switch one/1.plugged=yes one/1.tx=");
            assertThat(Files.readString(page)).contains("driver of one");
            strangers();
        }
    }

    /** Labs that are broken on purpose: a check for each state that this platform can be in by itself. */
    @Test
    void labsAreBrokenAsTheyAreCalled() throws Exception {
        try (Run platform = Run.manafold("--headless", "--data", folder.toString()).start()) {
            platform.awaitOut("ready\n");
            List<String> broken = attached("lab list --json").done().json().asJsonArray()
                    .getValuesAs(JsonObject.class).stream().map(lab -> lab.getString("name"))
                    .filter(name -> name.startsWith("broken-")).toList();
            assertThat(broken).containsExactly("broken-01", "broken-02", "broken-03", "broken-08", "broken-12");
            for (String lab : broken) {
                String id = String.valueOf(Integer.parseInt(lab.substring("broken-".length())));
                // of the one whose driver is refused, bringing it up says that the device has none
                attached("lab up " + lab);
                failsAlone(id, id.equals("8") ? LINE : "");
                attached("lab up default").done();
                assertThat(attached("doctor --json").done().json().asJsonArray()).as("after " + lab).hasSize(22);
            }
        }
    }

    /** Checks of a bundle that is dropped in: one throws, one never comes back, and the others go on. */
    private void strangers() throws Exception {
        ActivatorJar.make(folder.resolve("drivers").resolve("checks.jar"), "checks", """
                for (String id : new String[] {"throws", "hangs", "well"}) {
                    context.registerService(io.manafold.api.doctor.Check.class, new io.manafold.api.doctor.Check() {
                        public String id() { return id; }
                        public String name() { return "check " + id; }
                        public java.util.List<String> needs() { return java.util.List.of(); }
                        public String about() { return "About."; }
                        public io.manafold.api.doctor.Finding examine(io.manafold.api.doctor.Evidence evidence) {
                            if (id.equals("throws")) { throw new NoClassDefFoundError("hostile/Gone"); }
                            if (id.equals("hangs")) { hang(); }
                            return io.manafold.api.doctor.Finding.ok(evidence.target() + " is well");
                        }
                    }, null);
                }
                """, "", List.of("io.manafold.api.doctor"));
        List<JsonObject> said = List.of();
        long deadline = System.nanoTime() + Duration.ofMinutes(1).toNanos();
        while (said.size() < 25) {
            assertThat(System.nanoTime()).as("time for the bundle to come").isLessThan(deadline);
            said = attached("doctor --json").json().asJsonArray().getValuesAs(JsonObject.class);
        }
        assertThat(said.subList(22, 25)).extracting(one -> one.getString("id") + " " + one.getString("state"))
                .containsExactly("hangs fail", "throws fail", "well ok");
        assertThat(said.subList(0, 22)).extracting(one -> one.getString("state")).doesNotContain("fail");
        assertThat(said.get(22).getString("summary")).containsAnyOf("within 2 s", "not come back");
        assertThat(said.get(23).getString("summary")).contains("failed itself: NoClassDefFoundError");
        assertThat(said.get(24).getString("summary")).isEqualTo("this platform is well");
        assertThat(attached("doctor hangs").out()).contains("has not come back since it was last asked");
    }

    /** Brought about, it is found by that check and no other; what the check shows mends it. */
    private void found(String state, String id, String option) {
        attached("fault inject one --state " + state).done();
        failsAlone(id, option);
    }

    private void failsAlone(String id, String option) {
        Run.Ended ended = attached("doctor --json" + option);
        List<JsonObject> failed = ended.json().asJsonArray().getValuesAs(JsonObject.class).stream()
                .filter(one -> one.getString("state").equals("fail")).toList();
        assertThat(failed).extracting(one -> one.getString("id")).containsExactly(id);
        assertThat(ended.status()).isEqualTo(1);
        assertThat(attached("doctor mend " + id + option).status()).isEqualTo(1);
        assertThat(attached("doctor mend " + id + " --yes" + option).done().out())
                .contains("> ", "ok   %5s ".formatted(id));
    }
}
