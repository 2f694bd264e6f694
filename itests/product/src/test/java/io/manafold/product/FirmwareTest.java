package io.manafold.product;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The platform's own driver comes up on adapters with the firmware of each month that has brought something, and of the
 * latest.
 */
class FirmwareTest {
    private static final Pattern MONTH = Pattern.compile("\"month\": \"([0-9-]+)\"");

    @TempDir
    Path folder;

    @Test
    void theDriverComesUpOnEachMonth() throws IOException {
        String data = folder.resolve("data").toString();
        List<String> months = new ArrayList<>(MONTH.matcher(Run.manafold("--data", data, "-c", "firmware list --json")
                .end().done().out()).results().map(found -> found.group(1)).toList());
        assertThat(months).hasSizeGreaterThan(5).contains("2021-04", "2026-03");
        months.add("2026-10");
        StringBuilder adapters = new StringBuilder("adapters:\n");
        StringBuilder ports = new StringBuilder();
        StringBuilder devices = new StringBuilder("devices:\n");
        StringBuilder pings = new StringBuilder("adapter list --json");
        for (int i = 0; i < months.size(); i++) {
            adapters.append("  - {name: m%d, firmware: %s}%n".formatted(i, months.get(i)));
            ports.append(i == 0 ? "" : ", ").append("m%d/1".formatted(i));
            devices.append("  - {name: mana%d, on: m%d/1, addresses: [10.77.9.%d/24]}%n".formatted(i, i, i + 1));
            if (i > 0) {
                pings.append("; ping -c 1 -I mana0 10.77.9.").append(i + 1);
            }
        }
        Path lab = Files.writeString(folder.resolve("months.yaml"), adapters + "links: [{name: net, ports: [" + ports
                + "]}]\n" + devices);
        String said = Run.manafold("--data", data, "--lab", lab.toString(), "-c", pings.toString()).end().done().out();
        for (String month : months) {
            assertThat(said).contains("\"firmware\": \"" + month + "\"");
        }
        assertThat(said.split(", 0% packet loss", -1)).hasSize(months.size());
    }

    @Test
    void monthsThatAreNotKnownAreRefused() throws IOException {
        Path lab = Files.writeString(folder.resolve("early.yaml"), "adapters: [{name: early, firmware: 2020-01}]\n");
        Run.Ended ended = Run.manafold("--data", folder.resolve("data").toString(), "--lab", lab.toString(), "-c",
                "adapter list").end();
        assertThat(ended.out() + ended.err()).contains("choose a month from 2021-04 to 2026-10");
    }
}
