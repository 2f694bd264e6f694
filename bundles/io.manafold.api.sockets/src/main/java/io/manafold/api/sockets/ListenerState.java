package io.manafold.api.sockets;

import java.net.InetSocketAddress;
import java.util.List;

/**
 * A listener, for administrators.
 *
 * @param accepted how many connections have come
 * @param resting why connections wait at the moment, {@code null} if they do not
 * @param knobs of the endpoints that come, and its own
 * @param owner the symbolic name of the bundle that it belongs to
 */
public record ListenerState(String name, String transport, InetSocketAddress local, long accepted, String resting,
        List<KnobState> knobs, String owner) {
    public ListenerState {
        knobs = List.copyOf(knobs);
    }
}
