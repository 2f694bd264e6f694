package io.manafold.ethernet.internal.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.adapter.Adapter;
import io.manafold.api.adapter.Fault;
import io.manafold.api.device.PciAddress;
import io.manafold.api.device.SavedSettings;
import io.manafold.api.net.PortClaims;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.ethernet.internal.port.EthernetDevice;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Plans against what administrators and drivers of parts have of a port. */
@Timeout(300)
class PlansTest {
    private static final int CHANGES = Integer.getInteger("manafold.plans", 2_000);

    private final Bench bench = new Bench();
    private final PciAddress address = bench.adapter.function().address();
    private volatile boolean over;

    @AfterEach
    void close() {
        bench.close();
    }

    private void plan(int port, String name, Optional<Integer> mtu, boolean up) {
        bench.plans.put(port, new Plan(address, port, name, mtu, up));
        bench.drive.follow(bench.plans.get(port));
    }

    @Test
    void whatIsSetWhileAPlanIsFollowedStays() throws InterruptedException {
        EthernetDevice device = bench.left();
        device.setUp(false);
        plan(1, device.name(), Optional.of(1400), true);
        String subject = bench.settings.subject(SavedSettings.PORT, address, 1);
        Thread follows = Thread.ofPlatform().daemon().start(() -> {
            while (!over) {
                bench.drive.follow(bench.plans.get(1));
                Thread.onSpinWait();
            }
        });
        try {
            for (int i = 0; i < CHANGES; i++) {
                int mtu = i % 2 == 0 ? 2000 : 3000;
                device.setMtu(mtu);
                assertThat(bench.settings.read(subject)).as("change %s", i)
                        .containsEntry("mtu", Integer.toString(mtu));
                assertThat(device.mtu()).as("change %s", i).isEqualTo(mtu);
            }
        } finally {
            over = true;
            follows.join();
        }
    }

    @Test
    void aPlanThatThereIsNoRoomForIsFollowedLater() {
        bench.right().life().lock().lock();
        try {
            // as many as the control agent takes
            for (int i = 0; i < 100; i++) {
                plan(2, bench.right().name(), Optional.empty(), true);
            }
            plan(1, bench.left().name(), Optional.of(1400), true);
        } finally {
            bench.right().life().lock().unlock();
        }
        Bench.await("the plan is followed", () -> bench.left().mtu() == 1400);
    }

    @Test
    void aPortThatIsClaimedGetsItsNameWhenItIsLetGo() throws Exception {
        EthernetDevice device = bench.left();
        device.setUp(false);
        PortClaims claims = bench.parts.get("mana.eth.0").lend(PortClaims.class);
        AutoCloseable claim = claims.claim(1, "testpmd");
        plan(1, "a0", Optional.empty(), true);
        plan(2, "b0", Optional.empty(), true);
        Bench.await("the other port has its name", () -> bench.right().name().equals("b0"));
        assertThat(bench.left()).as("the device of the claimed port").isSameAs(device);
        assertThatThrownBy(() -> bench.left().setUp(true)).isInstanceOfSatisfying(Refusal.class,
                refused -> assertThat(refused.errno()).isEqualTo(Errno.EBUSY));
        assertThat(bench.left().claimant()).isEqualTo("testpmd");
        claim.close();
        Bench.await("the port has its name", () -> bench.left().name().equals("a0"));
        assertThatThrownBy(() -> device.control().claim("testpmd")).as("a claim of what has gone")
                .isInstanceOf(Refusal.class);
        claims.claim(1, "testpmd again").close();
        bench.left().setUp(true);
        flows("after the claim");
    }

    @Test
    void aPortWhoseDeviceIsRefusedUnderAnotherNameCostsNoOther() {
        bench.adapter.adapter().inject(new Fault("no", "configure-vport-rx", Fault.Effect.STATUS, 0xc00000bb, 0,
                false));
        plan(1, "a0", Optional.empty(), true);
        Bench.await("its device is gone", () -> bench.drive.offered().stream()
                .noneMatch(device -> device.port() == 1 && device.life().isOpen()));
        bench.withdrawn = _ -> bench.adapter.adapter().clearFault("no");
        EthernetDevice other = bench.drive.offered().getLast();
        bench.adapter.adapter().requestReset(Adapter.ResetKind.RESET);
        Bench.await("the reset begins", () -> !other.life().isOpen());
        Bench.await("the other port is back", () -> other.life().isOpen());
        bench.withdrawn = _ -> { };
        Bench.await("and so is the one that was refused", () -> bench.drive.offered().size() == 2
                && bench.left().name().equals("a0") && bench.left().life().isOpen());
        assertThat(bench.right()).isSameAs(other);
        flows("after the reset");
    }

    private void flows(String after) {
        try (Pulse left = new Pulse(bench.left(), bench.right());
                Pulse right = new Pulse(bench.right(), bench.left())) {
            left.flows(after);
            right.flows(after);
        }
    }
}
