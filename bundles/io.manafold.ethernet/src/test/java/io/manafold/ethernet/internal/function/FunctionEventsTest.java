package io.manafold.ethernet.internal.function;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.device.DeviceEvent.Kind;
import io.manafold.gdma.EventEntry;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class FunctionEventsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int AT_ONCE = 8;
    private static final String FUNCTION = "7870:00:00.0";

    private final List<String> told = new ArrayList<>();
    private long nanos = Long.MAX_VALUE - 5;
    private final FunctionEvents events = new FunctionEvents(new Alone() {
        @Override
        public void tell(Kind kind, String device, String sentence) {
            told.add(kind + " " + sentence);
        }
    }, FUNCTION, () -> nanos);

    @Test
    void linksThatToggleAreToldNowAndThenAndTheLastStateInAnyCase() {
        for (int i = 0; i < 1001; i++) {
            boolean up = i % 2 == 1;
            events.links(() -> up);
        }
        assertThat(told).hasSize(AT_ONCE);
        assertThat(told).startsWith("LINK_DOWN the links of 7870:00:00.0 are down",
                "LINK_UP the links of 7870:00:00.0 are up");
        events.catchUp();
        assertThat(told).hasSize(AT_ONCE);
        nanos += SECOND;
        events.catchUp();
        assertThat(told).hasSize(AT_ONCE + 1);
        assertThat(told.getLast()).isEqualTo("LINK_DOWN the links of 7870:00:00.0 are down; 992 changes before that, "
                + "not told");
        nanos += SECOND;
        events.catchUp();
        assertThat(told).as("there was nothing more").hasSize(AT_ONCE + 1);
    }

    @Test
    void resetsAreToldNowAndThenAndHideNoLink() {
        int begun = 0;
        for (int i = 0; i < 1000; i++) {
            begun += events.reset("again") ? 1 : 0;
        }
        assertThat(begun).isEqualTo(AT_ONCE);
        events.links(() -> false);
        assertThat(told).hasSize(AT_ONCE + 1);
        assertThat(told.getLast()).startsWith("LINK_DOWN");
        nanos += 2 * SECOND;
        assertThat(events.reset("once more")).isTrue();
        assertThat(told.getLast()).isEqualTo("RESET once more; 992 resets before that, not told");
        assertThat(events.reset("and again")).isTrue();
        assertThat(events.reset("too soon")).isFalse();
        nanos += SECOND;
        events.catchUp();
        assertThat(told.getLast()).isEqualTo("RESET 7870:00:00.0 has had 1 more reset, not told one by one");
    }

    /** What a lender can do is to send these events. */
    @Test
    void aLenderThatTogglesItsLinkFillsNothing() {
        try (Bench bench = new Bench()) {
            long begin = System.nanoTime();
            for (int i = 0; i < 2000; i++) {
                int type = i % 2 == 0 ? EventEntry.SOC_LINK_DOWN : EventEntry.SOC_LINK_UP;
                bench.drive.event(EventEntry.SOC_DATA, EventEntry.typed(type, 0));
            }
            bench.drive.event(EventEntry.SOC_DATA, EventEntry.typed(EventEntry.SOC_LINK_DOWN, 0));
            Bench.await("the last state is told", () -> !bench.told.isEmpty()
                    && bench.told.getLast().startsWith("LINK_DOWN") && bench.told.getLast().endsWith(", not told"));
            long seconds = (System.nanoTime() - begin) / SECOND;
            assertThat(bench.told.stream().filter(line -> line.startsWith("LINK_")).count())
                    .isBetween((long) AT_ONCE, AT_ONCE + seconds + 1);
        }
    }
}
