package io.manafold.gdma.driver;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.Command;
import io.manafold.gdma.DeviceId;
import io.manafold.gdma.EventEntry;
import io.manafold.gdma.SendCompletion;
import io.manafold.gdma.SendRequest;
import io.manafold.gdma.SharedMemory;
import io.manafold.gdma.Status;
import io.manafold.gdma.WorkRequest;
import io.manafold.gdma.message.QueryLinkConfig;
import io.manafold.gdma.message.QueryVportConfig;
import io.manafold.memory.DmaArena;
import io.manafold.memory.DmaPiece;
import io.manafold.memory.RawMemory;
import io.manafold.testkit.PortSession;
import io.manafold.testkit.PortSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;


@Timeout(300)
class DriverTest {
    private static final ChannelLimits QUICK = new ChannelLimits(Duration.ofSeconds(1), Duration.ofSeconds(20),
            Duration.ofSeconds(20), Duration.ofSeconds(30), 32);

    private final FakeFunction function = new FakeFunction();
    private final DmaArena memory = new DmaArena(function.dma(), "driver", 1L << 32, 16 << 20);
    private final List<String> events = new CopyOnWriteArrayList<>();
    private final List<byte[]> received = new ArrayList<>();

    @AfterEach
    void everythingIsGivenBack() {
        assertThat(memory.pagesInUse()).isZero();
        memory.close();
        assertThat(function.table.ranges()).isZero();
        function.table.close();
    }

    private EthernetSession session() {
        return EthernetSession.open(function, memory, QUICK, (type, data) -> events.add(type + ":" + data));
    }

    private PortSession port(EthernetSession session, PortSettings settings) {
        return new PortSession(session, 0, settings, (pointer, length, flags, hash) -> {
            byte[] frame = new byte[length];
            RawMemory.copy(pointer, frame, 0, length);
            received.add(frame);
        });
    }

    @Test
    void probesInTheOrderOfTheLinuxDriver() {
        try (EthernetSession session = session()) {
            assertThat(session.vports()).hasSize(1);
            assertThat(session.vports().getFirst().mac()).isEqualTo(FakeCommands.MAC);
            assertThat(session.client().device()).isEqualTo(new DeviceId(2, 7));
            assertThat(session.function().channel().timeoutMillis()).isEqualTo(5000);
            assertThat(session.function().channel().depth()).isEqualTo(4);
            assertThat(session.config().frame()).isEqualTo(9014);
        }
        assertThat(function.seen).containsExactly(Command.GENERATE_TEST_EVENT, Command.VERIFY_VERSION,
                Command.QUERY_CHANNEL_TIMEOUT, Command.LIST_DEVICES, Command.QUERY_MAX_RESOURCES,
                Command.QUERY_DEVICE_CONFIG, Command.REGISTER_DEVICE, Command.QUERY_DEVICE_CONFIG,
                Command.QUERY_VPORT_CONFIG, Command.DEREGISTER_DEVICE);
        assertThat(function.resets).isZero();
    }

    @Test
    void framesGoOutAndComeBack() {
        try (EthernetSession session = session(); PortSession port = port(session, PortSettings.small(2))) {
            byte[] frame = new byte[1514];
            int sent = 0;
            for (int i = 0; i < 3000; i++) {
                frame[14] = (byte) i;
                frame[15] = (byte) (i >>> 8);
                int length = 60 + i % 1455;
                while (!port.send(i & 1).send(frame, length)) {
                    port.poll();
                }
                sent++;
                if (i % 7 == 0) {
                    port.send(0).ring();
                    port.send(1).ring();
                    port.poll();
                }
            }
            port.send(0).ring();
            port.send(1).ring();
            await(port, 3000);
            assertThat(port.send(0).sent() + port.send(1).sent()).isEqualTo(sent);
            assertThat(port.receive(0).packets() + port.receive(1).packets()).isEqualTo(sent);
            assertThat(port.receive(1).packets()).as("the odd ones").isEqualTo(sent / 2);
            assertThat(received.stream().mapToInt(one -> one.length).max()).hasValue(1514);
            assertThat(port.completionEvents()).isPositive();
            assertThat(function.commands().lastSend[5]).isEqualTo(SendRequest.wide(FakeCommands.VPORT_OFFSET));
        }
        assertThat(function.seen.subList(function.seen.size() - 5, function.seen.size())).containsExactly(
                Command.GENERATE_TEST_EVENT, Command.DISABLE_QUEUE, Command.GENERATE_TEST_EVENT,
                Command.DISABLE_QUEUE, Command.DEREGISTER_DEVICE);
    }

    private void await(PortSession port, int packets) {
        while (received.size() < packets || port.send(0).outstanding() > 0) {
            if (port.poll() == 0) {
                assertThat(port.await(60_000)).as("an interrupt").isTrue();
            }
        }
    }

    @Test
    void segmentsTagsAndChecksumsAreAskedFor() {
        try (EthernetSession session = session();
                PortSession port = port(session, PortSettings.small(1).withMtu(9000))) {
            assertThat(port.send(0).send(new byte[5066], 5066, SendRequest.IPV4 | SendRequest.IP_CHECKSUM
                    | SendRequest.TCP_CHECKSUM, 34, 0x6064, 66, 1448)).isTrue();
            port.send(0).ring();
            await(port, 1);
            assertThat(received.getFirst()).hasSize(5066);
            int[] words = function.commands().lastSend;
            assertThat(WorkRequest.headerBytes(words[0])).isEqualTo(66);
            assertThat(WorkRequest.pieces(words[1])).isEqualTo(2);
            assertThat(WorkRequest.segment(words[1])).isEqualTo(1448);
            assertThat(words[2] & 0xff).isEqualTo(0x35);
            assertThat(SendRequest.tagOf(words[4])).isEqualTo(0x6064);
        }
    }

    @Test
    void longFramesAndBadSendsAreCounted() {
        try (EthernetSession session = session(); PortSession port = port(session, PortSettings.small(1))) {
            port.send(0).send(new byte[1515], 1515);
            port.send(0).send(new byte[13], 13);
            port.send(0).send(new byte[60], 60);
            port.send(0).ring();
            await(port, 1);
            assertThat(port.receive(0).truncated()).isEqualTo(1);
            assertThat(port.send(0).failed()).isEqualTo(1);
            assertThat(port.send(0).lastFailure()).isEqualTo(SendCompletion.HEADERS);
        }
    }

    @Test
    void oneCompletionMayStandForSeveralPackets() {
        try (EthernetSession session = session();
                PortSession port = port(session, PortSettings.small(1).withFrames(4))) {
            function.commands().coalesce = true;
            for (int i = 0; i < 200; i++) {
                port.send(0).send(new byte[64], 64);
                port.send(0).ring();
                await(port, 3 * (i + 1));
            }
            assertThat(port.receive(0).coalesced()).isEqualTo(200);
            assertThat(port.receive(0).packets()).isEqualTo(600);
        }
    }

    @Test
    void requestsOverlapAndAnswersFindTheirWay() throws Exception {
        try (EthernetSession session = session()) {
            function.held.add(Command.QUERY_VPORT_CONFIG);
            List<CompletableFuture<QueryVportConfig.Result>> asked = new ArrayList<>();
            for (int i = 0; i < 9; i++) {
                asked.add(CompletableFuture.supplyAsync(() -> session.call(new QueryVportConfig(0)),
                        Thread::startVirtualThread));
            }
            int answered = 0;
            while (answered < 9) {
                int expected = Math.min(4, 9 - answered);
                until(() -> function.heldBack() == expected);
                answered += function.answerHeld();
            }
            for (CompletableFuture<QueryVportConfig.Result> one : asked) {
                assertThat(one.get(60, TimeUnit.SECONDS).vport()).isEqualTo(0x900);
            }
            assertThat(session.function().channel().strays()).isZero();
            function.held.clear();
        }
    }

    @Test
    void lateAnswersAreNobodysAndTheirSlotComesBack() {
        function.depth = 1;
        try (EthernetSession session = session()) {
            session.function().channel().setTimeout(30);
            function.held.add(Command.QUERY_VPORT_CONFIG);
            assertRefused(Errno.ETIMEDOUT, () -> session.call(new QueryVportConfig(0)));
            assertRefused(Errno.ETIMEDOUT, () -> session.call(new QueryLinkConfig(0)));
            function.held.clear();
            session.function().channel().setTimeout(20_000);
            function.answerHeld();
            assertThat(session.call(new QueryVportConfig(0)).vport()).isEqualTo(0x900);
            assertThat(session.function().channel().strays()).isEqualTo(1);
        }
    }

    @Test
    void refusalsOfTheDeviceHaveTheErrnoOfTheRealDriver() {
        try (EthernetSession session = session()) {
            function.commands().refused = Command.QUERY_LINK_CONFIG;
            function.commands().refuse = Status.UNSUPPORTED;
            assertRefused(Errno.EOPNOTSUPP, () -> session.call(new QueryLinkConfig(1)));
            function.commands().refuse = Status.NOT_FOUND;
            assertThatThrownBy(() -> session.call(new QueryLinkConfig(1))).isInstanceOfSatisfying(CommandRefused.class,
                    refused -> {
                        assertThat(refused.errno()).isEqualTo(Errno.EPROTO);
                        assertThat(refused.status()).isEqualTo(Status.NOT_FOUND);
                        assertThat(refused).hasMessageContaining("query-link-config").hasMessageContaining("not-found");
                    });
            function.commands().refuse = Status.SUCCESS;
            function.commands().wrongActivity = true;
            assertRefused(Errno.EPROTO, () -> session.call(new QueryLinkConfig(1)));
            function.commands().wrongActivity = false;
        }
    }

    @Test
    void whatFailsWhileOpeningIsUndone() {
        try (EthernetSession session = session()) {
            function.commands().refuse = Status.NO_RESOURCES;
            for (Command command : List.of(Command.CREATE_DMA_REGION, Command.CREATE_QUEUE, Command.CREATE_WQ_OBJECT,
                    Command.CONFIGURE_VPORT_RX, Command.CONFIGURE_VPORT_TX)) {
                int before = memory.pagesInUse();
                function.commands().refused = command;
                assertRefused(Errno.EPROTO, () -> port(session, PortSettings.small(2)));
                assertThat(memory.pagesInUse()).as(command.label()).isEqualTo(before);
                assertThat(function.commands().objects).as(command.label()).isEmpty();
                assertThat(function.commands().events).as(command.label()).isEmpty();
            }
            function.commands().refused = null;
            port(session, PortSettings.small(2)).close();
        }
    }

    @Test
    void memoryThatRunsOutIsTheOnlyThingThatIsMissing() {
        for (int pages = 1; pages < 260; pages += 11) {
            try (DmaArena little = new DmaArena(function.dma(), "little", 1L << 40, pages * 4096)) {
                try (EthernetSession session = EthernetSession.open(function, little, QUICK, (type, data) -> { })) {
                    port(session, PortSettings.small(2)).close();
                    assertThat(pages).as("enough").isGreaterThan(100);
                } catch (Refusal refusal) {
                    assertThat(refusal.errno()).as(refusal.getMessage()).isEqualTo(Errno.ENOMEM);
                }
                assertThat(little.pagesInUse()).as("of %d pages", pages).isZero();
            }
        }
    }

    @Test
    void portsMayShareVectors() {
        try (EthernetSession session = session(); PortSession first = port(session, PortSettings.small(3));
                PortSession second = port(session, PortSettings.small(1))) {
            for (PortSession port : List.of(first, second)) {
                port.steer(true);
                port.send(0).send(new byte[60], 60);
                port.send(0).ring();
                while (port.send(0).outstanding() > 0) {
                    if (port.poll() == 0) {
                        assertThat(port.await(60_000)).isTrue();
                    }
                }
            }
        }
    }

    @Test
    void longPageListsTakeSeveralMessages() {
        try (EthernetSession session = session()) {
            DmaPiece piece = memory.allocate(1100 * 4096);
            long region = session.function().createRegion(piece, piece.bytes());
            assertThat(function.commands().regions.get(region)).hasSize(1100)
                    .startsWith(piece.dma(), piece.dma() + 4096);
            assertThat(function.seen).contains(Command.ADD_DMA_REGION_PAGES);
            memory.free(piece);
        }
    }

    @Test
    void eventsReachTheListener() {
        try (EthernetSession session = session()) {
            function.post(EventEntry.RESET_REQUEST, 0);
            function.post(EventEntry.SOC_DATA, EventEntry.typed(EventEntry.SOC_TIMEOUT, 1234));
            for (int i = 0; i < 300; i++) {
                function.post(EventEntry.SOC_DATA, EventEntry.typed(EventEntry.SOC_LINK_DOWN, 0));
                int expected = i + 3;
                until(() -> events.size() == expected);
            }
            assertThat(events).startsWith("135:0", "133:" + EventEntry.typed(1, 1234));
            assertThat(session.function().channel().timeoutMillis()).isEqualTo(1234);
            // four hours and a half are not believed
            function.post(EventEntry.SOC_DATA, EventEntry.typed(EventEntry.SOC_TIMEOUT, 0xff_ffff));
            until(() -> events.size() == 303);
            assertThat(session.function().channel().timeoutMillis()).isEqualTo(30_000);
        }
    }

    @Test
    void aDeviceThatDoesNotSetUpItsChannelIsRefused() {
        function.doorbellFirst = false;
        assertRefused(Errno.EPROTO, this::session);
        function.doorbellFirst = true;
        function.completionQueues = 1;
        assertRefused(Errno.EPROTO, this::session);
        function.completionQueues = 1024;
        function.establishAnswer = SharedMemory.response(SharedMemory.ESTABLISH, SharedMemory.STATUS_FAILED);
        assertRefused(Errno.EPROTO, this::session);
        function.deaf = true;
        assertRefused(Errno.ETIMEDOUT, this::session);
        assertThat(function.resets).as("what does not answer is reset").isEqualTo(1);
    }

    @Test
    void whoWaitsWhenTheChannelClosesIsRefused() {
        EthernetSession session = session();
        function.held.add(Command.QUERY_VPORT_CONFIG);
        CompletableFuture<Errno> refused = CompletableFuture.supplyAsync(() -> {
            try {
                session.call(new QueryVportConfig(0));
                return null;
            } catch (Refusal refusal) {
                return refusal.errno();
            }
        }, Thread::startVirtualThread);
        until(() -> function.heldBack() > 0);
        session.close();
        assertThat(refused.join()).isEqualTo(Errno.ENODEV);
        assertRefused(Errno.ENODEV, () -> session.call(new QueryVportConfig(0)));
    }

    private static void until(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            LockSupport.parkNanos(20_000);
        }
    }

    private static void assertRefused(Errno errno, Runnable action) {
        assertThatThrownBy(action::run).isInstanceOfSatisfying(Refusal.class,
                refusal -> assertThat(refusal.errno()).as(refusal.getMessage()).isEqualTo(errno));
    }
}
