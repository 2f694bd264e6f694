package io.manafold.sockets.internal.uring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.sockets.EndpointPlan;
import io.manafold.api.sockets.Knob;
import io.manafold.api.sockets.KnobState;
import io.manafold.api.sockets.Knobs;
import io.manafold.streams.Ends;
import java.net.InetSocketAddress;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A queue is asked for on a platform that has no ports. */
class QueueKnobTest {
    private static final EndpointPlan SECOND = EndpointPlan.USUAL.with(Knobs.USUAL.with(Knob.QUEUE, "2"));
    private static final EndpointPlan PERHAPS = EndpointPlan.USUAL.with(Knobs.USUAL.prefer(Knob.QUEUE, "2"));

    private static void assertRefused(ThrowingCallable asked) {
        assertThatThrownBy(asked).isInstanceOf(Refusal.class).hasMessageContaining("The knob queue cannot be '2'")
                .hasMessageContaining("no port of this platform").satisfies(refused ->
                        assertThat(((Refusal) refused).errno()).isEqualTo(Errno.EOPNOTSUPP));
    }

    private static void assertAny(List<KnobState> knobs) {
        assertThat(knobs).filteredOn(state -> state.knob() == Knob.QUEUE).singleElement().satisfies(state -> {
            assertThat(state.asked()).isEqualTo("2");
            assertThat(state.got()).isEqualTo("any");
            assertThat(state.why()).startsWith("not 2: no port of this platform");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "uring"})
    void itIsRefusedOrSaidWhy(String transport) {
        try (Ends ends = new Ends(new TcpWay(transport, List.of()))) {
            InetSocketAddress local = new InetSocketAddress(ends.listener.local().getAddress(), 0);
            assertRefused(() -> ends.context.connect(ends.queues, ends.listener.local(), SECOND, 3));
            assertRefused(() -> ends.context.listen(ends.queues, local, SECOND, 3));
            try (var connected = ends.context.connect(ends.queues, ends.listener.local(), PERHAPS, 3);
                    var listening = ends.context.listen(ends.queues, local, PERHAPS, 4)) {
                assertAny(connected.state().knobs());
                assertAny(listening.state().knobs());
                assertThat(connected.state().queue()).isEqualTo(-1);
            }
        }
    }
}
