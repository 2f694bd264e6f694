package io.manafold.uring;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.linux.SystemCallException;
import io.manafold.linux.TcpSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** A ring, a connection of this machine with itself, and all completions that came so far. */
final class Wire implements AutoCloseable {
    record Completion(long tag, int result, int flags) {
        boolean has(int flag) {
            return (flags & flag) != 0;
        }
    }

    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);

    final Trial trial;
    final Ring ring;
    final TcpSocket near;
    final TcpSocket far;
    final List<Completion> seen = new ArrayList<>();

    Wire() throws SystemCallException {
        this(RingSetup.of(64, 256));
    }

    Wire(RingSetup setup) throws SystemCallException {
        trial = new Trial(setup);
        ring = trial.ring;
        assertThat(trial.connect(Request.accept(trial.listener.number()))).isPositive();
        near = trial.client;
        far = trial.accepted();
    }

    /** Begins a request. */
    void ask(Request request, long address, int length, long tag) {
        assertThat(ring.add(request, address, length, tag)).isTrue();
        assertThat(ring.submit()).isZero();
        read();
    }

    /** Waits for a completion that is not taken yet, and takes it. */
    Completion next(Predicate<Completion> wanted) {
        long end = System.nanoTime() + PATIENCE;
        while (System.nanoTime() - end < 0) {
            for (Completion completion : seen) {
                if (wanted.test(completion)) {
                    seen.remove(completion);
                    return completion;
                }
            }
            assertThat(ring.await(1, TimeUnit.MILLISECONDS.toNanos(20))).isZero();
            read();
        }
        throw new AssertionError("no such completion among " + seen);
    }

    Completion next(long tag) {
        return next(completion -> completion.tag() == tag);
    }

    /** Asks and waits for the first completion. */
    Completion done(Request request, long address, int length, long tag) {
        ask(request, address, length, tag);
        return next(tag);
    }

    /** Receives exactly so many bytes at the far end. */
    byte[] received(int bytes) {
        try (java.lang.foreign.Arena arena = java.lang.foreign.Arena.ofConfined()) {
            java.lang.foreign.MemorySegment room = arena.allocate(bytes, 8);
            int got = 0;
            while (got < bytes) {
                int more = done(Request.receive(far.number(), 0), room.address() + got, bytes - got, -1).result();
                assertThat(more).as("bytes after the first %d", got).isPositive();
                got += more;
            }
            return room.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
        }
    }

    private void read() {
        int ready = ring.ready();
        for (int i = 0; i < ready; i++) {
            seen.add(new Completion(ring.tag(i), ring.result(i), ring.flags(i)));
        }
        ring.done(ready);
    }

    @Override
    public void close() {
        trial.close();
    }
}
