package io.manafold.lent;

import io.manafold.gdma.DeviceId;
import io.manafold.gdma.driver.ChannelLimits;
import io.manafold.gdma.driver.CommandRefused;
import io.manafold.gdma.driver.EthernetSession;
import io.manafold.gdma.message.CreateDmaRegion;
import io.manafold.gdma.message.CreateMr;
import io.manafold.gdma.message.CreatePd;
import io.manafold.linux.Memfd;
import io.manafold.memory.DmaArena;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;

/** A guest that takes all that it can get, and keeps it. */
final class Greedy implements AutoCloseable {
    private static final long ARENA = 0x1_0000_0000L;
    private static final long MAPS = 0x100_0000_0000L;
    private static final int PAGE = 4096;
    private static final int SUCCESS = 0;

    private final Borrowed function;
    private final DmaArena memory;
    private final EthernetSession session;

    Greedy(Path socket) throws IOException {
        function = new Borrowed(socket);
        memory = new DmaArena(function.dma(), "greedy", ARENA, 16 << 20);
        session = EthernetSession.open(function, memory, ChannelLimits.USUAL, (type, data) -> { });
    }

    void takeEverything() throws IOException {
        long[] pages = new long[CreateDmaRegion.MAX_PAGES];
        Arrays.setAll(pages, i -> ARENA + (long) i * PAGE);
        int status = SUCCESS;
        while (status == SUCCESS) {
            status = session.function().channel().exchange(DeviceId.NONE,
                    new CreateDmaRegion((long) pages.length * PAGE, 0, 0, pages.length, pages)).status();
        }
        long domain = session.function().channel().call(DeviceId.NONE, new CreatePd(1)).handle();
        untilRefused(i -> session.function().channel().call(DeviceId.NONE,
                new CreateMr(domain, CreateMr.PHYSICAL, 0, 0, CreateMr.LOCAL_WRITE, 0)));
        try (Memfd sparse = Memfd.create("sparse", 1L << 46)) {
            untilRefused(i -> map(1L << 47, 1L << 46, sparse));
            untilRefused(i -> map((1L << 47) + ((long) i << 38), 1L << 38, sparse));
            untilRefused(i -> map(MAPS + i * 2L * PAGE, PAGE, sparse));
        }
    }

    private void map(long address, long length, Memfd file) {
        function.wire().answer(Wire.DMA_MAP, Wire.body(32).putInt(0, 32).putInt(4, 3).putLong(16, address)
                .putLong(24, length), file.descriptor().number());
    }

    private interface Step {
        void take(int number);
    }

    private static void untilRefused(Step step) {
        for (int i = 0;; i++) {
            try {
                step.take(i);
            } catch (CommandRefused | Wire.RefusedByServer enough) {
                return;
            }
        }
    }

    /** Leaves as a machine does whose power is cut. */
    @Override
    public void close() {
        function.close();
    }
}
