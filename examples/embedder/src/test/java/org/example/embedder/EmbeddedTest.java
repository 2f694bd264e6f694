package org.example.embedder;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedTest {
    private static final Path REPOSITORY = Path.of(System.getProperty("manafold.repository"));
    private static final String VERSION = System.getProperty("manafold.version");

    @TempDir
    Path folder;

    @Test
    void aPacketGoesFromOneDeviceToTheOther() throws Exception {
        List<Path> bundles = FeatureFile.bundles(REPOSITORY, VERSION, "ethernet");
        try (Platform platform = new Platform(bundles, folder)) {
            List<String> said = Main.describe(platform);
            assertTrue(said.getFirst().startsWith("mana0: 7870:00:00.0 port 1, "), said.toString());
            assertTrue(said.get(1).startsWith("mana1: 7870:00:00.0 port 2, "), said.toString());
            assertEquals("a packet from mana0 to mana1", said.getLast());
        }
    }

    @Test
    void aFeatureThatIsNotThereIsNamed() {
        IOException refused = assertThrows(IOException.class, () -> FeatureFile.bundles(REPOSITORY, VERSION, "none"));
        assertTrue(refused.getMessage().contains("-none.osgifeature"), refused.getMessage());
    }
}
