package io.manafold.sockets.internal.uring;

import io.manafold.api.sockets.Knob;
import io.manafold.api.sockets.KnobState;
import io.manafold.linux.SystemCallException;
import io.manafold.linux.TcpSocket;
import io.manafold.sockets.internal.nio.SendBuffer;
import java.util.List;

/** Knobs as they are settled, and those of them that are the socket's own. */
final class Settings {
    private static final int SO_KEEPALIVE = 9;
    private static final int TCP_KEEPIDLE = 4;
    private static final int TCP_KEEPINTVL = 5;
    private static final int TCP_KEEPCNT = 6;
    /** Questions without an answer that end a connection; they take as long as the silence before them. */
    private static final int QUESTIONS = 4;

    private Settings() {
    }

    static String got(List<KnobState> knobs, Knob knob) {
        for (KnobState state : knobs) {
            if (state.knob() == knob) {
                return state.got();
            }
        }
        throw new IllegalStateException("no knob " + knob);
    }

    static boolean is(List<KnobState> knobs, Knob knob, String value) {
        return got(knobs, knob).equals(value);
    }

    static int number(List<KnobState> knobs, Knob knob) {
        return Integer.parseInt(got(knobs, knob));
    }

    /**
     * Has a socket as its knobs say; one that listens hands it on to those that come.
     *
     * @return how often the kernel was entered
     */
    static int prepare(TcpSocket socket, List<KnobState> knobs) throws SystemCallException {
        int calls = 0;
        int sending = SendBuffer.bytes(knobs);
        if (sending > 0) {
            socket.option(TcpSocket.SOL_SOCKET, TcpSocket.SO_SNDBUF, sending);
            calls++;
        }
        int both = SendBuffer.both(knobs);
        if (both > 0) {
            socket.option(TcpSocket.SOL_SOCKET, TcpSocket.SO_RCVBUF, both);
            calls++;
        }
        if (is(knobs, Knob.NODELAY, "on")) {
            socket.option(TcpSocket.IPPROTO_TCP, TcpSocket.TCP_NODELAY, 1);
            calls++;
        }
        if (!is(knobs, Knob.CONGESTION, Knob.CONGESTION.classic())) {
            socket.congestion(got(knobs, Knob.CONGESTION));
            calls++;
        }
        int idle = number(knobs, Knob.KEEPALIVE);
        if (idle > 0) {
            socket.option(TcpSocket.SOL_SOCKET, SO_KEEPALIVE, 1);
            socket.option(TcpSocket.IPPROTO_TCP, TCP_KEEPIDLE, idle);
            socket.option(TcpSocket.IPPROTO_TCP, TCP_KEEPINTVL, Math.max(1, idle / QUESTIONS));
            socket.option(TcpSocket.IPPROTO_TCP, TCP_KEEPCNT, QUESTIONS);
            calls += 4;
        }
        return calls;
    }
}
