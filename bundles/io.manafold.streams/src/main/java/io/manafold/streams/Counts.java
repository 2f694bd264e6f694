package io.manafold.streams;

import io.manafold.api.sockets.SocketStatistics;

/** What an endpoint counts. Written by the thread that serves it; who reads may be late. */
final class Counts {
    long sentBytes;
    long receivedBytes;
    long sentTransfers;
    long receivedTransfers;
    long calls;
    long zeroCopy;
    long copied;
    long unreported;
    long pooled;
    long area;
    long pinned;
    long errors;

    SocketStatistics statistics(int inFlight) {
        return new SocketStatistics(sentBytes, receivedBytes, sentTransfers, receivedTransfers, calls, zeroCopy, copied,
                unreported, pooled, area, inFlight, pinned, errors);
    }
}
