package io.manafold.adapter.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.net.MacAddress;
import io.manafold.gdma.Gid;
import io.manafold.gdma.QpAttribute;
import io.manafold.gdma.QpState;
import io.manafold.gdma.Status;
import io.manafold.gdma.driver.CommandRefused;
import io.manafold.gdma.message.SetQpState;
import io.manafold.testkit.RcPair;
import io.manafold.testkit.RcSettings;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each change of state of a reliable connection is done or refused, with each attribute that it needs. */
@Timeout(120)
class RdmaStateTest {
    private static final long INIT = 0x39 & ~1;
    private static final long RECEIVE = 0x129181 & ~1;
    private static final long SEND = 0x12e01 & ~1;

    /** Where a queue pair may go from a state. */
    private static final Map<QpState, Set<QpState>> LEGAL = Map.of(
            QpState.RESET, EnumSet.of(QpState.RESET, QpState.INIT, QpState.ERROR),
            QpState.INIT, EnumSet.of(QpState.RESET, QpState.INIT, QpState.READY_TO_RECEIVE, QpState.ERROR),
            QpState.READY_TO_RECEIVE, EnumSet.of(QpState.RESET, QpState.READY_TO_SEND, QpState.ERROR),
            QpState.READY_TO_SEND, EnumSet.of(QpState.RESET, QpState.READY_TO_SEND, QpState.SENDS_DRAINED,
            QpState.ERROR), QpState.SENDS_DRAINED, EnumSet.of(QpState.RESET, QpState.READY_TO_SEND,
            QpState.SENDS_DRAINED, QpState.ERROR), QpState.ERROR, EnumSet.of(QpState.RESET, QpState.ERROR));

    private final RdmaEnd end = new RdmaEnd("states", 1);
    private final RcPair pair = end.pair(RcSettings.of(1024));
    private final SetQpState.Path path = path(end.gid);

    private SetQpState.Path path(Gid source) {
        return new SetQpState.Path(source, Gid.ofIpv4(0x0a00_0002), end.rdma.mac(), new MacAddress(0x020000000002L), 1,
                1, 64, 0, 0xc000, 4791, 0);
    }

    @AfterEach
    void close() {
        end.close();
    }

    private void change(QpState next, long attributes) {
        pair.change(next, attributes, 5, 6, 0x1_0000, path);
    }

    private void bring(QpState to) {
        change(QpState.RESET, 0);
        switch (to) {
            case RESET -> { }
            case INIT -> change(QpState.INIT, INIT);
            case READY_TO_RECEIVE -> {
                bring(QpState.INIT);
                change(QpState.READY_TO_RECEIVE, RECEIVE);
            }
            case READY_TO_SEND -> {
                bring(QpState.READY_TO_RECEIVE);
                change(QpState.READY_TO_SEND, SEND);
            }
            case SENDS_DRAINED -> {
                bring(QpState.READY_TO_SEND);
                change(QpState.SENDS_DRAINED, 0);
            }
            default -> change(QpState.ERROR, 0);
        }
    }

    private static void isRefused(ThrowingCallable change, String what) {
        assertThatThrownBy(change).as(what).isInstanceOfSatisfying(CommandRefused.class,
                refused -> assertThat(refused.status()).isEqualTo(Status.INVALID_PARAMETER));
    }

    @Test
    void everyChangeIsDoneOrRefused() {
        long all = INIT | RECEIVE | SEND;
        for (QpState from : LEGAL.keySet()) {
            for (QpState to : QpState.values()) {
                bring(from);
                String what = from.label() + " to " + to.label();
                if (LEGAL.get(from).contains(to)) {
                    assertThatCode(() -> change(to, all)).as(what).doesNotThrowAnyException();
                } else {
                    isRefused(() -> change(to, all), what);
                    // the refusal has changed nothing
                    for (QpState then : EnumSet.of(QpState.INIT, QpState.READY_TO_RECEIVE)) {
                        if (then != to && LEGAL.get(from).contains(then) && from != then) {
                            assertThatCode(() -> change(then, all)).as(what + " and on").doesNotThrowAnyException();
                        }
                    }
                }
            }
        }
    }

    @Test
    void eachAttributeIsNeeded() {
        needs(QpState.RESET, QpState.INIT, INIT);
        needs(QpState.INIT, QpState.READY_TO_RECEIVE, RECEIVE);
        needs(QpState.READY_TO_RECEIVE, QpState.READY_TO_SEND, SEND);
    }

    private void needs(QpState from, QpState to, long needed) {
        for (long rest = needed; rest != 0; rest &= rest - 1) {
            long without = needed & ~Long.lowestOneBit(rest);
            bring(from);
            isRefused(() -> change(to, without), to.label() + " without " + QpAttribute.names(Long.lowestOneBit(rest)));
            assertThatCode(() -> change(to, needed)).doesNotThrowAnyException();
        }
    }

    @Test
    void numbersOutsideOfTheirRangesAreRefused() {
        bring(QpState.INIT);
        isRefused(() -> set(QpState.READY_TO_RECEIVE, RECEIVE, 0, 16, 7, 7, 1, 14, path), "MTU code 0");
        isRefused(() -> set(QpState.READY_TO_RECEIVE, RECEIVE, 6, 16, 7, 7, 1, 14, path), "MTU code 6");
        isRefused(() -> set(QpState.READY_TO_RECEIVE, RECEIVE, 3, 33, 7, 7, 1, 14, path), "33 reads");
        isRefused(() -> set(QpState.READY_TO_RECEIVE, RECEIVE, 3, -1, 7, 7, 1, 14, path), "-1 reads");
        isRefused(() -> set(QpState.READY_TO_RECEIVE, RECEIVE, 3, 16, 7, 7, 32, 14, path), "timer 32");
        isRefused(() -> set(QpState.READY_TO_RECEIVE, RECEIVE, 3, 16, 7, 7, 1, 14, path(Gid.ofIpv4(0x0a00_0009))),
                "an address that the adapter does not have");
        assertThatCode(() -> set(QpState.READY_TO_RECEIVE, RECEIVE, 3, 16, 7, 7, 1, 14, path))
                .doesNotThrowAnyException();
        isRefused(() -> set(QpState.READY_TO_SEND, SEND, 3, 16, 8, 7, 1, 14, path), "8 retries");
        isRefused(() -> set(QpState.READY_TO_SEND, SEND, 3, 16, 7, 8, 1, 14, path), "8 retries of receivers");
        isRefused(() -> set(QpState.READY_TO_SEND, SEND, 3, 16, 7, 7, 1, 32, path), "timeout 32");
        isRefused(() -> set(QpState.READY_TO_SEND, SEND, 3, 33, 7, 7, 1, 14, path), "33 reads asked");
        assertThatCode(() -> set(QpState.READY_TO_SEND, SEND, 3, 16, 7, 7, 1, 14, path)).doesNotThrowAnyException();
    }

    private void set(QpState state, long mask, int mtu, int reads, int retries, int rnrRetries, int rnrTimer,
            int timeout, SetQpState.Path with) {
        end.rdma.call(new SetQpState(end.rdma.adapter(), pair.made().handle(), mask | 1, state.ordinal(), mtu, 0, 0,
                0x1_0000, reads, retries, rnrRetries, rnrTimer, 0, with, 0, 7, timeout, reads));
    }

    @Test
    void aStateThatIsNoneIsRefused() {
        isRefused(() -> end.rdma.call(new SetQpState(end.rdma.adapter(), pair.made().handle(), 1, 7, 0, 0, 0, 0, 0, 0,
                0, 0, 0, SetQpState.Path.NONE, 0, 0, 0, 0)), "7");
    }
}
