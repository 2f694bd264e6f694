package io.manafold.testpmd.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.testpmd.TestPmdRun;
import io.manafold.memory.PacketPools;
import io.manafold.memory.SharedBlocks;
import io.manafold.testkit.Blocks;
import java.util.List;
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

    @AfterEach
    void nothingIsLeft() {
        assertThat(memory.blocks()).isEmpty();
    }
}
