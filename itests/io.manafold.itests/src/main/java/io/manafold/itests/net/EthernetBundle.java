package io.manafold.itests.net;

import java.io.IOException;
import java.io.InputStream;

/** The real Ethernet driver's bundle, in any version. */
public final class EthernetBundle {
    private EthernetBundle() {
    }

    public static InputStream version(String version) throws IOException {
        return DriverJar.version("ethernet", version);
    }
}
