package io.manafold.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Has ours and a rival take turns in short slices. */
final class Pairs {
    /** How often as many pairs as wanted are tried, while some have to be dropped. */
    private static final int TRIES = 3;

    private final CoreToCore coreToCore;
    private final int wanted;
    private final long millis;

    /** What is ours: it works for a while, and then says what that came to. */
    interface Ours {
        void run(long nanos, boolean oneThread) throws InterruptedException;

        long packets();

        long wallNanos();

        long cpuNanos();

        /** All threads that move packets. */
        long[] threads(boolean oneThread);

        /** What those have allocated until now. */
        default long allocated(boolean oneThread) {
            return Clock.allocated(threads(oneThread));
        }
    }

    Pairs(CoreToCore coreToCore, int wanted, long millis) {
        this.coreToCore = coreToCore;
        this.wanted = wanted;
        this.millis = millis;
    }

    /** The first two processors that this process may use; they may be the same one. */
    static int[] cores() throws IOException {
        String allowed = Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("Cpus_allowed_list:")).findFirst().orElseThrow();
        List<Integer> all = new ArrayList<>();
        for (String range : allowed.substring(allowed.indexOf(':') + 1).strip().split(",")) {
            String[] ends = range.split("-");
            for (int i = Integer.parseInt(ends[0]); i <= Integer.parseInt(ends[ends.length - 1]); i++) {
                all.add(i);
            }
        }
        return new int[] {all.getFirst(), all.get(Math.min(1, all.size() - 1))};
    }

    void measure(Figures<?> line, boolean oneThread, Ours ours) throws Exception {
        if (line.rival.peer() != null) {
            line.rival.peer().slice(millis);
        }
        for (int i = 0; i < TRIES * wanted && line.pairs() < wanted; i++) {
            pair(line, oneThread, ours);
        }
    }

    private void pair(Figures<?> line, boolean one, Ours ours) throws Exception {
        double before = one ? Double.NaN : coreToCore.nanos();
        long allocated = ours.allocated(one);
        ours.run(millis * 1_000_000, one);
        line.allocated((ours.allocated(one) - allocated) / (double) ours.packets());
        // others on the machine take time away, but not what the thread itself used
        Peer peer = line.rival.peer();
        boolean byTheClock = !one || peer != null && peer.isByTheClock();
        double nanos = (byTheClock ? ours.wallNanos() : ours.cpuNanos()) / (double) ours.packets();
        long packets = ours.packets();
        long wallNanos = ours.wallNanos();
        double rival = peer == null ? Double.NaN : peer.slice(millis);
        if (peer != null && Double.isNaN(rival)) {
            line.drop();
            return;
        }
        if (!one) {
            double after = coreToCore.nanos();
            line.trip(before, after);
            if (!CoreToCore.stoodStill(before, after)) {
                line.drop();
                return;
            }
        }
        line.add(packets * 1e9 / wallNanos, nanos, rival);
    }
}
