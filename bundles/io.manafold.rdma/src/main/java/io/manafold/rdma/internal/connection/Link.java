package io.manafold.rdma.internal.connection;

import io.manafold.api.net.MacAddress;
import io.manafold.api.rdma.Gid;
import java.util.Optional;

/** What connections need of their device. Called by the thread of the connections; nothing here waits. */
public interface Link {
    /** Sends a message; it may get lost. */
    void send(AddressPair ends, MacAddress mac, byte[] mad);

    /** Answers a stranger as soon as the place of that one is known, unless too many of these answers wait. */
    void answer(AddressPair ends, byte[] mad);

    /**
     * Where the other end is on the link; empty while it is being asked for.
     *
     * @throws io.manafold.api.refusal.Refusal {@code EHOSTUNREACH} if it does not answer, and others if there is no way
     */
    Optional<MacAddress> find(AddressPair ends);

    /** Whether an address is one of the device. */
    boolean has(Gid local);

    /** The code of the largest path MTU. */
    int mtuCode();

    /** The node's identifier. */
    long guid();

    /** Who listens at a port of an address, or {@code null}. */
    Backlog listener(Gid local, int port);
}
