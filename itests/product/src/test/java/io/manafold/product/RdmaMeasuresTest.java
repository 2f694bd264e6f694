package io.manafold.product;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.JsonObject;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is shown and measured between two adapters of one platform, over and over. */
@Timeout(300)
class RdmaMeasuresTest {
    @TempDir
    static Path folder;

    private static Run platform;

    @BeforeAll
    static void start() {
        platform = Run.manafold("--headless", "--data", folder.toString(), "--lab", "rdma-pingpong").start();
        platform.awaitOut("ready\n");
    }

    @AfterAll
    static void end() {
        platform.close();
    }

    private static Run.Ended fed(String lines) {
        return Run.manafold("attach", "--data", folder.toString()).fed(lines);
    }

    @Test
    void devicesAreThereAsRdmaCoreShowsThem() {
        assertThat(fed("ibv_devices\n").done().out()).contains("    mana_0          \t020d3afffe000001\n",
                "    mana_1          \t020d3afffe000101\n");
        assertThat(fed("ibv_devinfo -d mana_1 -v\n").done().out())
                .contains("hca_id:\tmana_1\n", "\tmax_qp_wr:\t\t\t4096\n", "\t\t\tstate:\t\t\tPORT_ACTIVE (4)\n",
                        "GID[  0]:\t\tfe80::20d:3aff:fe00:101, RoCE v2\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ib_send_bw", "ib_write_bw", "ib_read_bw", "ib_write_bw -b", "ib_send_bw -b -l 10",
            "ib_send_bw -q 20 -s 2000",
        "ib_write_bw -q 100 -s 512 -n 20", "ib_write_bw -m 256 -t 4 -Q 4", "ib_send_lat", "ib_write_lat",
        "ib_read_lat"})
    void everyProgramMeasures(String line) {
        String iterations = line.contains(" -n ") ? "" : " -n 100";
        Run.Ended ended = fed(line + " -d mana_0 --to mana_1 --json" + iterations + "\n").done();
        JsonObject answer = ended.json().asJsonObject();
        assertThat(answer.getJsonObject("test_info").getString("Device")).isEqualTo("mana_0");
        JsonObject results = answer.getJsonObject("results");
        assertThat(results.getJsonNumber(line.contains("_lat") ? "t_typical" : "BW_average").doubleValue())
                .isPositive();
    }

    @Test
    void allSizesAreLines() {
        String out = fed("ib_write_lat -d mana_0 --to mana_1 -a -n 10\nib_read_bw -d mana_0 --to mana_1 -a -n "
                + "10\ndevices\n").done().out();
        assertThat(out).containsPattern("(?m)^ 2       10 ").containsPattern("(?m)^ 8388608 10 ")
                .containsPattern("(?m)^ 8388608    10 ").contains("                    RDMA_Read BW Test\n")
                .contains("mana_0   ports 1, qp 0");
    }

    @Test
    void messagesGoThereAndBackAsTheyWere() {
        assertThat(fed("ibv_rc_pingpong -d mana_1 --to mana_0 -c -s 100000 -n 50\n").done().out()).matches(
                "  local address:  LID 0x0000, QPN 0x[0-9a-f]{6}, PSN 0x[0-9a-f]{6}, GID \\S+\n"
                        + "  remote address: LID 0x0000, QPN 0x[0-9a-f]{6}, PSN 0x[0-9a-f]{6}, GID \\S+\n"
                        + "10000000 bytes in \\d+\\.\\d\\d seconds = [\\d.]+ Mbit/sec\n50 iters in [\\d.]+ seconds = "
                        + "[\\d.]+ usec/iter\n");
        assertThat(fed("ibv_rc_pingpong --to mana_1 --json\n").done().json().asJsonObject().getInt("bytes"))
                .isEqualTo(8_192_000);
    }
}
