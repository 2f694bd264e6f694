package io.manafold.product;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A home on a disk that is full: what is set is done, said not to be kept, and kept once there is space. */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class FullDiskTest {
    private static final List<String> COMMANDS = List.of("ip link set mana0 mtu 1300", "ethtool -L mana0 combined 1",
            "pages set mana0 --policy page", "netshaper set dev mana0 handle scope netdev bw-max 3gbit",
            "ip addr add 10.99.0.1/24 dev mana0");
    private static final String SHOWN = "ip link show mana0; ethtool -l mana0; pages list mana0;"
            + " netshaper show dev mana0 handle scope netdev; ip addr show mana0";

    @TempDir
    Path folder;

    @Test
    void whatCannotBeKeptHoldsAndIsKeptWhenThereIsSpace() throws Exception {
        assumeTrue(Run.of("unshare", "-rm", "true").end().status() == 0,
                "a disk of its own needs a user namespace, which this machine does not allow");
        StringBuilder script = new StringBuilder("set -u\nmount -t tmpfs -o size=3m none disk || exit 9\n"
                + "program='" + Run.TOP.resolve("manafold") + "'; home=$PWD/disk/home\n"
                + "\"$program\" --data $home --headless >ready 2>&1 & platform=$!\n"
                + "until grep -q ready ready; do kill -0 $platform || exit 8; sleep 0.1; done\n"
                + "ask() { \"$program\" attach --data $home -c \"$1\" 2>&1; echo \"status $?\"; }\n"
                + "dd if=/dev/zero of=disk/fill bs=4k 2>/dev/null\n");
        COMMANDS.forEach(command -> script.append("ask '").append(command).append("'\n"));
        script.append("echo in force\nask '").append(SHOWN).append("'\nrm disk/fill\n"
                + "until ask events | tr -s '\\n ' ' ' | grep -q 'kept is kept now'; do sleep 0.5; done\n"
                + "kill -9 $platform; wait $platform 2>/dev/null\necho after restart\n"
                + "\"$program\" --data $home -c '").append(SHOWN).append("' 2>&1; echo \"status $?\"\n");
        Files.createDirectory(folder.resolve("disk"));
        Path file = Files.writeString(folder.resolve("script"), script);
        String said = Run.of("unshare", "-rm", "sh", file.toString()).in(folder).fed("", Duration.ofMinutes(3)).done()
                .out();
        String[] parts = said.split("in force\n|after restart\n");
        assertThat(parts[0].split("done, but it will not outlive the platform: ", -1)).as(said)
                .hasSize(COMMANDS.size() + 1);
        assertThat(parts[0].split("status 1\n", -1)).as(said).hasSize(COMMANDS.size() + 1);
        for (int i = 1; i <= 2; i++) {
            assertThat(parts[i]).as(said).contains("mtu 1300", "10.99.0.1/24", "bw-max 3Gbit", "status 0")
                    .containsPattern("Combined:\\s+1\n").containsPattern("mana0.* page ");
        }
    }
}
