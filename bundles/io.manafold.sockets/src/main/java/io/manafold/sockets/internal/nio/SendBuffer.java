package io.manafold.sockets.internal.nio;

import io.manafold.api.sockets.Knob;
import io.manafold.api.sockets.KnobState;
import java.util.List;

/**
 * The kernel's send buffer of a connection within this machine, where no size was asked for. The kernel lets one grow
 * to megabytes, for the sake of ways that are long; here the way is a copy, and bytes that wait for it behind megabytes
 * of others have left the processor's caches.
 */
public final class SendBuffer {
    /** Below what any user may set unless an administrator has lowered it (net.core.wmem_max); twice it is counted. */
    static final int LOCAL_BYTES = 192 << 10;
    private static final KnobState LOCAL = new KnobState(Knob.BUFFERS, null, Integer.toString(LOCAL_BYTES),
            "the send buffer, because the peer is on this machine and reads what is in the processor's caches; the "
            + "kernel sizes the receive buffer");

    private SendBuffer() {
    }

    /** Knobs as they are for a peer on this machine; the same list where a size was asked for. */
    public static List<KnobState> local(List<KnobState> knobs) {
        return state(knobs).asked() != null ? knobs
                : knobs.stream().map(state -> state.knob() == Knob.BUFFERS ? LOCAL : state).toList();
    }

    /** Bytes that both of the kernel's buffers are to have, 0 for its own choice. */
    public static int both(List<KnobState> knobs) {
        KnobState state = state(knobs);
        return state.asked() == null ? 0 : Integer.parseInt(state.got());
    }

    /** Bytes that the send buffer is to have, 0 for the kernel's choice. */
    public static int bytes(List<KnobState> knobs) {
        return Integer.parseInt(state(knobs).got());
    }

    private static KnobState state(List<KnobState> knobs) {
        for (KnobState state : knobs) {
            if (state.knob() == Knob.BUFFERS) {
                return state;
            }
        }
        throw new IllegalStateException("no knob " + Knob.BUFFERS);
    }
}
