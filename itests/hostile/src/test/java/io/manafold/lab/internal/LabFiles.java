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
        seeds.add(LabReaderFuzzTest.START.getBytes(StandardCharsets.UTF_8));
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
