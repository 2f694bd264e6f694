package io.manafold.rdma.internal.device;

import io.manafold.api.rdma.AsyncEvent;
import io.manafold.api.rdma.AsyncEvent.Type;
import io.manafold.api.rdma.Gid;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Compares a port with what it was a moment before, and tells what is different. For one thread. */
final class PortWatch {
    private final String name;
    private final int number;
    private final Port port;
    private boolean active;
    private List<Gid> gids;

    PortWatch(String device, int number, Port port, List<Gid> gids) {
        name = "Port " + number + " of " + device;
        this.number = number;
        this.port = port;
        this.gids = gids;
        active = port.isActive();
    }

    void look(List<Gid> gidsNow, Consumer<AsyncEvent> teller) {
        boolean activeNow = port.isActive();
        if (activeNow != active) {
            active = activeNow;
            teller.accept(activeNow ? new AsyncEvent(Type.PORT_ACTIVE, number, name + " sends and receives again.")
                    : new AsyncEvent(Type.PORT_ERR, number, name + " neither sends nor receives: " + port.name()
                    + " is down or has no carrier."));
        }
        if (!gidsNow.equals(gids)) {
            gids = gidsNow;
            teller.accept(new AsyncEvent(Type.GID_CHANGE, number, name + " has now the addresses " + gids.stream()
                    .filter(gid -> !gid.equals(Gid.NONE)).map(Gid::toString).collect(Collectors.joining(", ")) + "."));
        }
    }
}
