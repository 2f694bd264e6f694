package io.manafold.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.testkit.base.Allocation;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

class EventFdTest {
    @Test
    void signalsAreCountedAndTaken() throws Exception {
        try (EventFd event = EventFd.create()) {
            assertThat(event.take()).isZero();
            assertThat(event.signal()).isTrue();
            assertThat(event.signal()).isTrue();
            assertThat(event.take()).isEqualTo(2);
            assertThat(event.take()).isZero();
        }
    }

    @Test
    void oneThatAnotherHasFilledUpDoesNotHoldUs() throws Exception {
        int number = Linux.eventfd();
        Linux.blocking(number, true);
        try (EventFd event = EventFd.adopt(new Descriptor(number)); Arena arena = Arena.ofConfined()) {
            MemorySegment most = arena.allocateFrom(ValueLayout.JAVA_LONG, -2L);
            assertThat(Linux.write(number, most.address(), 8)).isEqualTo(8);

            assertThat(event.signal()).isTrue();
            assertThat(event.take()).isEqualTo(-2);
        }
    }

    @Test
    void whatIsNoEventFdIsClosedAndRefused() throws Exception {
        int before = OpenDescriptors.now().size();
        int[] pipe = Linux.pipe();
        for (int end : pipe) {
            assertThatThrownBy(() -> EventFd.adopt(new Descriptor(end))).isInstanceOfSatisfying(
                    SystemCallException.class, failed -> assertThat(failed.errno()).isEqualTo(22));
        }
        assertThatThrownBy(() -> EventFd.adopt(Memfd.create("test", 1).descriptor()))
                .hasMessageContaining("/memfd:test");
        assertThat(OpenDescriptors.now()).hasSize(before);
    }

    @Test
    void aSignalAllocatesNothing() throws Exception {
        try (EventFd event = EventFd.create()) {
            assertThat(Allocation.leastOf(event::signal)).isZero();
        }
    }

    @Test
    void takingTheCountAllocatesNothing() throws Exception {
        try (EventFd event = EventFd.create()) {
            event.signal();
            assertThat(event.takeAtOnce()).isOne();
            assertThat(event.takeAtOnce()).as("of one that is not signalled").isZero();
            assertThat(Allocation.leastOf(() -> {
                event.signal();
                event.take();
            })).isZero();
            assertThat(Allocation.leastOf(() -> {
                event.signal();
                event.takeAtOnce();
            })).isZero();
        }
    }
}
