package io.manafold.adapter.internal.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.adapter.RdmaQueuePair;
import io.manafold.api.adapter.RdmaTrace;
import io.manafold.api.adapter.RdmaTrace.Event;
import io.manafold.api.adapter.RdmaTrace.Kind;
import io.manafold.api.adapter.RdmaTrace.Request;
import io.manafold.gdma.VendorError;
import io.manafold.roce.Operation;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is remembered of requests: in order, for as long as said, and never of two requests in one. */
@Timeout(120)
class TraceTest {
    private static final int ROUNDS = 4 * Integer.getInteger("manafold.rdma.attacks", 100_000);

    private final Trace trace = new Trace();
    private int position;
    private long now = 1_000_000;

    private RdmaTrace seen(int most) {
        RdmaQueuePair pair = new RdmaQueuePair(65_540, "RC", "RTS", "one/1", null, 0, 1024, 0, 0, 0, 0, 1, 1, 1,
                RdmaQueuePair.Congestion.NONE);
        return new Traced(pair, false, trace).show(most, ClockReading.now());
    }

    /** A request of 64 bytes in the ring whose words all follow from its number. */
    private void take(int number, int packets) {
        trace.taken(now, position, position + 64, Operation.WRITE, number & 0xff_ffff, packets, number);
        position += 64;
    }

    @Test
    void aRequestFromTheDoorbellToTheCompletion() {
        take(7, 3);
        for (int packet = 0; packet < 3; packet++) {
            now += 100;
            trace.sent(now, 0, 7 + packet, false);
        }
        trace.acknowledged(now + 1000, 0, 9, 5);
        trace.told(now + 1001);
        Request request = seen(10).requests().getFirst();
        assertThat(request.number()).isEqualTo(1);
        assertThat(request.operation()).isEqualTo(RdmaTrace.Operation.WRITE);
        assertThat(request.firstPsn()).isEqualTo(7);
        assertThat(request.packets()).isEqualTo(3);
        assertThat(request.sent()).isEqualTo(3);
        assertThat(request.lastSent() - request.firstSent()).isEqualTo(200);
        assertThat(request.acknowledged() - request.taken()).isEqualTo(1300);
        assertThat(request.acknowledgedPsn()).isEqualTo(9);
        assertThat(request.messages()).isEqualTo(5);
        assertThat(request.completed() - request.acknowledged()).isEqualTo(1);
        assertThat(request.events()).isEmpty();
    }

    @Test
    void whatHasNotHappenedIsNotSaid() {
        take(7, 3);
        trace.sent(now, 0, 7, false);
        Request request = seen(10).requests().getFirst();
        assertThat(request.sent()).isEqualTo(1);
        assertThat(request.acknowledged()).isEqualTo(RdmaTrace.NEVER);
        assertThat(request.completed()).isEqualTo(RdmaTrace.NEVER);
        assertThat(seen(0).requests()).isEmpty();
        assertThat(new Trace().isEmpty()).isTrue();
        assertThat(trace.isEmpty()).isFalse();
    }

    @Test
    void requestsOfOneDoorbellHaveItsTime() {
        trace.rung();
        long rung = System.nanoTime();
        now = rung + 5000;
        trace.taken(now, 0, 192, Operation.SEND, 1, 1, 10);
        trace.rung();
        trace.taken(now + 9000, 64, 192, Operation.SEND, 2, 1, 10);
        trace.taken(now + 9000, 192, 256, Operation.SEND, 3, 1, 10);
        assertThat(seen(10).requests()).extracting(Request::taken).satisfies(taken -> {
            assertThat(taken.get(0)).isBetween(5000L, 5000L + rung);
            assertThat(taken.get(1) - taken.get(0)).isEqualTo(9000);
            assertThat(taken.get(2)).as("of the second doorbell").isLessThan(taken.get(1));
        });
    }

    @Test
    void packetsThatAreSentAgainBelongToTheirRequests() {
        take(10, 4);
        take(14, 2);
        for (int packet = 0; packet < 6; packet++) {
            trace.sent(now, packet / 4, 10 + packet, false);
        }
        trace.happened(Kind.NAK_SEQUENCE, now + 10, 12, 0);
        for (int packet = 2; packet < 6; packet++) {
            trace.sent(now + 20 + packet, packet / 4, 10 + packet, true);
        }
        assertThat(seen(10).requests().get(0).events()).extracting(Event::kind).containsExactly(Kind.NAK_SEQUENCE,
                Kind.SENT_AGAIN);
        Event again = seen(10).requests().get(0).events().get(1);
        assertThat(again.psn()).isEqualTo(12);
        assertThat(again.packets()).isEqualTo(2);
        assertThat(again.lasted()).isEqualTo(1);
        assertThat(seen(10).requests().get(1).events()).singleElement().satisfies(event -> assertThat(event.psn())
                .isEqualTo(14));
    }

    @Test
    void numbersOfPacketsGoRound() {
        take(0xff_ffff, 3);
        for (int packet = 0; packet < 3; packet++) {
            trace.sent(now, 0, 0xff_ffff + packet & 0xff_ffff, true);
        }
        assertThat(seen(10).requests().getFirst().events()).singleElement().satisfies(event -> {
            assertThat(event.psn()).isEqualTo(0xff_ffff);
            assertThat(event.packets()).isEqualTo(3);
        });
    }

    @Test
    void anErrorHasItsRuleAndWhatToDo() {
        take(1, 1);
        trace.failed(now, 1, VendorError.REMOTE_ACCESS_DENIED.code(), null);
        trace.refused(now, 99, VendorError.PEER_KEY_RANGE.code(), "64 bytes at 0x0 with key 0x7");
        Event failed = seen(10).requests().getFirst().events().getFirst();
        assertThat(failed.failure().rule()).isEqualTo(VendorError.REMOTE_ACCESS_DENIED.rule());
        assertThat(failed.failure().right()).isEqualTo(VendorError.REMOTE_ACCESS_DENIED.right());
        assertThat(failed.failure().status()).isEqualTo("remote access error");
        assertThat(seen(10).events()).singleElement().satisfies(event -> {
            assertThat(event.kind()).isEqualTo(Kind.PEER_REFUSED);
            assertThat(event.failure().memory()).isEqualTo("64 bytes at 0x0 with key 0x7");
        });
    }

    @Test
    void aRequestThatHasFailedIsShownHoweverManyFollow() {
        for (int number = 1; number <= 10; number++) {
            take(number, 1);
        }
        trace.failed(now, 1, VendorError.RETRIES_EXCEEDED.code(), null);
        assertThat(seen(2).requests()).extracting(Request::number).containsExactly(1L, 9L, 10L);
        assertThat(seen(2).requests().getFirst().events()).singleElement()
                .satisfies(event -> assertThat(event.failure().code()).isEqualTo(VendorError.RETRIES_EXCEEDED.code()));
        assertThat(seen(0).requests()).isEmpty();
    }

    @Test
    void aRequestThatWasNotTakenHasItsErrorAsWell() {
        trace.failed(now, 1, VendorError.WRONG_SEQUENCE.code(), null);
        assertThat(seen(10).requests()).isEmpty();
        assertThat(seen(10).events()).singleElement().satisfies(event -> assertThat(event.kind())
                .isEqualTo(Kind.FAILED));
    }

    @Test
    void theLastOnesAreRemembered() {
        for (int number = 1; number <= 1000; number++) {
            take(number, 1);
            trace.sent(now, 0, number, false);
            trace.acknowledged(now, 0, number, number);
            trace.peer(Kind.PEER_AGAIN, now, 2 * number, 0);
        }
        assertThat(seen(1000).requests()).hasSize(TracedRequests.MOST).extracting(Request::number).isSorted()
                .contains(1000L, 937L);
        assertThat(seen(3).requests()).extracting(Request::number).containsExactly(998L, 999L, 1000L);
        assertThat(seen(3).events()).hasSize(TracedEvents.MOST).extracting(Event::psn).endsWith(1998, 2000);
    }

    @Test
    void afterAResetWhatWasUnderWayStaysAsItWas() {
        take(1, 1);
        trace.sent(now, 0, 1, false);
        trace.reset();
        position = 0;
        take(1, 1);
        trace.sent(now, 0, 1, false);
        trace.acknowledged(now, 0, 1, 1);
        assertThat(seen(10).requests()).extracting(Request::acknowledged).satisfies(times -> {
            assertThat(times.get(0)).isEqualTo(RdmaTrace.NEVER);
            assertThat(times.get(1)).isNotEqualTo(RdmaTrace.NEVER);
        });
    }

    /** All words of an entry follow from its number, so one of two requests would show. */
    @Test
    void noEntryIsOfTwoRequestsWhileReadersLook() throws InterruptedException {
        AtomicBoolean done = new AtomicBoolean();
        Thread agent = Thread.ofPlatform().start(() -> {
            for (int number = 1; number <= ROUNDS; number++) {
                now = 1_000_000L + number * 1000L;
                take(number, 2);
                trace.sent(now + 1, 0, number, false);
                trace.sent(now + 3, 0, number + 1, false);
                trace.failed(now, number & 0xff_ffff, number, "note " + number);
                trace.acknowledged(now + 5, 0, number & 0xff_ffff, number);
                trace.told(now + 7);
            }
            done.set(true);
        });
        long looked = 0;
        while (!done.get() || looked == 0) {
            RdmaTrace seen = seen(TracedRequests.MOST);
            for (Request request : seen.requests()) {
                check(request);
                looked++;
            }
            seen.events().forEach(event -> assertThat(event.failure().memory())
                    .isIn(null, "note " + event.failure().code()));
        }
        agent.join();
        assertThat(looked).isPositive();
        assertThat(seen(TracedRequests.MOST).requests()).hasSize(TracedRequests.MOST).allSatisfy(TraceTest::check);
    }

    private static void check(Request request) {
        int number = (int) request.number();
        assertThat(request.length()).isEqualTo(number);
        assertThat(request.firstPsn()).isEqualTo(number & 0xff_ffff);
        assertThat(request.ringOffset()).isEqualTo((number - 1) * 64);
        assertThat(request.taken()).isZero();
        if (request.sent() > 0) {
            assertThat(request.firstSent()).isEqualTo(1);
            assertThat(request.lastSent()).isEqualTo(request.sent() == 1 ? 1 : 3);
        }
        if (request.acknowledged() != RdmaTrace.NEVER) {
            assertThat(request.sent()).as("acknowledged, so sent").isEqualTo(2);
            assertThat(request.acknowledged()).isEqualTo(5);
            assertThat(request.acknowledgedPsn()).isEqualTo(number & 0xff_ffff);
            assertThat(request.messages()).isEqualTo(number);
        }
        if (request.completed() != RdmaTrace.NEVER) {
            assertThat(request.acknowledged()).as("told, so acknowledged").isEqualTo(5);
            assertThat(request.completed()).isEqualTo(7);
        }
        assertThat(request.events()).allSatisfy(event -> assertThat(event.failure().code()).isEqualTo(number));
    }
}
