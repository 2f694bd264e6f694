package io.manafold.adapter.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.fabric.internal.TestSwitch;
import io.manafold.gdma.driver.ChannelLimits;
import io.manafold.gdma.driver.EthernetSession;
import io.manafold.memory.DmaArena;
import io.manafold.memory.DmaBlock;
import io.manafold.memory.RawMemory;
import io.manafold.testkit.PortSession;
import io.manafold.testkit.PortSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Resets in the middle of traffic, memory that is lent for a while, and what is left behind: nothing. */
class LifeTest {
    @Test
    void aResetUnderLoadStopsAllAccess() {
        AtomicLong received = new AtomicLong();
        try (TestSwitch net = new TestSwitch("load/1", "load/2"); Bench bench = new Bench("load", "ports", 2)) {
            bench.plug(net.link(), "load/1", "load/2");
            for (int round = 0; round < 10; round++) {
                DmaArena memory = bench.memory(16);
                EthernetSession session = EthernetSession.open(bench.function, memory, ChannelLimits.USUAL,
                        (type, data) -> { });
                PortSession left = new PortSession(session, 0, PortSettings.small(2), (at, n, flags, hash) -> { });
                PortSession right = new PortSession(session, 1, PortSettings.small(2),
                        (at, length, flags, hash) -> received.incrementAndGet());
                byte[] frame = DriverTest.frame(right.mac().value(), left.mac().value(), 1000);
                long before = received.get();
                while (received.get() < before + 200) {
                    for (int i = 0; i < 2; i++) {
                        left.send(i).send(frame, frame.length);
                        left.send(i).ring();
                    }
                    left.poll();
                    right.poll();
                }
                for (int i = 0; i < 100 && left.send(0).send(frame, frame.length); i++) {
                    left.send(0).ring();
                }
                bench.function.reset();
                // the adapter does not answer any more, and the driver's end need not wait for that
                session.function().channel().setTimeout(200);
                assertThat(bench.adapter.state()).isEqualTo("idle");
                assertThat(bench.adapter.ports()).allSatisfy(port -> assertThat(port.open()).isFalse());
                assertUntouched(bench, memory);
                session.function().channel().close();
                memory.close();
            }
        }
    }

    /** What lies in the driver's memory after a reset stays as the driver writes it. */
    private static void assertUntouched(Bench bench, DmaArena memory) {
        long first = bench.function.hardware().memory().pointer(Bench.BASE, 4096, true);
        int bytes = memory.pagesInUse() * 4096;
        for (int at = 0; at < bytes; at += 64) {
            RawMemory.put64(first + at, 0x5a5a5a5a5a5a5a5aL);
        }
        for (int i = 0; i < 50; i++) {
            bench.function.control().await(() -> { });
        }
        for (int at = 0; at < bytes; at += 64) {
            if (RawMemory.get64(first + at) != 0x5a5a5a5a5a5a5a5aL) {
                throw new AssertionError("byte " + at + " was written after the reset");
            }
        }
    }

    @Test
    void nothingIsLeftBehind() throws IOException {
        round();
        long descriptors = count(Path.of("/proc/self/fd"));
        long mappings = mappings();
        long threads = threads();
        for (int i = 0; i < 20; i++) {
            round();
        }
        assertThat(count(Path.of("/proc/self/fd"))).isLessThanOrEqualTo(descriptors + 2);
        assertThat(mappings()).isLessThanOrEqualTo(mappings);
        assertThat(threads()).isLessThanOrEqualTo(threads);
    }

    private static void round() {
        try (TestSwitch net = new TestSwitch("tidy/1", "tidy/8"); Bench bench = new Bench("tidy", "ports", 8);
                DmaArena memory = bench.memory(32)) {
            bench.plug(net.link(), "tidy/1", "tidy/8");
            EthernetSession session = bench.session(memory);
            PortSession port = new PortSession(session, 7, PortSettings.small(4), (at, length, flags, hash) -> { });
            port.close();
            session.close();
        }
    }

    private static long count(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.count();
        }
    }

    private static long mappings() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
            return lines.filter(line -> line.contains("memfd:")).count();
        }
    }

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream().filter(thread -> thread.getName().contains("tidy")
                || thread.getName().equals("manafold-link-net")).count();
    }

    @Test
    void aRevokedFunctionReadsAllOnes() {
        try (Bench bench = new Bench("revoked"); DmaBlock block = new DmaBlock("revoked", 1 << 16)) {
            bench.function.dma().map(Bench.BASE, block.size(), block.fd(), 0, true);
            bench.function.setGone(true);
            assertThat(bench.function.dma().ranges()).isZero();
            assertThat(bench.function.readConfig(0, 2)).isEqualTo(0xffff);
            assertThat(bench.function.readConfig(0, 4)).isEqualTo(-1);
            assertThat(bench.function.bars().get(0).read64(8)).isEqualTo(-1);
            bench.function.bars().get(0).write32(0x41c, 1);
            bench.function.setGone(false);
            assertThat(bench.function.readConfig(0, 2)).isEqualTo(0x1414);
            try (DmaArena memory = bench.memory(2); EthernetSession session = bench.session(memory)) {
                assertThat(session.vports()).hasSize(1);
            }
        }
    }
}
