package io.manafold.product;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The platform is killed at any instant while settings are made, labs come up and a bundle is dropped: every value that
 * a command has acknowledged is there in the next life, or one that was being set.
 */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class KillTest {
    private static final int LIVES = Integer.getInteger("manafold.kills", 30);
    private static final int CHANGES = 60;

    @TempDir
    Path folder;

    @Test
    void whatWasAcknowledgedSurvivesAnyKill() throws Exception {
        Path home = folder.resolve("home");
        Path jar = Files.createDirectories(folder.resolve("work/jars")).resolve("extra.jar");
        ActivatorJar.make(jar, "extra", "", "");
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int value = 2000;
        int acknowledged = 0;
        int begun = 0;
        String dropped = "";
        for (int life = 0; life < LIVES; life++) {
            try (Run run = Run.manafold("--data", home.toString()).start()) {
                run.type("ip link show mana0; netshaper dump mana0; lb\necho shown\n");
                String shown = run.awaitOut("shown\n");
                assertThat(shown).contains(dropped);
                if (acknowledged > 0) {
                    assertKept(shown, acknowledged, begun, "life " + life + ", seed " + seed);
                }
                acknowledged = 0;
                StringBuilder lines = new StringBuilder();
                int first = value;
                for (int i = 0; i < CHANGES; i++) {
                    lines.append("ip link set mana0 mtu ").append(value)
                            .append("\nnetshaper set dev mana0 handle scope netdev bw-max ").append(value)
                            .append("mbit\necho ack ").append(value).append('\n');
                    if (i % 10 == 9) {
                        lines.append("lab up default\n");
                    }
                    value = value == 8999 ? 2000 : value + 1;
                }
                run.type(lines.toString());
                run.awaitOut("ack " + first + "\n");
                if (life % 3 == 0) {
                    Files.copy(jar, home.resolve("drivers/extra.jar"), StandardCopyOption.REPLACE_EXISTING);
                    dropped = "extra";
                }
                Thread.sleep(random.nextInt(400));
                run.process().destroyForcibly().waitFor();
                String out = run.ended().out();
                int last = out.lastIndexOf("ack ");
                acknowledged = Integer.parseInt(out.substring(last + 4, out.indexOf('\n', last)));
                begun = acknowledged == 8999 ? 2000 : acknowledged + 1;
            }
        }
    }

    private static void assertKept(String shown, int acknowledged, int begun, String when) {
        assertThat(shown).as(when).containsPattern("mtu (" + acknowledged + "|" + begun + ") ");
        String mbit = "(" + rate(acknowledged) + "|" + rate(begun) + ")";
        assertThat(shown).as(when).containsPattern("netdev +\\S+ +\\S+ +" + mbit + " ");
    }

    /** As it is shown: 3 Gbit is not 3000 Mbit. */
    private static String rate(int mbit) {
        return mbit % 1000 == 0 ? mbit / 1000 + "Gbit" : mbit + "Mbit";
    }
}
