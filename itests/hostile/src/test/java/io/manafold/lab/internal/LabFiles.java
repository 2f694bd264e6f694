package io.manafold.lab.internal;

import io.manafold.api.refusal.Refusal;
import io.manafold.hostile.Taker;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Lab files: each is a lab, or a refusal that names a line of it. */
public final class LabFiles implements Taker {
    private static final String FILE = "x.yaml";

    @Override
    public void take(byte[] input) {
        try {
            LabReader.read(LabSource.of("x", FILE, input));
        } catch (Refusal refused) {
            String sentence = refused.getMessage();
            if (!sentence.startsWith(FILE) || Taker.says("Exception", sentence, input)
                    || Taker.says(YamlReader.GAVE_UP, sentence, input)) {
                throw new AssertionError(sentence, refused);
            }
        }
    }

    @Override
    public List<byte[]> seeds() throws IOException {
        List<byte[]> seeds = new ArrayList<>();
        seeds.add("""
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
                """.getBytes(StandardCharsets.UTF_8));
        for (String name : List.of("default", "qemu-one")) {
            try (InputStream builtIn = LabReader.class.getResourceAsStream("/labs/" + name + ".yaml")) {
                if (builtIn != null) {
                    seeds.add(builtIn.readAllBytes());
                }
            }
        }
        return seeds;
    }
}
