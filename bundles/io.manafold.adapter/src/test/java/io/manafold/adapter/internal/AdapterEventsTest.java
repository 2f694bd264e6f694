package io.manafold.adapter.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.adapter.Fault;
import io.manafold.api.device.DeviceEvent;
import io.manafold.api.device.DriverChoice;
import io.manafold.api.device.EventLog;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class AdapterEventsTest {
    private final List<String> told = new ArrayList<>();
    private long now;
    private final AdapterEvents events = new AdapterEvents("one", "7870:00:00.0", () -> now);
    private final EventLog log = new EventLog() {
        @Override
        public List<DeviceEvent> recent() {
            return List.of();
        }

        @Override
        public Subscription subscribe(Consumer<DeviceEvent> listener) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void post(DeviceEvent.Kind kind, String device, DriverChoice driver, String sentence) {
            assertThat(device).isEqualTo("7870:00:00.0");
            told.add(kind + " " + sentence);
        }
    };

    @Test
    void aFloodOfRefusalsIsOneEventASecond() {
        events.log(log);
        RejectionLog rejections = new RejectionLog(events);
        for (int i = 0; i < 1_000_000; i++) {
            rejections.note("event queue 3", new byte[0], "an entry has an owner", "write it", "the entry is skipped");
        }
        assertThat(told).containsExactly("REFUSED one refused its driver something at event queue 3: an entry has an "
                + "owner; the entry is skipped");
        now += 1_000_000_000L;
        rejections.note("registers", new byte[0], "only some can be written", "do not", "the write was ignored");
        assertThat(told).hasSize(2);
        assertThat(told.get(1)).contains("at registers").endsWith("Before that, 999999 more since it was last told");
        assertThat(rejections.total()).isEqualTo(1_000_001);
    }

    @Test
    void aFaultForOnceIsToldWhenItIsSpent() {
        events.log(log);
        Faults faults = new Faults(events);
        faults.add(new Fault("again", null, Fault.Effect.STATUS, 0xc00000bb, 0, false));
        faults.take("configure-vport-tx");
        assertThat(told).isEmpty();
        faults.remove("again");
        faults.add(new Fault("first", "configure-vport-tx", Fault.Effect.STATUS, 0xc00000bb, 0, true));
        assertThat(faults.take("query-device-config")).isNull();
        faults.take("configure-vport-tx");
        assertThat(told).containsExactly("FAULT_SPENT one: the fault first is spent on configure-vport-tx, "
                + "answered with 0xc00000bb, not-supported");
    }

    @Test
    void withoutALogNothingIsTold() {
        events.refused("registers", "a rule", "nothing");
        events.log(log);
        events.forget(log);
        now += 2_000_000_000L;
        events.refused("registers", "a rule", "nothing");
        assertThat(told).isEmpty();
    }
}
