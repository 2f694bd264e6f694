package io.manafold.product;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A lab is what its file says, whatever was set in another on the same home; what was set in it comes back. */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class LabSettingsTest {
    private static final String BY_HAND = "ip link set mana0 mtu 9000; ethtool -L mana0 combined 1;"
            + " netshaper set dev mana0 handle scope netdev bw-max 3gbit; ip addr add 10.9.0.1/24 dev mana0; ";
    private static final String SHOW = "ip link show mana0; ethtool -l mana0; netshaper dump mana0; ip addr show "
            + "mana0; ";

    @TempDir
    Path folder;

    private Path home;

    @BeforeEach
    void makeHome() throws IOException {
        home = Files.createDirectory(folder.resolve("home"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.createDirectory(home.resolve("labs"));
        lab("a", "", 1500, "10.1.0.1");
        lab("b", "", 1500, "10.2.0.1");
    }

    private void lab(String name, String before, int mtu, String address) throws IOException {
        Files.writeString(home.resolve("labs").resolve(name + ".yaml"), "adapters:\n" + before
                + "  - name: one\n    ports: 1\nlinks:\n  - name: wire\n    ports: [one/1]\n"
                + "devices:\n  - name: mana0\n    on: one/1\n    mtu: " + mtu + "\n    addresses: [" + address
                + "/24]\n");
    }

    private String run(String lab, String line) {
        return Run.manafold("--data", home.toString(), "--lab", lab, "-c", line).end().done().out();
    }

    private static void assertByHand(String shown) {
        assertThat(shown).contains("mtu 9000", "3Gbit", "10.9.0.1/24").containsPattern("Combined:\\s+1\n");
    }

    private static void assertAsTheFileSays(String shown, int mtu, String address) {
        assertThat(shown).contains("mtu " + mtu + " ", address).doesNotContain("mtu 9000", "3Gbit", "10.9.0.1/24")
                .doesNotContainPattern("hardware settings:[^C]*Combined:\\s+1\n");
    }

    /** The lab is up with it, at once: nothing waits for a device to be up that shall be down. */
    @Test
    void whatWasTakenDownStaysDownOverARestart() {
        run("a", "ip link set mana0 down");
        assertThat(run("a", "ip -br link; lab list; ip link set mana0 up")).containsPattern("mana0 +DOWN")
                .containsPattern("a +up ");
        assertThat(run("a", "ip -br link")).containsPattern("mana0 +UP");
    }

    @Test
    void twoLabsWithTheSameAddressesComeUpAsTheirFilesSay() {
        String first = run("a", BY_HAND + SHOW + "lab up b; echo other; " + SHOW + "lab show --diff b");
        assertByHand(first.substring(0, first.indexOf("other")));
        String other = first.substring(first.indexOf("other"));
        assertAsTheFileSays(other, 1500, "10.2.0.1/24");
        assertThat(other).doesNotContain("by hand");
        assertAsTheFileSays(run("b", SHOW), 1500, "10.2.0.1/24");
        String[] again = run("a", SHOW + "lab show --diff a; settings mana0 --json; lab up --fresh a; echo fresh; "
                + SHOW).split("(?m)^fresh$");
        assertByHand(again[0]);
        assertThat(again[0]).contains("mtu 9000 instead of 1500, set by hand")
                .contains("set by hand, the file says 1500");
        assertAsTheFileSays(again[1], 1500, "10.1.0.1/24");
        assertThat(run("a", "lab show --diff a")).doesNotContain("by hand");
    }

    @Test
    void aFileThatSaysSomethingElseWins() throws IOException {
        run("a", BY_HAND);
        lab("a", "", 4000, "10.1.0.1");
        assertThat(run("a", SHOW + "settings")).contains("mtu 4000 ", "3Gbit", "10.9.0.1/24").doesNotContain("9000");
    }

    @Test
    void whatIsSetCanBeForgotten() {
        run("a", BY_HAND);
        assertAsTheFileSays(run("a", "settings forget mana0; " + SHOW + BY_HAND), 1500, "10.1.0.1/24");
        run("b", "settings forget --all");
        assertAsTheFileSays(Run.manafold("--data", home.toString(), "--lab", "a", "-c", SHOW + "settings forget").end()
                .refused(2, "--all").out(), 1500, "10.1.0.1/24");
    }

    @Test
    void congestionControlIsKeptForItsLab() {
        String show = "adapter dcqcn one; settings mana0; ";
        assertThat(run("a", "adapter dcqcn one set rpg_ai_rate 10 rpg_hai_rate 70; " + show))
                .containsPattern("rpg_ai_rate +10 ");
        assertThat(run("a", show)).containsPattern("rpg_ai_rate +10 ")
                .containsPattern("a +one/1 +mana0 +rpg_ai_rate +10 ").containsPattern("rpg_hai_rate +70 ");
        assertThat(run("b", show)).doesNotContainPattern("rpg_ai_rate +10 ");
        assertThat(run("a", "adapter dcqcn one set rpg_hai_rate 50; adapter dcqcn one reset; " + show
                + "adapter dcqcn one set rpg_ai_rate 10; settings forget mana0; " + show))
                .doesNotContainPattern("rpg_ai_rate +10 ").doesNotContain("set by hand");
        assertThat(run("a", show)).doesNotContainPattern("rpg_ai_rate +10 ");
    }

    @Test
    void anAdapterBeforeTheOthersTakesNothingOfTheirs() throws IOException {
        lab("c", "  - name: zero\n    ports: 1\n", 1500, "10.3.0.1");
        String shown = run("a", "lab up c; echo up; devices; " + BY_HAND);
        assertThat(shown).containsPattern("(?s)7870:00:00.0.*mana[12].*7870:00:01.0.*mana0");
        lab("c", "  - name: first\n    ports: 1\n  - name: zero\n    ports: 1\n", 1500, "10.3.0.1");
        assertByHand(run("c", SHOW));
    }

    @Test
    void aHomeOfBeforeLosesNothing() throws IOException {
        Files.createDirectory(home.resolve("state"));
        Files.writeString(home.resolve("state/settings"), "7870:00:00.0/1 mtu 9000\n7870:00:00.0/1 channels 1\n"
                + "shapers:7870:00:00.0/1 netdev.0 -/bps/0/3000000000/0/0/0\ninet/mana0 addresses 10.9.0.1/24\n");
        assertByHand(run("a", SHOW));
        assertAsTheFileSays(run("b", SHOW), 1500, "10.2.0.1/24");
        assertByHand(run("a", SHOW));
    }
}
