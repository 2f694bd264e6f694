package io.manafold.itests.net;

import io.manafold.itests.bundles.Platform;
import io.manafold.testkit.Namespace;
import java.nio.file.Path;

/**
 * A connection of the kernel's TCP between the second and the third port of the adapter {@code left}, which has to go
 * on whatever is done with other ports. Where taps are not allowed it is none, and goes on at all times.
 */
public final class TcpBeside implements AutoCloseable {
    private static final int BLOCKS = 5;

    private Namespace second;
    private Namespace third;
    private TcpStream stream;

    public TcpBeside(Platform platform, Path folder, Drivers drivers) throws Exception {
        if (Taps.areAllowed()) {
            drivers.start("inet");
            Taps taps = new Taps(platform, drivers);
            second = new Namespace("mpa");
            third = new Namespace("mpb");
            taps.give(second, 2, "10.78.1.2/24");
            taps.give(third, 3, "10.78.1.3/24");
            stream = new TcpStream(folder, second, third, "10.78.1.2");
            goesOn("at first");
        }
    }

    /** It is the same connection, and blocks come back by it. */
    public void goesOn(String when) {
        if (stream != null) {
            stream.goesOn(when, BLOCKS);
        }
    }

    @Override
    public void close() throws Exception {
        if (stream != null) {
            try (Namespace one = second; Namespace other = third) {
                stream.close();
            }
        }
    }
}
