package io.manafold.vfio.internal;

import io.manafold.api.device.PciFunction;
import java.io.IOException;
import java.nio.file.Path;

/** A function lent over a socket, without the framework. */
public final class BareExport implements AutoCloseable {
    private static final long MOST_BYTES = 1L << 40;

    private final ClientAcceptor reception;

    public BareExport(String name, PciFunction function, Path socket) throws IOException {
        reception = new ClientAcceptor(name, function, MOST_BYTES, ListenSocket.open(socket));
        reception.open();
    }

    public boolean connected() {
        return reception.connected();
    }

    @Override
    public void close() {
        reception.end(false);
    }
}
