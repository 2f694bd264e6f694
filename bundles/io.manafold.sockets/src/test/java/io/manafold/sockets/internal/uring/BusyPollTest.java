package io.manafold.sockets.internal.uring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.sockets.Knob;
import io.manafold.api.sockets.KnobState;
import io.manafold.api.sockets.Knobs;
import io.manafold.streams.Ends;
import io.manafold.streams.Transport;
import io.manafold.streams.Way;
import io.manafold.uring.Operation;
import io.manafold.uring.Restricted;
import io.manafold.uring.Rings;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A kernel that can poll cards, and refuses it to a ring when it is asked. */
@Timeout(60)
class BusyPollTest {
    @BeforeAll
    static void ringsAreAllowed() {
        Rings.areAllowed();
        Rings.can(Operation.BUSY_POLL);
    }

    /** A transport that has found out already what the kernel can do. */
    private record Probed(Transport make, Knobs knobs) implements Way {
        static Probed with(String knob) {
            UringTransport transport = new UringTransport();
            assertThat(transport.can(Operation.BUSY_POLL)).isTrue();
            return new Probed(transport, Knobs.parse(List.of(knob)));
        }
    }

    private static KnobState busyPoll(List<KnobState> knobs) {
        return knobs.stream().filter(state -> state.knob() == Knob.BUSYPOLL).findFirst().orElseThrow();
    }

    @Test
    void theKnobSaysWhatTheKernelDoes() {
        try (Ends ends = new Ends(Probed.with("busypoll=50"))) {
            assertThat(busyPoll(ends.queues.knobs()).got()).isEqualTo("50");
            assertThat(busyPoll(ends.near.state().knobs()).got()).isEqualTo("50");
        }
    }

    @Test
    void whatTheKernelRefusesIsSaidOrRefused() throws Exception {
        Way preferred = Probed.with("prefer:busypoll=50");
        Way demanded = Probed.with("busypoll=50");
        Restricted.onAThreadOfItsOwn(() -> {
            Restricted.forbidBusyPolling();
            try (Ends ends = new Ends(preferred)) {
                for (List<KnobState> knobs : List.of(ends.queues.knobs(), ends.listener.state().knobs(),
                        ends.near.state().knobs(), ends.far.state().knobs())) {
                    KnobState state = busyPoll(knobs);
                    assertThat(state.asked()).isEqualTo("50");
                    assertThat(state.got()).isEqualTo("0");
                    assertThat(state.why()).contains("not 50: the kernel answers EPERM");
                }
            }
            assertThatThrownBy(() -> new Ends(demanded)).isInstanceOfSatisfying(Refusal.class, refused ->
                    assertThat(refused.errno()).isEqualTo(Errno.EPERM)).hasMessageContainingAll("busypoll",
                    "Prefer it");
            return null;
        });
    }
}
