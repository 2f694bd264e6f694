package io.manafold.commands.sock.internal;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.sockets.Completions;
import io.manafold.api.sockets.Operation;
import io.manafold.shell.Fields;
import java.util.Arrays;

/** Sends a message, waits until as much has come back, and says how long that took; again and again. */
final class Pings {
    private final ClientConnection talk;
    private final int size;
    private final long[] nanos;

    Pings(ClientConnection talk, int count, int size) {
        this.talk = talk;
        this.size = size;
        nanos = new long[count];
    }

    void run() throws InterruptedException {
        for (int i = 0; i < nanos.length; i++) {
            long begin = System.nanoTime();
            talk.endpoint().send(talk.key(), 0, size, i);
            int left = size;
            boolean isSent = false;
            talk.endpoint().receive(talk.key(), size, left, i);
            while (left > 0 || !isSent) {
                talk.await();
                Completions completions = talk.completions();
                for (int j = 0; j < completions.count(); j++) {
                    talk.check(j);
                    isSent |= completions.operation(j) == Operation.SEND && completions.has(j, Completions.FREE);
                    if (completions.operation(j) == Operation.RECEIVE) {
                        if (completions.has(j, Completions.END)) {
                            throw new Refusal(Errno.EPIPE,
                                    "The peer sends no more: it does not send back what comes. 'sock listen ... --do "
                                    + "echo' does.");
                        }
                        left -= (int) completions.length(j);
                        if (left > 0) {
                            talk.endpoint().receive(talk.key(), size, left, i);
                        }
                    }
                }
            }
            nanos[i] = System.nanoTime() - begin;
        }
    }

    Fields result(String transport) {
        long[] sorted = nanos.clone();
        Arrays.sort(sorted);
        return Fields.of("name", talk.endpoint().name()).and("transport", transport)
                .and("remote", Words.text(talk.endpoint().remote()))
                .and("count", nanos.length).and("bytes", size).and("min_us", micros(sorted[0]))
                .and("p50_us", micros(sorted[sorted.length / 2]))
                .and("p99_us", micros(sorted[(int) (sorted.length * 0.99)]))
                .and("max_us", micros(sorted[sorted.length - 1]));
    }

    private static double micros(long nanoseconds) {
        return Math.round(nanoseconds / 100.0) / 10.0;
    }
}
