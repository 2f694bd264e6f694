package io.manafold.adapter.internal.ethernet;

import io.manafold.api.fabric.Frames;
import io.manafold.memory.RawMemory;
import io.manafold.packet.FrameBurst;
import io.manafold.packet.PauseFrame;
import java.lang.foreign.Arena;

/** Pause frames for a port, as its link writes them. */
public final class ToldPauses {
    /** A rate at which the longest pause lasts more than an hour. */
    public static final long SLOW = 8192;

    private ToldPauses() {
    }

    /**
     * Asks a port for a pause of some classes, as long as there is, and lets others go on, a bit each.
     *
     * @param rate of the link, bit/s, by which the length of the pause counts
     */
    public static void tell(EthernetPort port, int stop, int go, long rate) {
        try (Arena arena = Arena.ofConfined()) {
            long at = arena.allocate(PauseFrame.LENGTH, 8).address();
            byte[] bytes = new byte[PauseFrame.LENGTH];
            PauseFrame.write(bytes, 0, 0x024d_4600_0001L, stop, go);
            RawMemory.copy(bytes, 0, at, bytes.length);
            FrameBurst burst = new FrameBurst(1, 1);
            burst.addWhole(Frames.PAUSE, at, bytes.length);
            port.pauses().take(burst, 0, rate, port.now());
        }
    }
}
