package io.manafold.bus.internal;

import io.manafold.api.device.DriverChoice;
import io.manafold.api.refusal.Errno;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Something an administrator asked of one device, until it has come about or has been refused. */
final class Order {
    /** What can be asked. */
    enum Kind {
        BIND, UNBIND, UNBIND_FOR_NOW, OVERRIDE, OVERRIDE_FOR_NOW
    }

    final Kind kind;
    final DriverChoice driver;
    /** Completed once the order has been carried out. */
    final CompletableFuture<Void> done = new CompletableFuture<>();
    /** What was set before, to be put back on refusal. */
    AdminState before;
    /** What had been asked for by hand before, to be put back likewise. */
    DriverChoice choice;
    /** The driver that the device had before, or {@code null}: on refusal it is the first to be asked. */
    DriverNode bound;
    /** Why drivers had been found wanting before: a refused order is no reason to ask them again. */
    Map<Long, String> refused = Map.of();
    boolean begun;
    /** Set once the order has failed and what was there before is being put back. */
    String failure;
    Errno failureErrno;

    Order(Kind kind, DriverChoice driver) {
        this.kind = kind;
        this.driver = driver;
    }

    /** Whether all it asks for is to forget something, for which the device need not be here. */
    boolean forgets() {
        return driver == null && (kind == Kind.OVERRIDE || kind == Kind.OVERRIDE_FOR_NOW);
    }

    /** What is set when it has forgotten what it is to forget. */
    AdminState forgotten(AdminState admin) {
        return kind == Kind.OVERRIDE ? admin.withOverride(null) : admin.withPassing(null);
    }
}
