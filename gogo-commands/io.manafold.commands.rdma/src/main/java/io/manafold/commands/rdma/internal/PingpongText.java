package io.manafold.commands.rdma.internal;

import io.manafold.api.rdma.Gid;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.shell.Call;
import io.manafold.shell.Fields;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Locale;

/** What {@code ibv_rc_pingpong} says, and the bytes that it sends. */
final class PingpongText {
    /** Seeds of what the two ends send. */
    static final int ASKS = 1;
    static final int SERVES = 2;

    private PingpongText() {
    }

    static void address(Call call, boolean own, int number, int psn, Gid gid) {
        if (!call.json()) {
            call.out().println(String.format(Locale.ROOT, "  %-15s LID 0x0000, QPN 0x%06x, PSN 0x%06x, GID %s",
                    own ? "local address:" : "remote address:", number, psn, Words.gid(gid)));
        }
    }

    /** Bytes that tell the ends and places apart. */
    static void fill(End end, int seed) {
        MemorySegment out = end.memory().asSlice(end.out(0), end.room());
        for (long i = 0; i < out.byteSize(); i++) {
            out.set(ValueLayout.JAVA_BYTE, i, at(seed, i));
        }
    }

    private static byte at(int seed, long place) {
        return (byte) (seed + place * 31 + (place >>> 8));
    }

    /** Refuses what is not as the other end has filled it. */
    static void check(End end, int seed, int size) {
        MemorySegment in = end.memory().asSlice(end.in(0), size);
        for (long i = 0; i < size; i++) {
            if (in.get(ValueLayout.JAVA_BYTE, i) != at(seed, i)) {
                throw new Refusal(Errno.EIO, "What arrived at " + end.device().name() + " is not what was sent, from "
                        + "byte " + i + " on; 'adapter show --errors' of its adapter may say why.");
            }
        }
    }

    static void result(Call call, MeasurePlan plan, double seconds) {
        long bytes = 2L * plan.size() * plan.iterations();
        double mbits = bytes * 8 / seconds / 1e6;
        double each = seconds * 1e6 / plan.iterations();
        if (call.json()) {
            call.print(Fields.of("bytes", bytes).and("seconds", Result.rounded(seconds, 6))
                    .and("mbit_per_second", Result.rounded(mbits, 2)).and("iters", plan.iterations())
                    .and("usec_per_iter", Result.rounded(each, 2)));
            return;
        }
        call.out().println(String.format(Locale.ROOT, "%d bytes in %.2f seconds = %.2f Mbit/sec", bytes, seconds,
                mbits));
        call.out().println(String.format(Locale.ROOT, "%d iters in %.2f seconds = %.2f usec/iter", plan.iterations(),
                seconds, each));
    }
}
