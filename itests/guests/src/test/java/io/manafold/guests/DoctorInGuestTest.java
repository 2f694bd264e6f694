package io.manafold.guests;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.JsonObject;
import jakarta.json.JsonString;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What goes wrong on Linux goes wrong in a machine for real: DPDK's own testpmd says so there, the script gathers
 * evidence there, and the doctor here says which it is.
 */
@Tag("guest")
class DoctorInGuestTest {
    private static final String LAB = """
            adapters:
              - name: one
                ports: 2
                macs: ["00:0d:3a:00:00:0a", "00:0d:3a:00:00:1b"]
                rdma: off
            exports:
              - adapter: one
                socket: %s/one.sock
            """;
    private static final String MAC = "00:0d:3a:00:00:0a";
    private static final String PROVIDERS = "/usr/lib/x86_64-linux-gnu/libibverbs/";
    private static final String POLLS = "txonly packet forwarding - ports=1";
    /** What an application before has left, its words included. */
    private static final String CLEAN = "rm -rf /dev/hugepages/* /run/dpdk; : >/tmp/log; ";

    @TempDir
    static Path folder;
    private static Platform platform;
    private static Guest guest;
    private int reports;

    @BeforeAll
    static void boot() throws Exception {
        platform = Platform.with(folder, LAB);
        Path script = Files.writeString(folder.resolve("doctor.sh"), platform.run("doctor script").done().output());
        Path module = RdmaModule.numbered(20, 19, folder.resolve("mana_ib-19.ko"));
        Path erdma = Kit.cache().resolve("tools" + PROVIDERS + "liberdma-rdmav65.so").toRealPath();
        guest = Guest.named("doctor").on(platform.socket("one")).cpus(2).memory(768).withDpdk().with(script)
                .with(module)
                .with(Files.copy(erdma, folder.resolve("liberdma-rdmav65.so"))).boot();
        guest.run("modprobe mana && until_true 300 there eth1 && echo 80 >/proc/sys/vm/nr_hugepages && grep hugetlbfs "
                + "/proc/mounts").done();
        guest.run("cp $(modinfo -n mana_ib) /tmp/mana_ib.ko && modprobe mana_ib").done();
    }

    @AfterAll
    static void end() {
        if (guest != null) {
            guest.close();
        }
        if (platform != null) {
            platform.close();
        }
    }

    private static String line(String mac) {
        return "dpdk-testpmd -l 0-1 -m 96 --iova-mode va --vdev=$(function),mac=" + mac
                + " -- --total-num-mbufs=2048 --txd=512 --rxd=512";
    }

    /** Has testpmd send for a moment, or say why not. */
    private static String poll(String mac) {
        return guest.run(CLEAN + "timeout 60 " + line(mac)
                + " --stats-period 1 --no-lsc-interrupt --forward-mode=txonly >/tmp/log 2>&1 & p=$!; polls() { grep -q "
                + "'Port statistics' /tmp/log || ! kill -0 $p; }; until_true 600 polls; kill $p 2>/dev/null; wait $p; "
                + "cat /tmp/log", Polling.LONG).output();
    }

    /** What the doctor says of what the script finds now. */
    private List<JsonObject> looked(String mac) throws IOException {
        String tar = guest.run("busybox sh /kit/doctor.sh -o /tmp/out.tar -l /tmp/log -- " + line(mac)
                + " >/tmp/said 2>&1 || { cat /tmp/said; false; }; gzip -1 -c /tmp/out.tar | base64", Polling.LONG)
                .done().output();
        Path file = platform.file("guest" + reports++ + ".tar.gz");
        Files.write(file, Base64.getMimeDecoder().decode(tar));
        Answer answer = platform.run("doctor read " + file + " --json");
        // what has failed is told behind it
        String json = answer.output().substring(0, answer.output().lastIndexOf("\n]") + 2);
        List<JsonObject> diagnoses = new Answer(answer.command(), answer.status(), json).json().asJsonArray()
                .getValuesAs(JsonObject.class);
        assertThat(answer.status()).as(answer.output()).isEqualTo(failed(diagnoses).isEmpty() ? 0 : 1);
        return diagnoses;
    }

    private static List<String> failed(List<JsonObject> diagnoses) {
        return diagnoses.stream().filter(one -> one.getString("state").equals("fail")).map(one -> one.getString("id"))
                .toList();
    }

    private static JsonObject of(List<JsonObject> diagnoses, String id) {
        return diagnoses.stream().filter(one -> one.getString("id").equals(id)).findFirst().orElseThrow();
    }

    private static List<String> lines(JsonObject diagnosis) {
        return diagnosis.getJsonArray("evidence").getValuesAs(JsonObject.class).stream()
                .map(one -> one.getString("line")).toList();
    }

    private static List<String> search(JsonObject diagnosis) {
        return diagnosis.getJsonArray("search").getValuesAs(JsonString.class).stream().map(JsonString::getString)
                .toList();
    }

    /** This check fails and no other does. */
    private JsonObject only(String id, String mac) throws IOException {
        List<JsonObject> diagnoses = looked(mac);
        assertThat(failed(diagnoses)).as("%s", diagnoses).containsExactly(id);
        return of(diagnoses, id);
    }

    private static void module(String file) {
        guest.run("rmmod mana_ib && cp " + file + " $(modinfo -n mana_ib) && modprobe mana_ib").done();
    }

    @Test
    void whatTestpmdComplainsOfIsFoundFromOutside() throws Exception {
        assertThat(poll(MAC)).contains(POLLS);
        List<JsonObject> well = looked(MAC);
        assertThat(failed(well)).as("%s", well).isEmpty();
        assertThat(List.of("1", "2", "3", "4", "8", "9", "10", "11", "12", "13")).allSatisfy(id ->
                assertThat(of(well, id).getString("state")).as("%s", of(well, id)).isEqualTo("ok"));
        assertThat(lines(of(well, "11"))).contains("number 20 (mana), interface 1",
                "number 20 (mana), would be loaded");

        guest.run("ip link set eth0 up").done();
        assertThat(poll(MAC)).contains("Failed to create qp queue index 0")
                .containsPattern("failed to start tx queues -1[69]");
        JsonObject released = only("8", MAC);
        assertThat(String.join("\n", lines(released))).contains("Failed to create qp queue index 0");
        guest.run(mended(released)).done();
        assertThat(poll(MAC)).contains(POLLS);

        assertThat(poll("00:0d:3a:00:00:99")).contains("Requested device", "cannot be used");
        assertThat(String.join("\n", lines(only("13", "00:0d:3a:00:00:99")))).contains("mac=" + MAC);

        guest.run("echo 0 >/proc/sys/vm/nr_hugepages").done();
        assertThat(poll(MAC)).contains("Cannot get hugepage information");
        only("9", MAC);
        guest.run("echo 80 >/proc/sys/vm/nr_hugepages").done();
    }

    /** The kernel calls its devices 19, and libraries read that as erdma. */
    @Test
    void aNumberThatTheKernelAndLibrariesReadDifferentlyIsFound() throws Exception {
        guest.run("ip link set eth0 down").done();
        module("/kit/mana_ib-19.ko");
        try {
            assertThat(poll(MAC)).doesNotContain("ibv_alloc_parent_domain").contains("No probed ethernet devices");
            assertThat(lines(only("11", MAC))).contains("number 19 (erdma), interface 1", "number 20 (mana)",
                    "no provider would be loaded: no device is seen");
            guest.run("cp /kit/liberdma-rdmav65.so " + PROVIDERS
                    + " && echo driver erdma >/etc/libibverbs.d/erdma.driver").done();
            assertThat(poll(MAC)).contains("ibv_alloc_parent_domain failed").contains("Probe on IB port 1 failed -12");
            JsonObject numbers = only("11", MAC);
            assertThat(numbers.getString("summary")).contains("19", "erdma", "20");
            assertThat(lines(numbers)).contains("number 19 (erdma), interface 1", "number 20 (mana)",
                    "would be loaded for the device");
            assertThat(search(numbers)).contains("ibv_alloc_parent_domain failed");
        } finally {
            guest.run("rm -f " + PROVIDERS + "liberdma* /etc/libibverbs.d/erdma.driver").done();
            module("/tmp/mana_ib.ko");
        }
        assertThat(of(looked(MAC), "11").getString("state")).isEqualTo("ok");
    }

    @Test
    void aProviderThatIsMissingIsFound() throws Exception {
        guest.run("ip link set eth0 down; mv " + PROVIDERS + "libmana-rdmav65.so /tmp").done();
        try {
            assertThat(guest.run("ibv_devices 2>&1").done().output()).contains("couldn't load driver")
                    .doesNotContain("manae_0");
            only("12", MAC);
        } finally {
            guest.run("mv /tmp/libmana-rdmav65.so " + PROVIDERS).done();
        }
    }

    private static String mended(JsonObject diagnosis) {
        return diagnosis.getJsonArray("mend").getValuesAs(JsonString.class).stream().map(JsonString::getString)
                .filter(line -> !line.startsWith("#")).reduce("true", (all, line) -> all + " && " + line);
    }
}
