package io.manafold.launcher.internal.words;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PlacesTest {
    private static Path data(Map<String, String> environment, String home) {
        return Places.data(environment, property -> home);
    }

    @Test
    void stateIsKeptInTheHome() {
        assertThat(data(Map.of("XDG_STATE_HOME", "/state", "HOME", "/home/one"), "/home/two"))
                .hasToString("/state/manafold");
        assertThat(data(Map.of("HOME", "/home/one"), "/home/two")).hasToString("/home/one/.local/state/manafold");
        assertThat(data(Map.of("XDG_STATE_HOME", "state", "HOME", "one"), "/home/two"))
                .hasToString("/home/two/.local/state/manafold");
        assertThat(Places.homeless(data(Map.of(), "/home/two"))).isNull();
    }

    /** Java says {@code ?} of a user whom the system does not know. */
    @Test
    void whoHasNoHomeIsToldToNameAFolder() {
        assertThat(Places.homeless(data(Map.of(), "?"))).contains("HOME is not set", "--data");
    }
}
