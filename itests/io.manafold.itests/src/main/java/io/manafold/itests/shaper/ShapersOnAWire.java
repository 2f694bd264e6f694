package io.manafold.itests.shaper;

import io.manafold.itests.bundles.Platform;
import io.manafold.itests.net.Wire;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Two devices with traffic between them, and the shapers of the first, around each test. */
abstract class ShapersOnAWire {
    @RegisterExtension
    final Platform platform = new Platform();

    @TempDir
    Path folder;

    Wire wire;
    DeviceShapers on;

    private final String limits;

    /** @param limits what limits drivers can set, as in {@code shapers: parity} */
    ShapersOnAWire(String limits) {
        this.limits = limits;
    }

    @BeforeEach
    void plug() throws Exception {
        platform.folder(folder);
        wire = new Wire(platform, folder, 0, limits);
        on = new DeviceShapers(wire, 1);
    }

    @AfterEach
    void unplug() throws Exception {
        if (wire != null) {
            wire.close();
        }
    }
}
