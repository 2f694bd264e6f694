package io.manafold.sockets.internal.uring;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.refusal.Errno;
import io.manafold.api.sockets.Completions;
import io.manafold.api.sockets.Endpoint;
import io.manafold.api.sockets.Operation;
import io.manafold.api.sockets.Transfer;
import io.manafold.streams.Ends;
import io.manafold.streams.Ends.Done;
import io.manafold.uring.Ring;
import io.manafold.uring.Rings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sends of which the kernel has taken a part from where it lies and no more: their memory is not free before it is. */
@Timeout(120)
class ShortSendsTest {
    private static final int LENGTH = 64 << 10;
    private static final int FIRST_PART = 60_000;

    @BeforeAll
    static void ringsAreAllowed() {
        Rings.areAllowed();
        Rings.can(io.manafold.uring.Operation.SEND_ZERO_COPY_REGISTERED);
    }

    /** The kernel's answer to the first part is said by the test: it ends short where it likes, not where we do. */
    @Test
    void theRestThatIsCopiedDoesNotFreeTheFirstPart() {
        try (Ends ends = new Ends(new TcpWay("uring", List.of("send=auto")))) {
            ends.near.send(ends.region.key(), 0, LENGTH, 7);
            ends.queues.submit();
            ((UringEndpoint) ends.near).completed(Tags.SEND, 0, FIRST_PART, Ring.MORE);
            Done accepted = ends.next(ends.near, Operation.SEND);
            assertThat(accepted.flags()).as("the kernel may still read the first part")
                    .isEqualTo(Completions.ACCEPTED);
            assertThat(accepted.length()).isEqualTo(LENGTH);
            Done free = ends.next(ends.near, Operation.SEND);
            assertThat(free.flags()).isEqualTo(Completions.FREE);
            assertThat(free.tag()).isEqualTo(7);
            assertThat(ends.region.inFlight()).isZero();
            Transfer sent = ends.near.explain().getLast();
            assertThat(sent.path()).isEqualTo("copied");
            assertThat(sent.because()).contains("the kernel copied the rest");
        }
    }

    @Test
    void memoryOfABrokenConnectionIsFreeWhenTheKernelReadsItNoMore() throws Exception {
        try (Ends ends = new Ends(new TcpWay("uring", List.of("memory=registered", "send=zerocopy")));
                SocketChannel peer = SocketChannel.open()) {
            peer.setOption(StandardSocketOptions.SO_RCVBUF, 16 << 10);
            peer.connect(new InetSocketAddress("127.0.0.1", ends.listener.local().getPort()));
            UringEndpoint endpoint = (UringEndpoint) ends.next(done -> done.operation() == Operation.ACCEPT)
                    .endpoint();
            ends.block.segment().asSlice(0, 3 << 20).fill((byte) 'x');
            endpoint.send(ends.region.key(), 0, 3 << 20, 7);
            ends.turn(Duration.ofMillis(50));
            endpoint.fails(Errno.EPROTO.number(), "make sense of what the kernel received from");
            Done done = ends.next(endpoint, Operation.SEND);
            while (!done.has(Completions.FREE)) {
                done = ends.next(endpoint, Operation.SEND);
            }
            assertThat(done.errno()).isEqualTo(Errno.EPROTO.number());
            ends.block.segment().asSlice(0, 3 << 20).fill((byte) 'y');
            endpoint.close();
            ends.turn(Duration.ofMillis(1));
            assertGetsOldBytes(peer);
        }
    }

    /** All that is sent is in the socket, and the peer acknowledges no more than its window has room for. */
    @Test
    void memoryThatIsFreeWhenQueuesEndIsSentNoMore() throws Exception {
        try (SocketChannel peer = SocketChannel.open()) {
            try (Ends ends = new Ends(new TcpWay("uring", List.of("memory=registered", "send=zerocopy",
                    "prefer:buffers=400000")))) {
                peer.setOption(StandardSocketOptions.SO_RCVBUF, 16 << 10);
                peer.connect(new InetSocketAddress("127.0.0.1", ends.listener.local().getPort()));
                Endpoint endpoint = ends.next(done -> done.operation() == Operation.ACCEPT).endpoint();
                ends.block.segment().asSlice(0, 3 << 20).fill((byte) 'x');
                endpoint.send(ends.region.key(), 0, 150_000, 7);
                assertThat(ends.next(endpoint, Operation.SEND).flags()).isEqualTo(Completions.ACCEPTED);
                ends.queues.close();
                ends.block.segment().asSlice(0, 3 << 20).fill((byte) 'y');
                assertGetsOldBytes(peer);
            }
        }
    }

    private static void assertGetsOldBytes(SocketChannel peer) {
        ByteBuffer got = ByteBuffer.allocate(64 << 10);
        try {
            for (long total = 0; peer.read(got.clear()) >= 0; total += got.position()) {
                for (int i = 0; i < got.position(); i++) {
                    if (got.get(i) != 'x') {
                        throw new AssertionError("a byte " + got.get(i) + " after " + (total + i));
                    }
                }
            }
        } catch (IOException reset) {
            assertThat(reset).hasMessageContaining("reset");
        }
    }
}
