package io.manafold.ethernet.internal.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.ethernet.internal.port.EthernetDevice;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The driver on an adapter that makes few objects for it. */
@Timeout(300)
class FewObjectsTest {
    @ParameterizedTest
    @ValueSource(strings = {"event_queues=4", "completion_queues=8", "send_queues=4", "receive_queues=5", "vectors=3"})
    void portsShareWhatThereIs(String limit) {
        try (Bench bench = new Bench("limits", new String[] {limit})) {
            EthernetDevice device = bench.left();
            device.setChannels(2);
            bench.right().setChannels(2);
            assertThat(device.maxChannels()).isEqualTo(2);
            assertThatThrownBy(() -> device.setChannels(3)).isInstanceOfSatisfying(Refusal.class,
                    refusal -> assertThat(refusal.errno()).isEqualTo(Errno.EINVAL));
            try (Pulse left = new Pulse(device, bench.right()); Pulse right = new Pulse(bench.right(), device)) {
                left.flows("at first");
                // old and new queues have no room side by side
                device.setMtu(4000);
                bench.right().setMtu(4000);
                left.flows("with another MTU");
                right.flows("with another MTU");
            }
        }
    }

    @Test
    void aFunctionOfTooFewIsNotTaken() {
        assertThatThrownBy(() -> new Bench("limits", new String[] {"event_queues=1"}).close())
                .isInstanceOf(Refusal.class).hasMessageContaining("no-resources");
    }
}
