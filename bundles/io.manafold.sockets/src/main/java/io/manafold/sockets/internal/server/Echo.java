package io.manafold.sockets.internal.server;

import io.manafold.api.sockets.Completions;
import io.manafold.api.sockets.Endpoint;

/** Sends back what comes, from where it came into: each half of the slice is received into and sent in turn. */
final class Echo extends Conversation {
    private static final int HALF = Slices.BYTES / 2;
    private boolean isEnding;
    private int sending;

    Echo(Endpoint endpoint, Slice slice) {
        super(endpoint, slice);
    }

    @Override
    void begin() {
        receive(0);
        receive(1);
    }

    private void receive(long half) {
        endpoint().receive(slice().region().key(), slice().offset() + half * HALF, HALF, half);
    }

    @Override
    void completed(Completions completions, int index) {
        if (completions.errno(index) != 0) {
            endpoint().close();
            return;
        }
        long half = completions.tag(index);
        switch (completions.operation(index)) {
            case RECEIVE -> {
                if (completions.has(index, Completions.END)) {
                    isEnding = true;
                } else {
                    sending++;
                    endpoint().send(slice().region().key(), slice().offset() + half * HALF,
                            (int) completions.length(index), half);
                }
            }
            case SEND -> {
                if (completions.has(index, Completions.FREE)) {
                    sending--;
                    if (!isEnding) {
                        receive(half);
                    }
                }
            }
            // the peer has seen the end, and has sent its own
            case FINISH -> endpoint().close();
            default -> {
                // nothing else is begun here
            }
        }
        if (isEnding && sending == 0) {
            isEnding = false;
            sending = -1;
            endpoint().finish(0);
        }
    }
}
