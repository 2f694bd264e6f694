package io.manafold.api.sockets;

import java.net.InetSocketAddress;
import java.util.List;

/**
 * An endpoint, for administrators.
 *
 * @param remote {@code null} if it never was connected
 * @param napi id of the receive queue in the kernel, −1 if there is none or it is not known; as the next two
 * @param cpu that saw the connection's last packet
 * @param queue number of the receive queue of the network device
 * @param owner the symbolic name of the bundle that it belongs to
 */
public record EndpointState(String name, String transport, InetSocketAddress local, InetSocketAddress remote,
        Phase phase, int napi, int cpu, int queue, List<KnobState> knobs, SocketStatistics statistics, String owner) {
    public EndpointState {
        knobs = List.copyOf(knobs);
    }

    /** Where it is in its life. */
    public enum Phase {
        CONNECTING, CONNECTED,
        /** This end sends no more. */
        FINISHED,
        /** The peer sends no more. */
        ENDED,
        /** Neither end sends any more. */
        DRAINED,
        /** The connection broke, or could not be made. */
        BROKEN,
        CLOSED
    }
}
