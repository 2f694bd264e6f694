package io.manafold.vfio.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.adapter.internal.TestAdapter;
import io.manafold.api.refusal.Refusal;
import io.manafold.fabric.internal.TestSwitch;
import io.manafold.gdma.driver.ChannelLimits;
import io.manafold.gdma.driver.EthernetSession;
import io.manafold.gdma.message.QueryVportConfig;
import io.manafold.memory.DmaArena;
import io.manafold.memory.DmaPiece;
import io.manafold.memory.RawMemory;
import io.manafold.testkit.PortSession;
import io.manafold.testkit.PortSettings;
import io.manafold.testkit.RawExchange;
import io.manafold.testkit.RawPort;
import io.manafold.vfio.internal.borrow.BorrowedFunction;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The driver's side of the contract drives the adapter over a socket as it does without one. */
@Timeout(300)
class BorrowedAdapterTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final ChannelLimits LIMITS = new ChannelLimits(LONG, LONG, LONG, LONG, 32);

    @TempDir
    Path folder;

    /** Ends after what is plugged into it. */
    private final TestSwitch net = new TestSwitch("lent/1", "lent/2");
    private TestAdapter adapter;
    private ClientAcceptor reception;
    private BorrowedFunction borrowed;

    @BeforeEach
    void lend() throws IOException {
        Path path = folder.resolve("lent.sock");
        adapter = new TestAdapter("lent", "ports", 2, "queues", 4);
        reception = new ClientAcceptor("lent", adapter.function(), Server.MOST_BYTES, ListenSocket.open(path));
        reception.open();
        borrowed = BorrowedFunction.borrow("lent", BorrowTest.PLACE, path, LONG, () -> { });
    }

    @AfterEach
    void takeBack() {
        borrowed.close();
        reception.end(false);
        adapter.close();
        net.close();
    }

    private DmaArena memory() {
        return new DmaArena(borrowed.dma(), "borrower", 0x1_0000_0000L, 32 << 20);
    }

    private EthernetSession session(DmaArena memory) {
        return EthernetSession.open(borrowed, memory, LIMITS, (type, data) -> { });
    }

    @Test
    void itComesUpAndGoesAndComesUpAgain() {
        try (DmaArena memory = memory()) {
            for (int round = 0; round < 3; round++) {
                try (EthernetSession session = session(memory)) {
                    assertThat(session.vports()).hasSize(2);
                    assertThat(session.call(new QueryVportConfig(1)).sendQueues()).isEqualTo(4);
                }
                assertThat(memory.pagesInUse()).isZero();
            }
        }
        assertThat(adapter.function().dma().ranges()).isZero();
        assertThat(adapter.adapter().rejections()).isEmpty();
    }

    @Test
    void framesPassBetweenItsPorts() {
        try (DmaArena memory = memory()) {
            adapter.plug(net.link(), "lent/1", "lent/2");
            List<byte[]> received = new ArrayList<>();
            try (EthernetSession session = session(memory);
                    PortSession left = new PortSession(session, 0, PortSettings.small(2), (at, n, flags, hash) -> { });
                    PortSession right = new PortSession(session, 1, PortSettings.small(2),
                            (at, length, flags, hash) -> {
                                byte[] frame = new byte[length];
                                RawMemory.copy(at, frame, 0, length);
                                received.add(frame);
                            })) {
                byte[] frame = frame(right.mac().value(), left.mac().value(), 300);
                for (int i = 0; i < 100; i++) {
                    assertThat(left.send(i % 2).send(frame, frame.length)).isTrue();
                    left.send(i % 2).ring();
                }
                long deadline = System.nanoTime() + LONG.toNanos();
                while (received.size() < 100 && System.nanoTime() < deadline) {
                    left.poll();
                    if (right.poll() == 0) {
                        right.await(50);
                    }
                }
                assertThat(received).hasSize(100).allSatisfy(one -> assertThat(one).isEqualTo(frame));
            }
            assertThat(memory.pagesInUse()).isZero();
        }
        assertThat(adapter.adapter().rejections()).isEmpty();
    }

    @Test
    void queuesKeysAndPagesOfItsOwnWorkOverTheSocket() {
        try (DmaArena memory = memory()) {
            adapter.plug(net.link(), "lent/1", "lent/2");
            DmaPiece first = memory.allocate(2 * 128 * RawPort.SLOT);
            DmaPiece second = memory.allocate(2 * 128 * RawPort.SLOT);
            try (EthernetSession session = session(memory);
                    RawPort left = new RawPort(session, 0, first, 128, 96, 1);
                    RawPort right = new RawPort(session, 1, second, 128, 96, 2)) {
                new RawExchange(left, right).frames(20_000);
            }
            memory.free(first);
            memory.free(second);
            assertThat(memory.pagesInUse()).isZero();
        }
        assertThat(adapter.adapter().rejections()).isEmpty();
    }

    @Test
    void aDriverWhoseAdapterLeavesIsToldAtOnce() {
        try (DmaArena memory = memory(); EthernetSession session = session(memory)) {
            session.function().channel().setTimeout(TimeUnit.SECONDS.toMillis(1));
            reception.end(false);
            assertThatThrownBy(() -> session.call(new QueryVportConfig(0))).isInstanceOf(Refusal.class);
            assertThat(borrowed.readConfig(0, 2)).isEqualTo(0xffff);
        }
    }

    private static byte[] frame(long destination, long source, int length) {
        byte[] frame = new byte[length];
        for (int i = 0; i < 6; i++) {
            frame[i] = (byte) (destination >> 40 - 8 * i);
            frame[6 + i] = (byte) (source >> 40 - 8 * i);
        }
        for (int i = 14; i < length; i++) {
            frame[i] = (byte) i;
        }
        frame[12] = (byte) 0x88;
        frame[13] = (byte) 0xb5;
        return frame;
    }
}
