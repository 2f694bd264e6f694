package io.manafold.adapter.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Broken scripts: each is a script that can be played, or a refusal that names its line. */
@Timeout(300)
class FaultScriptFuzzTest {
    private static final int SCRIPTS = Integer.getInteger("manafold.fault.scripts", 100_000);
    private static final long SEED = 20261127;
    private static final String[] BITS = {"after ", "every ", "seed ", "answers ", "--once ", "--message ",
        "--port one/1 ", "--effect ", "--delay 1s ", "--status 0x1 ", "--name a ", "#", "\n", " ", "\t", "-", "0", "9",
        "999999999999999999", "-1", "2s ", "1us ", "\u0000", "\u202e", "\ud83d", "0x", "one ", "two "};
    private static final String START = """
            # a start for mutations
            seed 7
            one --message query-vport-config --effect twice after 10 answers every 3
            --effect late --delay 500ms --once after 2s --name slow
            --effect withhold-completion --port one/2 after 1ms

            --status 0xc00000bb every 5
            --effect reordered --once after 1 answer
            """;

    @Test
    void aScriptIsPlayedOrRefused() {
        Random random = new Random(SEED);
        int played = 0;
        int refused = 0;
        for (int i = 0; i < SCRIPTS; i++) {
            String text = mutated(random);
            try {
                play(text, random);
                played++;
            } catch (Refusal wrong) {
                assertThat(wrong.errno()).as(text).isEqualTo(Errno.EINVAL);
                assertThat(wrong.getMessage()).as(text).matches("(?s)(Line \\d+ of the|The) script day.*\\.")
                        .matches("[ -~]{1,2000}");
                refused++;
            } catch (RuntimeException | Error neither) {
                throw new AssertionError("script " + i + " is neither:\n" + text, neither);
            }
        }
        assertThat(played).isGreaterThan(SCRIPTS / 100);
        assertThat(refused).isGreaterThan(SCRIPTS / 2);
    }

    private static void play(String text, Random random) {
        long[] now = {random.nextLong()};
        Faults faults = new Faults(AdapterEvents.NONE, () -> now[0]);
        faults.play(new FaultScriptReader("one", "day", List.of("one/1", "one/2")), text.lines().toList());
        int all = faults.all().size();
        assertThat(all).isPositive();
        for (int answer = 0; answer < 10; answer++) {
            now[0] += random.nextInt(1 << 30);
            faults.ofPorts();
            faults.take(random.nextBoolean() ? "query-vport-config" : "register-device");
            assertThat(faults.restNanos()).isPositive();
        }
        assertThat(faults.all().size()).isLessThanOrEqualTo(all);
    }

    private static String mutated(Random random) {
        StringBuilder text = new StringBuilder(START);
        for (int i = random.nextInt(4); i >= 0; i--) {
            int at = random.nextInt(text.length());
            int to = Math.min(text.length(), at + 1 + random.nextInt(12));
            switch (random.nextInt(4)) {
                case 0 -> text.insert(at, BITS[random.nextInt(BITS.length)]);
                case 1 -> text.delete(at, to);
                case 2 -> text.replace(at, to, BITS[random.nextInt(BITS.length)].repeat(1 + random.nextInt(40)));
                default -> text.insert(at, text.substring(at, to));
            }
        }
        return text.toString();
    }
}
