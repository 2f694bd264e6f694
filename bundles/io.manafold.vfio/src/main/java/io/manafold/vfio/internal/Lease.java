package io.manafold.vfio.internal;

import io.manafold.api.device.Binding;
import io.manafold.api.device.PciFunction;
import io.manafold.api.device.Removal;
import io.manafold.api.vfio.ExportCosts;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The time in which a function belongs to the guest that connects: from the probe that opened its socket to the
 * removal.
 */
final class Lease implements Binding {
    private final Export export;
    private final ClientAcceptor reception;

    private Lease(Export export, ClientAcceptor reception) {
        this.export = export;
        this.reception = reception;
    }

    /** Makes the function fresh and opens the socket. */
    static Lease begin(PciFunction function, Export export) throws IOException {
        ListenSocket listener = ListenSocket.open(export.socket());
        try {
            function.reset();
            empty(function);
            Lease lease = new Lease(export, new ClientAcceptor(export.name(), function, export.mostBytes(), listener,
                    ClientAcceptor.PATIENCE, new GuestEvents(export.name(), export::tell, System::nanoTime)));
            lease.reception.open();
            export.lent(lease);
            return lease;
        } catch (IOException | RuntimeException | Error failed) {
            listener.close();
            throw failed;
        }
    }

    private static void empty(PciFunction function) throws IOException {
        try {
            function.dma().clear().toCompletableFuture().get(1, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException busy) {
            throw new IOException("the driver before left memory in use", busy);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    boolean listening() {
        return reception.listening();
    }

    boolean connected() {
        return reception.connected();
    }

    long sessions() {
        return reception.sessions();
    }

    /** What is wrong at the moment, a sentence; {@code null} if nothing is. */
    String problem() {
        return reception.problem();
    }

    ExportCosts costs() {
        return reception.costs();
    }

    @Override
    public void remove(Removal why) {
        reception.end(why == Removal.DEVICE_GONE);
        export.returned(this);
    }
}
