package io.manafold.testpmd.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.testpmd.TestPmdRun;
import io.manafold.memory.PacketPool;
import io.manafold.memory.PacketPools;
import io.manafold.memory.SharedBlocks;
import io.manafold.testkit.Blocks;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;

/** A program over ports that are arrays; no memory is left at the end of a test. */
abstract class LoopProgram {
    final SharedBlocks memory = Blocks.source();
    LoopEnvironment environment = new LoopEnvironment(2, 3, 256);

    final Program program() {
        Program program = new Program(new PacketPools(memory));
        program.addDriver(environment);
        return program;
    }

    final TestPmdRun start(String line) {
        return program().start(List.of(line.split(" ")));
    }

    static void forwardUntilFull(TestPmdRun run, LoopPort.Cable cable) {
        run.line("start");
        while (cable.size() < 256) {
            Thread.onSpinWait();
        }
    }

    /** That of the run. */
    static PacketPool pool() {
        return IntStream.range(0, PacketPool.MOST_POOLS).mapToObj(PacketPool::numbered)
                .filter(one -> one != null && one.name().equals("mb_pool_0")).findFirst().orElseThrow();
    }

    /** Has a port receive packets, and answers them. */
    static int[] receive(LoopPort port, int count) {
        return receive(port, count, 0);
    }

    /** @param flags that the port has found out about them */
    static int[] receive(LoopPort port, int count, int flags) {
        int[] packets = new int[count];
        assertThat(pool().take(packets, 0, count)).isTrue();
        for (int packet : packets) {
            pool().first(packet, PacketPool.first(PacketPool.HEADROOM, 64, flags));
        }
        long before = port.statistics().received();
        port.in[0].put(packets, 0, count);
        while (port.statistics().received() < before + count) {
            Thread.onSpinWait();
        }
        return packets;
    }

    @AfterEach
    void nothingIsLeft() {
        assertThat(memory.blocks()).isEmpty();
    }
}
