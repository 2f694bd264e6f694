package io.manafold.ethernet.internal.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.adapter.Adapter;
import io.manafold.api.device.AuxiliaryDevice;
import io.manafold.api.net.NetDevices;
import io.manafold.api.net.PortClaims;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.ethernet.internal.port.EthernetDevice;
import io.manafold.gdma.DeviceId;
import io.manafold.gdma.driver.EthernetSession;
import io.manafold.gdma.driver.FunctionSession;
import io.manafold.memory.DmaPiece;
import io.manafold.memory.MemoryBorrower;
import io.manafold.testkit.RawPort;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is lent to the drivers of a function's parts, and how it comes back. */
@Timeout(120)
class PartsTest {
    private final Bench bench = new Bench();

    @AfterEach
    void close() {
        bench.close();
    }

    private static void assertRefused(Errno errno, ThrowingCallable asked) {
        assertThatThrownBy(asked).isInstanceOf(Refusal.class).satisfies(refused ->
                assertThat(((Refusal) refused).errno()).isEqualTo(errno));
    }

    private AuxiliaryDevice ethernet() {
        return bench.parts.get("mana.eth.0");
    }

    private AuxiliaryDevice afterReset(AuxiliaryDevice before, Adapter.ResetKind kind) {
        bench.adapter.adapter().requestReset(kind);
        Bench.await("the part is offered again", () -> isAnother(ethernet(), before));
        return ethernet();
    }

    /** Asked of one look: between two of them the part may go. */
    private static boolean isAnother(AuxiliaryDevice now, AuxiliaryDevice before) {
        return now != null && now != before;
    }

    @Test
    void aSuspendedRdmaPartIsTakenBackAloneAndReturns() {
        try (Bench listing = Bench.listingRdma()) {
            AuxiliaryDevice ethernet = listing.parts.get("mana.eth.0");
            AuxiliaryDevice before = listing.parts.get("mana.rdma.0");
            listing.adapter.adapter().rdma().suspend();
            Bench.await("it goes", () -> !listing.parts.containsKey("mana.rdma.0"));
            assertRefused(Errno.ENODEV, () -> before.lend(FunctionSession.class));
            listing.adapter.adapter().rdma().resume();
            Bench.await("it returns", () -> listing.parts.containsKey("mana.rdma.0"));
            assertThat(listing.parts.get("mana.rdma.0").lend(FunctionSession.class)).isNotNull();
            assertThat(listing.parts.get("mana.eth.0")).as("Ethernet did not notice").isSameAs(ethernet);
        }
    }

    @Test
    void anRdmaPartIsThereOnlyIfTheFunctionListsThatDevice() {
        assertThat(bench.parts).containsOnlyKeys("mana.eth.0");
        try (Bench listing = Bench.listingRdma()) {
            assertThat(listing.parts).containsOnlyKeys("mana.eth.0", "mana.rdma.0");
            for (Adapter.ResetKind kind : Adapter.ResetKind.values()) {
                AuxiliaryDevice before = listing.parts.get("mana.rdma.0");
                assertThat(before.lend(FunctionSession.class).device(DeviceId.TYPE_RDMA)).isPresent();
                assertRefused(Errno.EOPNOTSUPP, () -> before.lend(EthernetSession.class));
                listing.adapter.adapter().requestReset(kind);
                Bench.await("it goes and returns", () -> isAnother(listing.parts.get("mana.rdma.0"), before));
                assertRefused(Errno.ENODEV, () -> before.lend(FunctionSession.class));
            }
        }
    }

    @Test
    void aPortBelongsToItsNetworkDeviceOrToTheDriverOfAPart() throws Exception {
        EthernetDevice device = bench.left();
        AuxiliaryDevice part = ethernet();
        PortClaims claims = part.lend(PortClaims.class);
        assertRefused(Errno.EBUSY, () -> claims.claim(1, "rdma"));
        assertRefused(Errno.ENODEV, () -> claims.claim(3, "rdma"));
        device.setUp(false);
        AutoCloseable claim = claims.claim(1, "rdma");
        assertRefused(Errno.EBUSY, () -> claims.claim(1, "another"));
        assertRefused(Errno.EBUSY, () -> device.setUp(true));
        assertRefused(Errno.EBUSY, () -> device.setChannels(3));
        device.setMtu(2000);
        claim.close();
        device.setChannels(3);
        device.setUp(true);
        claim.close();
        assertThat(part.lend(NetDevices.class).devices().get(0)).isSameAs(device);
        assertRefused(Errno.EOPNOTSUPP, () -> part.lend(String.class));
        bench.remove();
        assertThat(bench.parts).isEmpty();
        assertRefused(Errno.ENODEV, () -> part.lend(PortClaims.class));
        assertRefused(Errno.ENODEV, () -> claims.claim(1, "rdma"));
    }

    @Test
    void partsGoBeforeEachResetAndComeWithTheNextSession() {
        List<String> locked = new CopyOnWriteArrayList<>();
        EthernetDevice left = bench.left();
        EthernetDevice right = bench.right();
        bench.withdrawn = part -> {
            // its driver is still at work and may use what it has borrowed
            part.lend(FunctionSession.class).channel();
            if (left.life().lock().isLocked() || right.life().lock().isLocked()) {
                locked.add(part.id());
            }
        };
        AuxiliaryDevice part = ethernet();
        for (Adapter.ResetKind kind : Adapter.ResetKind.values()) {
            FunctionSession session = part.lend(FunctionSession.class);
            AuxiliaryDevice next = afterReset(part, kind);
            AuxiliaryDevice old = part;
            assertRefused(Errno.ENODEV, () -> old.lend(FunctionSession.class));
            assertThatThrownBy(() -> session.channel().testEvents()).isInstanceOf(Refusal.class);
            assertThat(next.lend(FunctionSession.class)).isSameAs(bench.drive.session().function())
                    .isNotSameAs(session);
            part = next;
        }
        assertThat(locked).as("parts that went while a port's lock was held").isEmpty();
    }

    @Test
    void whatADriverLeavesBehindEndsWithItsPart() {
        bench.right().setUp(false);
        AuxiliaryDevice part = ethernet();
        part.lend(PortClaims.class).claim(2, "test");
        EthernetSession session = part.lend(EthernetSession.class);
        MemoryBorrower memory = part.lend(MemoryBorrower.class);
        DmaPiece piece = memory.whole().allocate(2 * 128 * RawPort.SLOT);
        new RawPort(session, 1, piece, 128, 96, 1);
        assertThat(session.client().open())
                .isEqualTo(Map.of("protection domains", 1, "memory keys", 1, "doorbell pages", 1, "event queues", 1,
                        "send queues", 1, "receive queues", 1));
        Map<String, Long> with = bench.adapter.adapter().usage();
        AuxiliaryDevice next = afterReset(part, Adapter.ResetKind.RESET);
        assertThat(session.client().open()).isEmpty();
        assertThatThrownBy(() -> memory.whole().allocate(4096)).isInstanceOf(Refusal.class);
        assertThat(memory.whole().pagesInUse()).as("the piece is still out").isEqualTo((int) (piece.bytes() / 4096));
        memory.whole().free(piece);
        Map<String, Long> without = bench.adapter.adapter().usage();
        for (String kind : List.of("protection_domains", "memory_regions", "doorbell_pages", "event_queues",
                "send_queues", "receive_queues")) {
            assertThat(without.get(kind)).as(kind).isLessThan(with.get(kind));
        }
        bench.right().setUp(true);
        try (Pulse left = new Pulse(bench.left(), bench.right());
                Pulse right = new Pulse(bench.right(), bench.left())) {
            left.flows("after the driver of the part was cut off");
            right.flows("after the driver of the part was cut off");
        }
        assertThat(next.lend(MemoryBorrower.class)).isNotSameAs(memory);
    }

    @Test
    void claimsThatADriverLeavesBehindEndWithItsPart() {
        bench.left().setUp(false);
        AuxiliaryDevice part = ethernet();
        part.lend(PortClaims.class).claim(1, "test");
        assertRefused(Errno.EBUSY, () -> bench.left().setUp(true));
        AuxiliaryDevice next = afterReset(part, Adapter.ResetKind.RESET);
        next.lend(PortClaims.class).claim(1, "test again");
        afterReset(next, Adapter.ResetKind.RESET);
        bench.left().setUp(true);
        assertThat(bench.left().isUp()).isTrue();
    }

    @Test
    void aClassOfAnotherVersionIsNamedAsWhatItIs() throws Exception {
        Class<?> other = new ClassLoader(PartsTest.class.getClassLoader()) {
            Class<?> again(Class<?> type) throws IOException {
                try (InputStream in = type.getResourceAsStream(type.getSimpleName() + ".class")) {
                    byte[] bytes = in.readAllBytes();
                    return defineClass(type.getName(), bytes, 0, bytes.length);
                }
            }
        }.again(NetDevices.class);
        AuxiliaryDevice part = ethernet();
        assertThatThrownBy(() -> part.lend(other)).isInstanceOf(Refusal.class)
                .hasMessageContaining("mana.eth.0 lends a NetDevices of").hasMessageContaining("asks for that of")
                .hasMessageContaining("import the package io.manafold.api.net from one bundle");
    }
}
