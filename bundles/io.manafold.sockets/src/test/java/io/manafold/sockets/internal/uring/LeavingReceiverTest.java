package io.manafold.sockets.internal.uring;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.sockets.Endpoint;
import io.manafold.api.sockets.Operation;
import io.manafold.api.sockets.ReceivePool;
import io.manafold.api.sockets.Region;
import io.manafold.streams.Ends;
import io.manafold.streams.Ends.Done;
import io.manafold.uring.Rings;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An endpoint that is closed while what has come for it is not read yet: buffers of others stay theirs. */
@Timeout(120)
class LeavingReceiverTest {
    private static final int BUFFER = 4096;
    private static final int BUFFERS = 8;
    private static final long POOL_AT = 2 << 20;

    @BeforeAll
    static void ringsAreAllowed() {
        Rings.areAllowed();
        Rings.can(io.manafold.uring.Operation.RECEIVE_BUNDLE);
    }

    private static Socket peer(Ends ends) throws Exception {
        Socket peer = new Socket();
        peer.connect(new InetSocketAddress("127.0.0.1", ends.listener.local().getPort()));
        return peer;
    }

    private static Endpoint accepted(Ends ends, ReceivePool pool) {
        Endpoint endpoint = ends.next(done -> done.operation() == Operation.ACCEPT).endpoint();
        endpoint.receive(pool, 3);
        ends.turn(Duration.ofMillis(1));
        return endpoint;
    }

    private static void write(Socket peer, char what, int buffers) throws Exception {
        byte[] bytes = new byte[buffers * BUFFER];
        Arrays.fill(bytes, (byte) what);
        peer.getOutputStream().write(bytes);
    }

    private static List<Done> received(Ends ends, Endpoint endpoint, int bytes) {
        List<Done> all = new ArrayList<>();
        for (long total = 0; total < bytes; total += all.getLast().length()) {
            all.add(ends.next(endpoint, Operation.RECEIVE));
        }
        return all;
    }

    private static void assertAre(Ends ends, List<Done> received, char what) {
        for (Done one : received) {
            byte[] bytes = ends.bytes(POOL_AT + one.offset(), one.length());
            for (byte found : bytes) {
                assertThat((char) found).as("a byte of buffer %d", one.buffer()).isEqualTo(what);
            }
        }
    }

    @Test
    void buffersOfOthersAreNotTheKernels() throws Exception {
        try (Ends ends = new Ends(new TcpWay("uring", List.of("receive=pool")))) {
            ReceivePool pool = ends.queues.pool(ends.context.register(ends.block, POOL_AT, (long) BUFFERS * BUFFER,
                    Region.RECEIVE), BUFFER, BUFFERS);
            try (Socket stays = peer(ends)) {
                Endpoint staying = accepted(ends, pool);
                write(stays, 'b', 2);
                List<Done> kept = received(ends, staying, 2 * BUFFER);
                try (Socket goes = peer(ends)) {
                    Endpoint leaving = accepted(ends, pool);
                    write(goes, 'a', 3);
                    Thread.sleep(200);
                    // the kernel is entered, and what it says is not looked at
                    ends.far.receive(ends.region.key(), 0, 100, 1);
                    ends.queues.submit();
                    leaving.close();
                    ends.turn(Duration.ofMillis(10));
                }
                try (Socket comes = peer(ends)) {
                    Endpoint coming = accepted(ends, pool);
                    int free = pool.free();
                    assertThat(free).isEqualTo(BUFFERS - kept.size());
                    write(comes, 'c', free);
                    List<Done> all = received(ends, coming, free * BUFFER);
                    assertAre(ends, kept, 'b');
                    assertAre(ends, all, 'c');
                    all.addAll(kept);
                    assertThat(all.stream().map(Done::buffer).collect(Collectors.toSet())).hasSize(BUFFERS);
                    all.forEach(one -> pool.giveBack(one.buffer()));
                    assertThat(pool.free()).isEqualTo(BUFFERS);
                }
            }
        }
    }
}
