package io.manafold.sockets.internal.server;

import io.manafold.api.sockets.Completions;
import io.manafold.api.sockets.Endpoint;

/** What a server does with one connection, with a slice of memory of its own. */
abstract class Conversation {
    private final Endpoint endpoint;
    private final Slice slice;

    Conversation(Endpoint endpoint, Slice slice) {
        this.endpoint = endpoint;
        this.slice = slice;
    }

    final Endpoint endpoint() {
        return endpoint;
    }

    final Slice slice() {
        return slice;
    }

    /** Posts what comes first. */
    abstract void begin();

    /** A send or receive of it, or the end of its sending. */
    abstract void completed(Completions completions, int index);
}
