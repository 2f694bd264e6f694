package io.manafold.streams;

import io.manafold.api.sockets.Knobs;
import java.net.InetAddress;

/** A transport with knobs, for tests: all carry the same streams. */
public interface Way extends AutoCloseable {
    /** The transport, of which this has what it needs. */
    Transport make();

    Knobs knobs();

    /** Where it listens. */
    default InetAddress at() {
        return InetAddress.getLoopbackAddress();
    }

    /** Ends what {@link #make} has made. */
    @Override
    default void close() {
    }
}
