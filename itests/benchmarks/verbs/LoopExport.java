package io.manafold.vfio.internal;

import io.manafold.api.device.PciAddress;
import io.manafold.api.device.PciFunction;
import io.manafold.vfio.internal.borrow.BorrowedFunction;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** A function lent over a socket as the framework would do it, without the framework. */
public final class LoopExport implements AutoCloseable {
    private static final long MOST_BYTES = 1L << 40;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final ClientAcceptor reception;

    public LoopExport(String name, PciFunction function, Path socket) throws IOException {
        reception = new ClientAcceptor(name, function, MOST_BYTES, ListenSocket.open(socket));
        reception.open();
    }

    /** What another process lends there; to be closed, which gives it back. */
    public static PciFunction borrow(String name, int place, Path socket) {
        return BorrowedFunction.borrow(name, new PciAddress(0x7871, 0, place, 0), socket, PATIENCE, () -> { });
    }

    @Override
    public void close() {
        reception.end(false);
    }
}
