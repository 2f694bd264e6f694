package io.manafold.ethernet.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.net.Moderation;
import io.manafold.api.net.QueueEvents;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventModeratorTest {
    private final List<String> told = new ArrayList<>();
    private final EventModerator moderator = new EventModerator(
            (micros, frames) -> told.add(micros + "/" + frames), true, Moderation.ADAPTIVE);
    private long now = 1;
    private long packets;

    /** A sample of so many packets an event, that took so many nanoseconds. */
    private void sample(int each, long nanos) {
        now += nanos;
        packets += (long) each * EventModerator.SAMPLE;
        for (int i = 1; i < EventModerator.SAMPLE; i++) {
            moderator.event(packets);
        }
        moderator.sample(packets, now);
    }

    private void begin() {
        moderator.use(Moderation.ADAPTIVE);
        moderator.sample(packets, now);
    }

    @Test
    void denseEventsOfSeveralPacketsAreHeldBackStepByStep() {
        begin();
        for (int i = 0; i < 10; i++) {
            sample(4, 1_000_000);
        }
        assertThat(told).containsExactly("8/32", "32/64", "64/128", "128/255");
        assertThat(moderator.micros()).isEqualTo(128);
        assertThat(moderator.frames()).isEqualTo(255);
        assertThat(moderator.state()).isEqualTo(new QueueEvents(true, 128, 255, 10L * (EventModerator.SAMPLE - 1)));
    }

    @Test
    void lonePacketsAreNot() {
        begin();
        sample(4, 1_000_000);
        sample(4, 1_000_000);
        for (int i = 0; i < 5; i++) {
            sample(1, 1_000_000);
        }
        assertThat(told).containsExactly("8/32", "32/64", "8/32", "0/0");
    }

    @Test
    void fewEventsAreNot() {
        begin();
        sample(4, 1_000_000);
        for (int i = 0; i < 5; i++) {
            sample(40, 100_000_000);
        }
        assertThat(told).containsExactly("8/32", "0/0");
    }

    @Test
    void aStepThatCostsThroughputIsTakenBackForAWhile() {
        begin();
        sample(8, 1_000_000);
        assertThat(told).containsExactly("8/32");
        sample(4, 1_000_000);
        assertThat(told).containsExactly("8/32", "0/0");
        for (int i = 0; i < 16; i++) {
            sample(8, 1_000_000);
        }
        assertThat(told).hasSize(2);
        sample(8, 1_000_000);
        assertThat(told).containsExactly("8/32", "0/0", "8/32");
    }

    @Test
    void anAdministratorsNumbersHold() {
        begin();
        sample(4, 1_000_000);
        moderator.use(new Moderation(false, 300, 20));
        for (int i = 0; i < 5 * EventModerator.SAMPLE; i++) {
            moderator.event(packets + i * 8L);
            moderator.use(new Moderation(false, 300, 20));
        }
        assertThat(told).containsExactly("8/32", "300/20");
        moderator.use(Moderation.ADAPTIVE);
        assertThat(told).endsWith("0/0");
    }

    @Test
    void aDeviceThatCannotIsToldNothing() {
        EventModerator silent = new EventModerator((micros, frames) -> told.add("told"), false, Moderation.OFF);
        silent.use(Moderation.ADAPTIVE);
        for (int i = 0; i < 10 * EventModerator.SAMPLE; i++) {
            silent.event(i * 8L);
        }
        assertThat(told).isEmpty();
        assertThat(EventModerator.making(false, Moderation.ADAPTIVE).wanted()).isFalse();
        assertThat(EventModerator.making(true, Moderation.ADAPTIVE).wanted()).isTrue();
    }
}
