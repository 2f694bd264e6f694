package io.manafold.rdma.internal.device;

import io.manafold.api.net.MacAddress;
import io.manafold.api.rdma.Gid;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.List;
import java.util.Optional;

/** A port's place in the networks of IP. Any thread may call; nothing here waits. */
interface Neighbours {
    /** The addresses of the port beside the link-local one. */
    List<Gid> addresses();

    /**
     * From which of the addresses something is sent to another.
     *
     * @param own the link-local one
     * @throws Refusal {@code ENETUNREACH} if no way leads there, {@code EADDRNOTAVAIL} if there is none, {@code EBUSY}
     *     if the kernel is behind the port
     */
    Gid source(Gid own, Gid destination);

    /**
     * Where packets to an address go on the link; empty while that is being asked for.
     *
     * @throws Refusal {@code EHOSTUNREACH} if the other does not answer
     */
    Optional<MacAddress> find(Gid destination);

    /** Whether the kernel is behind the port, with its addresses: no connections are made there. */
    boolean isTaken();

    /** Of a port that no host is above: it reaches those whose address says where they are. */
    Neighbours NONE = new Neighbours() {
        @Override
        public List<Gid> addresses() {
            return List.of();
        }

        @Override
        public Gid source(Gid own, Gid destination) {
            if (!destination.isFromMac()) {
                throw new Refusal(Errno.ENETUNREACH, "No way leads to " + destination
                        + ": no host is above the port; addresses of IP need the bundle with the hosts.");
            }
            return own;
        }

        @Override
        public Optional<MacAddress> find(Gid destination) {
            if (!destination.isFromMac()) {
                throw new Refusal(Errno.EHOSTUNREACH, "It is not known where " + destination + " is on the link.");
            }
            return Optional.of(destination.mac());
        }

        @Override
        public boolean isTaken() {
            return false;
        }
    };
}
