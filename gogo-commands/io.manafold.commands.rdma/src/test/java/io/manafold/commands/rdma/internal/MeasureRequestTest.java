package io.manafold.commands.rdma.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a stranger asks to measure is what this end could have asked for, or is refused. */
class MeasureRequestTest {
    private static final RemoteMemory MEMORY = new RemoteMemory(0x1000, 7);

    private static byte[] asked(boolean latency, boolean both, int iterations, int seconds, int program) {
        return new MeasureRequest(new MeasurePlan(Operation.SEND, latency, 64, false, iterations, seconds, 1, 1, 1,
                both, 0, 0, true, 1, 1, false), 0, MEMORY).encode(program);
    }

    @ParameterizedTest
    @CsvSource({"true, false, 5, 0", "true, false, 0, 1", "false, true, 5, 0", "false, false, 0, 1"})
    void whatCanBeMeasuredIsRead(boolean latency, boolean both, int iterations, int seconds) {
        MeasureRequest read = MeasureRequest.decode(asked(latency, both, iterations, seconds, MeasureRequest.MEASURES),
                MeasureRequest.MEASURES);
        assertThat(read.plan().iterations()).isEqualTo(iterations);
        assertThat(read.plan().latency()).isEqualTo(latency);
        assertThat(read.plan().both()).isEqualTo(both);
    }

    @ParameterizedTest
    @CsvSource({"true, true, 5, 0", "true, true, 0, 1", "true, false, 1, 0", "true, false, 4, 0", "false, false, 4, 0"})
    void whatCannotIsRefused(boolean latency, boolean both, int iterations, int seconds) {
        assertThatThrownBy(() -> MeasureRequest.decode(asked(latency, both, iterations, seconds,
                MeasureRequest.MEASURES), MeasureRequest.MEASURES)).isInstanceOfSatisfying(Refusal.class,
                refusal -> assertThat(refusal.errno()).isEqualTo(Errno.EPROTO));
    }

    @ParameterizedTest
    @CsvSource({"1", "4"})
    void messagesThatGoThereAndBackMayBeFewer(int iterations) {
        assertThat(MeasureRequest.decode(asked(true, false, iterations, 0, MeasureRequest.PINGPONG),
                MeasureRequest.PINGPONG).plan().iterations()).isEqualTo(iterations);
    }
}
