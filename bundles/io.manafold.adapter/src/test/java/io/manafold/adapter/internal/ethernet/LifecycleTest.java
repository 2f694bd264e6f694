package io.manafold.adapter.internal.ethernet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.refusal.Refusal;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LifecycleTest {
    private final Guest guest = new Guest("one", 0x000d3a000001L);

    @AfterEach
    void close() {
        guest.close();
    }

    private static void await(java.util.function.BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    @Test
    void withoutALinkRequestsCompleteAllTheSame() {
        guest.port.transmitVia(Guest.PD, 4, 0);
        GuestSender sender = guest.sender(0x400, 4096);
        for (int i = 0; i < 100; i++) {
            sender.post(guest.put(new byte[60]), 60).ring();
            await(() -> sender.completion() == 32);
        }
        long[] physical = new long[EthernetPort.PHYSICAL];
        guest.port.addPhysical(physical);
        assertThat(physical[1]).as("sent frames dropped").isEqualTo(100);
        assertThat(guest.port.status().link()).isNull();
    }

    @Test
    void withoutALinkTheClampWorks() {
        guest.port.transmitVia(Guest.PD, 4, 0);
        // before the clamp, whose schedule runs from there on
        long start = System.nanoTime();
        guest.port.clamp(10_000_000);
        GuestSender sender = guest.sender(0x400, 4096);
        long at = guest.put(new byte[1000]);
        for (int i = 0; i < 20; i++) {
            sender.post(at, 1000);
        }
        sender.ring();
        int[] done = new int[1];
        await(() -> (done[0] += sender.completions.drain()) == 20);
        assertThat(System.nanoTime() - start).isGreaterThan(19 * 800_000L);
    }

    @Test
    void aPortMovesBetweenLinksWithItsQueues() {
        DirectLink link = new DirectLink();
        DirectLink other = new DirectLink();
        link.watching = true;
        guest.port.transmitVia(Guest.PD, 4, 0);
        GuestSender sender = guest.sender(0x400, 4096);
        guest.port.attach(link);
        assertThat(guest.port.status().link()).isEqualTo("direct");
        assertThatThrownBy(() -> guest.port.attach(other)).isInstanceOf(Refusal.class).hasMessageContaining("already");
        guest.port.detach(other);
        sender.send(new byte[60]);
        assertThat(link.seen).hasSize(1);
        assertThat(sender.completion()).isEqualTo(32);
        guest.port.detach(link);
        assertThat(link.plugs).isEmpty();
        sender.post(guest.put(new byte[60]), 60).ring();
        await(() -> sender.completion() == 32);
        assertThat(link.seen).hasSize(1);
        guest.port.attach(other);
        assertThat(other.plugs).hasSize(1);
    }

    @Test
    void aLinkThatRefusesLeavesThePortAsItWas() {
        DirectLink link = new DirectLink() {
            @Override
            public io.manafold.api.fabric.Wire plug(io.manafold.api.fabric.Plug plug) {
                throw new Refusal(io.manafold.api.refusal.Errno.EBUSY, "Another port is there.");
            }
        };
        assertThatThrownBy(() -> guest.port.attach(link)).isInstanceOf(Refusal.class);
        guest.port.transmitVia(Guest.PD, 4, 0);
        GuestSender sender = guest.sender(0x400, 4096);
        sender.post(guest.put(new byte[60]), 60).ring();
        await(() -> sender.completion() == 32);
    }

    @Test
    void queuesAreCountedAndTheirPlacesUsedAgain() {
        GuestSender[] all = new GuestSender[16];
        for (int i = 0; i < 16; i++) {
            all[i] = guest.sender(0x400 * (i + 1), 4096);
        }
        assertThatThrownBy(() -> guest.sender(0x8000, 4096)).isInstanceOf(Refusal.class).hasMessageContaining("16");
        guest.port.destroy(all[5].queue);
        GuestSender again = guest.sender(0x8000, 4096);
        assertThat(again.queue.slot).isEqualTo(5);
        all[5].queue.doorbell(32);
        guest.port.transmitVia(Guest.PD, 4, 0);
        again.post(guest.put(new byte[60]), 60).ring();
        await(() -> again.completion() == 32);
    }

    /** Nothing is written after destroy has returned, however busy the queue was. */
    @Test
    void destroyIsTheEnd() throws InterruptedException {
        guest.port.transmitVia(Guest.PD, 4, 0);
        for (int round = 0; round < 50; round++) {
            GuestSender sender = guest.sender(0x400, 4096);
            long at = guest.put(new byte[60]);
            AtomicBoolean stop = new AtomicBoolean();
            CountDownLatch begun = new CountDownLatch(1);
            Thread driver = new Thread(() -> {
                int posted = 0;
                while (!stop.get()) {
                    if (posted < 64) {
                        sender.post(at, 60).ring();
                        posted++;
                    }
                    posted -= sender.completions.drain();
                    begun.countDown();
                }
            });
            driver.start();
            begun.await();
            guest.port.destroy(sender.queue);
            stop.set(true);
            driver.join();
            sender.completions.drain();
            sender.ring();
            guest.port.transmitVia(Guest.PD, 4, 0);
            assertThat(sender.completions.drain()).isZero();
        }
        assertThat(guest.port.status().queues()).isEmpty();
    }

    @Test
    void quiescedPortsHaveNoQueuesAndTakeNothing() {
        guest.port.transmitVia(Guest.PD, 4, 0);
        GuestSender sender = guest.sender(0x400, 4096);
        GuestReceiver receiver = guest.receiver(1, 4096).post(4, 1514).open();
        assertThat(guest.port.status().open()).isTrue();
        guest.port.quiesce();
        assertThat(guest.port.status().open()).isFalse();
        assertThat(guest.port.status().queues()).isEmpty();
        sender.post(guest.put(new byte[60]), 60).ring();
        guest.port.fence(receiver.queue);
        assertThat(sender.completions.drain()).isZero();
        assertThat(receiver.completions.drain()).isZero();
        guest.port.destroy(sender.queue);
        guest.port.destroy(receiver.queue);
        GuestSender next = guest.sender(0x800, 4096);
        next.post(guest.put(new byte[60]), 60).ring();
        await(() -> next.completion() == 40);
    }
}
