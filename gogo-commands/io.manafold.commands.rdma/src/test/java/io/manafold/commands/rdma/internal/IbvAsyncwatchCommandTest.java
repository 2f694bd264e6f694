package io.manafold.commands.rdma.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.rdma.AsyncEvent;
import io.manafold.api.rdma.AsyncEvent.Type;
import io.manafold.api.rdma.AsyncEvents;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class IbvAsyncwatchCommandTest {
    private final Queue<AsyncEvent> waiting = new ArrayDeque<>(List.of(
            new AsyncEvent(Type.PORT_ERR, 1, "It is down."), new AsyncEvent(Type.PORT_ACTIVE, 2, "It is up."),
            new AsyncEvent(Type.GID_CHANGE, 1, "It has others."), new AsyncEvent(Type.DEVICE_FATAL, 0, "It has gone."),
            new AsyncEvent(Type.PORT_ERR, 1, "It is another's.")));
    private boolean closed;

    private final IbvAsyncwatchCommand command = new IbvAsyncwatchCommand(Fakes.devices(new FakeDevice("mana_0", 2) {
        @Override
        public AsyncEvents events() {
            return new AsyncEvents() {
                @Override
                public Optional<AsyncEvent> next(Duration limit) {
                    return Optional.of(waiting.remove());
                }

                @Override
                public long lost() {
                    return 0;
                }

                @Override
                public void close() {
                    closed = true;
                }
            };
        }
    }));

    @Test
    void eventsAreLinesUntilTheDeviceGoes() {
        assertThat(Fakes.run(command, "").out()).isEqualTo("""
                mana_0: async event
                  event_type IBV_EVENT_PORT_ERR (10), port 1
                  event_type IBV_EVENT_PORT_ACTIVE (9), port 2
                  event_type IBV_EVENT_GID_CHANGE (18), port 1
                  event_type IBV_EVENT_DEVICE_FATAL (8), port 0
                """);
        assertThat(closed).isTrue();
        assertThat(waiting).hasSize(1);
    }

    @Test
    void eventsAreLinesForPrograms() {
        assertThat(Fakes.run(command, "-d mana_0 --json").out().lines()).hasSize(4).first()
                .isEqualTo("{\"device\":\"mana_0\",\"event_type\":\"IBV_EVENT_PORT_ERR\",\"number\":10,\"port\":1,"
                        + "\"sentence\":\"It is down.\"}");
    }

    @Test
    void aDeviceThatThereIsNotIsASentence() {
        Fakes.Answer answer = Fakes.run(command, "-d mana_9");
        assertThat(answer.err()).contains("There is no RDMA device 'mana_9'");
        assertThat(answer.status()).isEqualTo(1);
    }
}
