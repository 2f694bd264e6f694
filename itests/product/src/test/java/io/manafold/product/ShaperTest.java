package io.manafold.product;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Limits on what the devices of the default lab send. */
@Timeout(300)
class ShaperTest {
    @TempDir
    Path folder;

    private Run.Ended fed(String lines) {
        return Run.manafold("--data", folder.toString()).fed(lines);
    }

    @Test
    void aLimitIsSetShownAndComesBack() {
        assertThat(fed("""
                netshaper set dev mana0 handle scope netdev bw-max 500mbit
                netshaper set dev mana0 handle scope queue id 1 bw-max 200mbit weight 3
                netshaper show dev mana0 handle scope netdev
                netshaper plan delete dev mana0 handle scope queue id 1
                """).done().out()).isEqualTo("""
                dev: mana0 scope netdev bw-max 500Mbit\s
                delete queue 1
                """);
        assertThat(fed("netshaper dump mana0 --json\nnetshaper delete dev mana0 handle scope queue id 1 --json\n"
                + "netshaper delete dev mana0 handle scope netdev\nnetshaper dump mana0 --json\n").done().out()
                .replaceAll("\\s", ""))
                .contains("\"handle\":{\"scope\":\"netdev\"},\"metric\":\"bps\",\"bw-max\":500000000}",
                        "\"weight\":3}").endsWith("]null[]");
    }

    @Test
    void queuesShareANode() {
        assertThat(fed("""
                netshaper group dev mana0 handle scope node bw-max 5gbit leaves scope queue id 0 weight 3 scope queue id 1 weight 2
                netshaper show dev mana0 handle scope node id 0
                netshaper show dev mana0 handle scope queue id 1
                ethtool -L mana0 combined 1
                netshaper dump mana0
                """).done().out()).startsWith("""
                dev: mana0 scope node id 0\s
                dev: mana0 scope node id 0 parent scope netdev bw-max 5Gbit\s
                dev: mana0 scope queue id 1 parent scope node id 0 weight 2\s
                """).contains("queue 0").doesNotContain("queue 1 ");
    }

    @Test
    void whatCannotBeIsASentence() {
        assertThat(fed("netshaper show dev mana0 handle scope netdev\nnetshaper set dev lo handle scope netdev bw-max "
                + "1gbit\nnetshaper caps mana7\n").refused(1, "mana7").err().lines()).satisfiesExactly(
                one -> assertThat(one).contains("no shaper of netdev", "ENOENT"),
                other -> assertThat(other).contains("EOPNOTSUPP"),
                last -> assertThat(last).contains("mana7", "ENODEV"));
        fed("netshaper set dev mana0 handle scope netdev bw-max 7\n").refused(2, "no limit at all");
    }

    /** Lines for a platform whose lab is a device with these limits. */
    private Run.Ended inALab(String shapers, String lines) throws Exception {
        Path lab = Files.writeString(folder.resolve("limits.yaml"), """
                adapters:
                  - name: one
                    queues: 4
                devices:
                  - {name: mana0, on: one/1}
                shapers:
                """ + shapers);
        return Run.manafold("--data", folder.toString(), "--lab", lab.toString()).fed(lines);
    }

    @Test
    void aLabHasATreeThatCountsPackets() throws Exception {
        assertThat(inALab("""
                  - {device: mana0, scope: queue, id: 0, parent: 1, priority: 1, weight: 3}
                  - {device: mana0, scope: queue, id: 1, parent: 1, metric: pps, bw-max: 5kpps, burst: 32}
                  - {device: mana0, scope: node, id: 0, bw-max: 5gbit}
                  - {device: mana0, scope: node, id: 1, parent: 0, bw-min: 100mbit}
                """, """
                netshaper dump mana0
                lab down limits
                """).done().out()).startsWith("""
                SHAPER   BELOW   BW-MIN   BW-MAX   BURST  PRIORITY  WEIGHT
                queue 0  node 1  –        –        –      1         3
                queue 1  node 1  –        5000pps  32     –         –
                node 0   netdev  –        5Gbit    –      –         –
                node 1   node 0  100Mbit  –        –      –         –
                """);
    }

    @Test
    void whatAnotherHandChangesIsALineWhereSomebodyWatches() {
        try (Run platform = Run.manafold("--headless", "--data", folder.toString()).start()) {
            platform.awaitOut("ready\n");
            try (Run watching = Run.manafold("attach", "--data", folder.toString(), "-c",
                    "netshaper watch mana0 --every 100").start()) {
                watching.awaitOut("SHAPER");
                attached("netshaper set dev mana0 handle scope queue id 0 bw-max 1gbit weight 2").done();
                watching.awaitOut("mana0 queue 0 is now bw-max 1Gbit weight 2\n");
                attached("netshaper delete dev mana0 handle scope queue id 0").done();
                watching.awaitOut("mana0 queue 0 is gone\n");
            }
        }
    }

    private Run.Ended attached(String line) {
        return Run.manafold("attach", "--data", folder.toString(), "-c", line).end();
    }

    @Test
    void anAdapterThatIsAddedHasTheLimitsOfLinuxIfAsked() {
        assertThat(fed("""
                adapter add plain --shapers parity
                adapter show plain --json
                """).done().out().replaceAll("\\s", "")).contains("\"shapers\":\"parity\"");
    }

    @Test
    void aLabHasLimits() throws Exception {
        assertThat(inALab("""
                  - {device: mana0, bw-max: 500mbit}
                  - {device: mana0, scope: queue, id: 0, weight: 2}
                """, """
                netshaper dump mana0 --json
                """).done().out().replaceAll("\\s", "")).contains("\"bw-max\":500000000", "\"weight\":2");
    }
}
