package io.manafold.adapter.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.adapter.Rdma;
import io.manafold.api.adapter.RdmaParameter;
import io.manafold.api.adapter.RdmaQueuePair;
import io.manafold.api.adapter.RdmaStatus;
import io.manafold.api.adapter.RdmaTrace;
import io.manafold.api.adapter.Rejection;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.fabric.internal.TestSwitch;
import io.manafold.gdma.VendorError;
import io.manafold.gdma.WorkRequest;
import io.manafold.testkit.ManagementPair;
import io.manafold.testkit.RcPair;
import io.manafold.testkit.RcSettings;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What an administrator sees of RDMA and orders of it. */
@Timeout(120)
class RdmaStatusTest {
    private static final int LENGTH = 3000;

    private final TestSwitch net = new TestSwitch("left/1", "right/1");
    private final RdmaEnd left = new RdmaEnd("left", 1);
    private final RdmaEnd right = new RdmaEnd("right", 2);
    private final Rdma rdma = left.bench.adapter.rdma();
    private RcPair one;
    private RcPair other;

    @BeforeEach
    void connect() {
        RdmaEnd.plug(net, left, right);
        one = left.pair(RcSettings.of(1024));
        other = right.pair(RcSettings.of(1024));
        RdmaEnd.connect(left, one, right, other);
    }

    @AfterEach
    void close() {
        left.close();
        right.close();
        net.close();
    }

    private static RdmaQueuePair only(RdmaEnd end) {
        return end.bench.adapter.rdma().status().queuePairs().getFirst();
    }

    private void send(int length) {
        other.receive(RdmaEnd.VIRTUAL, right.key(), LENGTH);
        other.ringReceives();
        one.send(RdmaEnd.VIRTUAL, left.key(), length);
        one.ring();
    }

    @Test
    void aConnectionShowsWhereItLeadsAndHowFarItIs() {
        RdmaQueuePair before = only(left);
        assertThat(before.type()).isEqualTo("RC");
        assertThat(before.state()).isEqualTo("RTS");
        assertThat(before.port()).isEqualTo("left/1");
        assertThat(before.peerGid()).isEqualTo("::ffff:10.0.0.2");
        assertThat(before.peer()).isEqualTo(other.number());
        assertThat(before.mtu()).isEqualTo(1024);
        assertThat(before.sendPsn()).isEqualTo(0xff_fffe);
        assertThat(before.inFlight()).isZero();
        send(LENGTH);
        assertThat(RdmaEnd.until(() -> one.outstanding() == 0 && other.received() == 1, one, other)).isTrue();
        // three packets, and the numbers wrap around
        assertThat(only(left).sendPsn()).isEqualTo(1);
        assertThat(only(left).acknowledgedPsn()).isZero();
        assertThat(only(right).receivePsn()).isEqualTo(1);
        RdmaStatus status = rdma.status();
        assertThat(status.driven()).isTrue();
        assertThat(status.gids()).containsExactly("::ffff:10.0.0.1");
        assertThat(status.completionQueues()).singleElement().satisfies(queue -> {
            assertThat(queue.number()).isEqualTo(only(left).sendCompletions())
                    .isEqualTo(only(left).receiveCompletions());
            assertThat(queue.entries()).isEqualTo(RdmaEnd.ENTRIES);
            assertThat(queue.used()).isTrue();
        });
        assertThat(status.ports()).singleElement().satisfies(port -> {
            assertThat(port.counters()).containsEntry("tx_packets", 3L).containsKeys("sent_cnps", "rdma_bad_icrc");
        });
    }

    @Test
    void anErrorShowsTheRequestThatFailedAndWhereItLies() {
        send(LENGTH);
        assertThat(RdmaEnd.until(() -> one.outstanding() == 0 && other.received() == 1, one, other)).isTrue();
        send(LENGTH + 1);
        assertThat(RdmaEnd.until(() -> one.sendErrors() == 1, one, other)).isTrue();
        Rejection sender = left.bench.adapter.rejections().getLast();
        Rejection receiver = right.bench.adapter.rejections().getLast();
        // both rings have had one request of one piece before
        assertThat(sender.where())
                .matches("left/1 queue pair \\d+, request at 0x%x of its ring, PSN 1".formatted(WorkRequest.UNIT * 2));
        assertThat(sender.bytes()).as("the length that was sent").contains("b90b0000");
        assertThat(receiver.where())
                .matches("right/1 queue pair \\d+, packet with PSN \\d+, receive at 0x20 of its ring");
        assertThat(receiver.rule()).isEqualTo("a message fits into the receive that it takes");
        assertThat(receiver.bytes()).as("the length that was posted").contains("b80b0000");
    }

    @Test
    void anErrorOfMemoryShowsWhatWasNamed() {
        one.write(RdmaEnd.VIRTUAL, left.key(), 100, RdmaEnd.VIRTUAL + 16, 0x1234_5678);
        one.ring();
        assertThat(RdmaEnd.until(() -> one.sendErrors() == 1, one, other)).isTrue();
        assertThat(left.bench.adapter.rejections().getLast().where()).contains(", request at 0x0 of its ring, ");
        assertThat(right.bench.adapter.rejections().getLast().where())
                .endsWith(", 100 bytes at 0x%x with key 0x12345678".formatted(RdmaEnd.VIRTUAL + 16));
    }

    @Test
    void anErrorOfAPieceShowsThePiece() {
        one.send(RdmaEnd.VIRTUAL + 8, 0x1234_5678, 100);
        one.ring();
        assertThat(RdmaEnd.until(() -> one.sendErrors() == 1, one, other)).isTrue();
        assertThat(left.bench.adapter.rejections().getLast().where())
                .endsWith(", 100 bytes at 0x%x with key 0x12345678".formatted(RdmaEnd.VIRTUAL + 8));
    }

    @Test
    void aRequestIsFollowedFromTheDoorbellToTheCompletion() {
        assertThat(rdma.trace(one.number(), 10).requests()).isEmpty();
        send(LENGTH);
        assertThat(RdmaEnd.until(() -> one.outstanding() == 0 && other.received() == 1, one, other)).isTrue();
        RdmaTrace trace = rdma.trace(one.number(), 10);
        RdmaTrace.Request request = trace.requests().getFirst();
        assertThat(trace.ended()).isFalse();
        assertThat(request.operation()).isEqualTo(RdmaTrace.Operation.SEND);
        assertThat(request.length()).isEqualTo(LENGTH);
        assertThat(request.firstPsn()).isEqualTo(0xff_fffe);
        assertThat(request.packets()).isEqualTo(3);
        assertThat(request.sent()).isEqualTo(3);
        assertThat(request.acknowledgedPsn()).as("the numbers go round").isZero();
        assertThat(List.of(0L, request.taken(), request.firstSent(), request.lastSent(), request.acknowledged(),
                request.completed()))
                .isSorted();
        assertThat(request.events()).isEmpty();
        assertThat(rdma.traces(0)).singleElement().satisfies(all -> {
            assertThat(all.pair().number()).isEqualTo(one.number());
            assertThat(all.last()).isNotNull();
            assertThat(all.requests()).isEmpty();
        });
        assertThat(right.bench.adapter.rdma().trace(other.number(), 10).requests()).as("of the receiver").isEmpty();
    }

    @Test
    void whatHasFailedCanBeReadWhenItsQueuePairHasEnded() {
        int first = one.nextPsn();
        one.write(RdmaEnd.VIRTUAL, left.key(), 100, RdmaEnd.VIRTUAL + 16, 0x1234_5678);
        one.ring();
        assertThat(RdmaEnd.until(() -> one.sendErrors() == 1, one, other)).isTrue();
        one.close();
        RdmaTrace trace = rdma.trace(one.number(), 10);
        assertThat(trace.ended()).isTrue();
        assertThat(trace.requests().getFirst().events()).extracting(RdmaTrace.Event::kind)
                .containsExactly(RdmaTrace.Kind.NAK_REFUSED, RdmaTrace.Kind.FAILED);
        RdmaTrace.Failure failure = trace.requests().getFirst().events().getLast().failure();
        assertThat(failure.rule()).isEqualTo(VendorError.REMOTE_ACCESS_DENIED.rule());
        assertThat(failure.right()).isEqualTo(VendorError.REMOTE_ACCESS_DENIED.right());
        assertThat(failure.memory()).isEqualTo("100 bytes at 0x%x with key 0x12345678".formatted(RdmaEnd.VIRTUAL + 16));
        assertThat(right.bench.adapter.rdma().trace(other.number(), 10).events()).singleElement().satisfies(event -> {
            assertThat(event.kind()).isEqualTo(RdmaTrace.Kind.PEER_REFUSED);
            assertThat(event.psn()).isEqualTo(first);
            assertThat(event.failure().code()).isEqualTo(VendorError.PEER_KEY_CONFIGURATION.code());
        });
        for (int i = 0; i < 40; i++) {
            // unused ones take no place
            left.pair(RcSettings.of(1024)).close();
        }
        assertThat(rdma.traces(1)).singleElement().satisfies(kept -> assertThat(kept.requests()).hasSize(1));
    }

    @Test
    void whatIsNotRememberedIsASentence() {
        assertRefused(Errno.ENOENT, () -> rdma.trace(one.number() + 4, 1));
        ManagementPair management = new ManagementPair(left.rdma, left.domain, left.completions);
        assertRefused(Errno.EOPNOTSUPP, () -> rdma.trace(1, 1));
        assertThat(rdma.traces(1)).extracting(trace -> trace.pair().type()).containsOnly("RC");
        management.close();
        assertRefused(Errno.ENOENT, () -> rdma.trace(1, 1));
        try (Bench idle = new Bench("idle"); Bench without = new Bench("without", "rdma", "off")) {
            assertThat(idle.adapter.rdma().traces(1)).isEmpty();
            assertRefused(Errno.ENOENT, () -> idle.adapter.rdma().trace(65_540, 1));
            assertRefused(Errno.EOPNOTSUPP, () -> without.adapter.rdma().trace(65_540, 1));
        }
    }

    @Test
    void congestionControlIsSetAsAWholeOrNotAtAll() {
        assertRefused(Errno.EINVAL, () -> rdma.set(Map.of("rpg_hai_rate", 60, "rpg_io_rate", 1)));
        assertRefused(Errno.ERANGE, () -> rdma.set(Map.of("rpg_hai_rate", 0)));
        assertThat(value("rpg_hai_rate")).isEqualTo(50);
        rdma.set(Map.of("rpg_hai_rate", 60, "rpg_ai_rate", 6));
        assertThat(value("rpg_hai_rate")).isEqualTo(60);
        assertThat(value("rpg_ai_rate")).isEqualTo(6);
    }

    private int value(String name) {
        return rdma.parameters().stream().filter(one -> one.name().equals(name)).mapToInt(RdmaParameter::value)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theDriverIsToldOnceToDoWithoutAndOnceToGoOn() {
        assertRefused(Errno.EINVAL, rdma::resume);
        rdma.suspend();
        assertThat(rdma.status().suspended()).isTrue();
        assertRefused(Errno.EBUSY, rdma::suspend);
        rdma.resume();
        assertThat(rdma.status().suspended()).isFalse();
    }

    @Test
    void whoCannotBeToldIsNot() {
        try (Bench idle = new Bench("idle");
                Bench without = new Bench("without", "rdma", "off");
                Bench old = new Bench("old", "firmware", "2025-05")) {
            assertRefused(Errno.ENODEV, () -> idle.adapter.rdma().suspend());
            assertRefused(Errno.EOPNOTSUPP, () -> without.adapter.rdma().suspend());
            assertRefused(Errno.EOPNOTSUPP, () -> without.adapter.rdma().set(Map.of()));
            assertRefused(Errno.EOPNOTSUPP, () -> old.adapter.rdma().suspend());
            assertThat(without.adapter.rdma().mode()).isEqualTo("off");
            assertThat(without.adapter.rdma().parameters()).isEmpty();
            assertThat(idle.adapter.rdma().status().driven()).isFalse();
        }
    }

    private static void assertRefused(Errno errno, ThrowingCallable asked) {
        assertThatThrownBy(asked).isInstanceOf(Refusal.class)
                .satisfies(refused -> assertThat(((Refusal) refused).errno()).isEqualTo(errno));
    }
}
