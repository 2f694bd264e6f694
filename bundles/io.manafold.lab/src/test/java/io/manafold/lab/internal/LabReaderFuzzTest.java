package io.manafold.lab.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.refusal.Refusal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Broken files, by the thousand: each is a lab or a refusal, never anything else. */
class LabReaderFuzzTest {
    private static final int FILES = Integer.getInteger("manafold.fuzz.files", 4_000);
    private static final String[] BITS = {"&a ", "*a", "!!x ", "? ", "- ", ": ", "[", "]", "{", "}", "\n", "\t", "  ",
            "\"", "'", "|", ">", "%", "#", "---\n", "...\n", "~", "<<: ", "\u0000", "\u2028", "99999999999999999999",
            "0x", "-1", "name: one\n", "adapters:\n", "\ud83d\ude00", "\ufeff", "\r"};
    static final String START = """
            # A start for mutations
            adapters:
              - {name: one, ports: 2, macs: [00:0d:3a:00:00:01], speed: 100gbit, address: 7870:00:00.0}
              - name: two
            links:
              - {name: net, ports: [one/1, one/2], delay: 2ms, loss: 1%}
            exports:
              - adapter: two
            devices:
              - name: mana0
                on: one/1
                addresses:
                  - 10.77.0.1/24
                  - fd77::1/64
            shapers:
              - {device: mana0, scope: queue, id: 3, bw-max: 5gbit}
            faults:
              - adapter: two
                effect: late
                delay: 1s
            """;

    @Test
    @Timeout(300)
    void aFileIsALabOrARefusal() {
        Random random = new Random(Long.getLong("manafold.fuzz.seed", 20261120));
        int labs = 0;
        int refusals = 0;
        for (int i = 0; i < FILES; i++) {
            byte[] file = mutated(random);
            try {
                LabReader.read(LabSource.of("x", "x.yaml", file));
                labs++;
            } catch (Refusal e) {
                assertThat(e.getMessage()).startsWith("x.yaml").contains("line ").doesNotContain("Exception")
                        .doesNotContain(YamlReader.GAVE_UP);
                refusals++;
            } catch (RuntimeException | Error e) {
                throw new AssertionError("file " + i + " is neither:\n" + new String(file, StandardCharsets.UTF_8), e);
            }
        }
        assertThat(labs).isPositive();
        assertThat(refusals).isGreaterThan(FILES / 2);
    }

    private static byte[] mutated(Random random) {
        StringBuilder text = new StringBuilder(START);
        for (int i = random.nextInt(5); i >= 0; i--) {
            int at = random.nextInt(text.length());
            int to = Math.min(text.length(), at + 1 + random.nextInt(12));
            switch (random.nextInt(4)) {
                case 0 -> text.insert(at, BITS[random.nextInt(BITS.length)]);
                case 1 -> text.delete(at, to);
                case 2 -> text.replace(at, to, BITS[random.nextInt(BITS.length)].repeat(1 + random.nextInt(40)));
                default -> text.insert(at, text.substring(at, to));
            }
        }
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        if (random.nextInt(20) == 0) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
        }
        return random.nextInt(20) == 0 ? Arrays.copyOf(bytes, random.nextInt(bytes.length)) : bytes;
    }
}
