package io.manafold.linux;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.testkit.base.Allocation;
import org.junit.jupiter.api.Test;

class PollTest {
    @Test
    void whatIsReadyIsTold() throws Exception {
        Poll poll = new Poll(3);
        try (EventFd first = EventFd.create(); EventFd second = EventFd.create()) {
            int one = poll.add(first.descriptor(), Poll.READABLE);
            int two = poll.add(second.descriptor(), Poll.READABLE);
            assertThat(poll.await(0)).isZero();

            second.signal();
            assertThat(poll.await(-1)).isEqualTo(1);
            assertThat(poll.ready(one)).isZero();
            assertThat(poll.ready(two)).isEqualTo(Poll.READABLE);

            poll.events(one, Poll.READABLE | Poll.WRITABLE);
            poll.events(two, 0);
            assertThat(poll.await(-1)).isEqualTo(1);
            assertThat(poll.ready(one)).isEqualTo(Poll.WRITABLE);
            assertThat(poll.ready(two)).isZero();
        }
        assertThat(poll.await(-1)).isEqualTo(2);
        assertThat(poll.ready(0)).isEqualTo(Poll.CLOSED);
        poll.clear();
        assertThat(poll.await(1)).isZero();
    }

    @Test
    void anotherThreadEndsTheWait() throws Exception {
        Poll poll = new Poll(1);
        try (EventFd event = EventFd.create()) {
            poll.add(event.descriptor(), Poll.READABLE);
            Thread waker = Thread.ofPlatform().start(() -> {
                while (!event.descriptor().inUse()) {
                    Thread.onSpinWait();
                }
                event.signal();
            });
            assertThat(poll.await(60_000)).isEqualTo(1);
            waker.join();
        }
    }

    @Test
    void theOtherEndsDepartureIsTold() throws Exception {
        Poll poll = new Poll(1);
        UnixSocket[] pair = UnixSocket.pair();
        poll.add(pair[0].descriptor(), 0);
        pair[1].close();
        assertThat(poll.await(-1)).isEqualTo(1);
        assertThat(poll.ready(0) & Poll.HANGUP).isNotZero();
        pair[0].close();
    }

    @Test
    void waitingAllocatesNothing() throws Exception {
        Poll poll = new Poll(1);
        try (EventFd event = EventFd.create()) {
            poll.add(event.descriptor(), Poll.READABLE);
            event.signal();
            assertThat(Allocation.leastOf(() -> poll.await(0))).isZero();
        }
    }
}
