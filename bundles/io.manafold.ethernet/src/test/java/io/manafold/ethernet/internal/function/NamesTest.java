package io.manafold.ethernet.internal.function;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.device.PciAddress;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What devices are called, whichever function is faster. */
@Timeout(120)
class NamesTest {
    private static final PciAddress LOW = PciAddress.parse("7870:00:00.0");
    private static final PciAddress HIGH = PciAddress.parse("7870:00:01.0");

    private final Devices devices = new Devices(new Alone() {
        @Override
        public boolean isPlanned(String name) {
            return name.equals("mana3");
        }
    });

    @Test
    void theLowerAddressIsNamedFirstHoweverLongItTakes() throws InterruptedException {
        List<String> order = new CopyOnWriteArrayList<>();
        NamingOrder naming = new NamingOrder();
        naming.begin(HIGH);
        naming.begin(LOW);
        Thread high = Thread.ofPlatform().start(() -> {
            naming.await(HIGH);
            order.add("high");
            naming.end(HIGH);
        });
        while (high.getState() != Thread.State.TIMED_WAITING && high.isAlive()) {
            Thread.onSpinWait();
        }
        naming.await(LOW);
        order.add("low");
        naming.end(LOW);
        high.join();
        assertThat(order.getLast()).isEqualTo("high");
    }

    @Test
    void whoIsAloneDoesNotWait() {
        NamingOrder naming = new NamingOrder();
        naming.begin(HIGH);
        naming.await(HIGH);
        naming.end(HIGH);
        naming.begin(LOW);
        naming.await(LOW);
    }

    @Test
    void aPlanGoesBeforeWhatAPortWasCalledAndThatBeforeTheFirstFreeName() {
        assertThat(devices.take("left", "mana7", Set.of()).name()).isEqualTo("left");
        assertThat(devices.take(null, "mana7", Set.of()).name()).isEqualTo("mana7");
        assertThat(devices.take(null, "mana7", Set.of()).name()).isEqualTo("mana0");
        assertThat(devices.take(null, "mana3", Set.of()).name()).as("a plan wants it").isEqualTo("mana1");
        devices.giveBack("mana0");
        assertThat(devices.take("left", null, Set.of()).name()).as("it is taken").isEqualTo("mana0");
    }

    @Test
    void aPortIsCalledAsBeforeWhenItsDriverComesBack() {
        try (Bench bench = new Bench()) {
            assertThat(bench.left().name()).isEqualTo("mana0");
            bench.remove();
            // another function has come meanwhile and is gone again
            Devices.Place other = bench.devices.take(null, null, Set.of());
            assertThat(other.name()).isEqualTo("mana0");
            bench.begin();
            assertThat(bench.left().name()).isEqualTo("mana2");
            assertThat(bench.right().name()).isEqualTo("mana1");
            bench.remove();
            bench.devices.giveBack("mana0");
            bench.begin();
            assertThat(bench.left().name()).isEqualTo("mana2");
        }
    }
}
