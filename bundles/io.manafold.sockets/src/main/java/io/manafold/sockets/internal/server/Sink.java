package io.manafold.sockets.internal.server;

import io.manafold.api.sockets.Completions;
import io.manafold.api.sockets.Endpoint;
import io.manafold.api.sockets.Operation;

/** Takes all that comes, and ends when the peer does. */
final class Sink extends Conversation {
    Sink(Endpoint endpoint, Slice slice) {
        super(endpoint, slice);
    }

    @Override
    void begin() {
        endpoint().receive(slice().region().key(), slice().offset(), Slices.BYTES, 0);
    }

    @Override
    void completed(Completions completions, int index) {
        if (completions.errno(index) != 0 || completions.operation(index) == Operation.FINISH) {
            endpoint().close();
        } else if (completions.has(index, Completions.END)) {
            endpoint().finish(0);
        } else if (completions.operation(index) == Operation.RECEIVE) {
            begin();
        }
    }
}
