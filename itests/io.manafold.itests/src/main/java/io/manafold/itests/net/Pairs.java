package io.manafold.itests.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.net.NetDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.memory.Locks;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Changes of the device of port 1, two kinds at a time against each other, watched for deadlocks. */
public final class Pairs implements AutoCloseable {
    private static final int PATIENCE = 240;
    private static final long LOOK_MILLIS = 500;
    private static final Set<Errno> EXPECTED = EnumSet.of(Errno.ENODEV, Errno.ENOENT, Errno.EOPNOTSUPP, Errno.EINVAL);

    private final Wire wire;
    private final ExecutorService both = Executors.newFixedThreadPool(2);

    /** A change, one of several by turns. */
    public interface Change {
        void make(NetDevice device, int turn) throws Exception;
    }

    /** A kind of change. */
    public record Kind(String name, Change change) {
    }

    /** Two kinds at the same time. */
    public record Pair(Kind one, Kind other) {
        @Override
        public String toString() {
            return one.name + " against " + other.name;
        }
    }

    /** What is done after each pair. */
    public interface After {
        void pair(String which) throws Exception;
    }

    public Pairs(Wire wire) {
        this.wire = wire;
    }

    /** Each kind with itself and all others. */
    public static List<Pair> of(List<Kind> kinds) {
        List<Pair> pairs = new ArrayList<>();
        for (int i = 0; i < kinds.size(); i++) {
            for (Kind other : kinds.subList(i, kinds.size())) {
                pairs.add(new Pair(kinds.get(i), other));
            }
        }
        return pairs;
    }

    /** Runs all pairs, so many seconds in all. */
    public void run(List<Pair> pairs, long seconds, After after) throws Exception {
        long slice = TimeUnit.SECONDS.toNanos(seconds) / pairs.size();
        for (Pair pair : pairs) {
            long end = System.nanoTime() + slice;
            List<Future<?>> running = List.of(both.submit(() -> repeat(pair, pair.one, end)),
                    both.submit(() -> repeat(pair, pair.other, end)));
            for (Future<?> each : running) {
                await(each, pair.toString());
            }
            after.pair(pair.toString());
            assertThat(Locks.inversions()).as("locks taken in both orders until after %s", pair).isEmpty();
        }
    }

    private Void repeat(Pair pair, Kind kind, long end) throws Exception {
        int turn = 0;
        do {
            NetDevice device = wire.device(1);
            if (device != null) {
                try {
                    kind.change.make(device, turn);
                } catch (Refusal refused) {
                    // what another change forbids, and a device whose driver has just gone
                    if (!EXPECTED.contains(refused.errno())) {
                        throw new AssertionError(pair + ", " + kind.name + ": " + refused.getMessage() + "\n"
                                + dump(ManagementFactory.getThreadMXBean().dumpAllThreads(true, true, 30)), refused);
                    }
                }
            }
            turn++;
        } while (System.nanoTime() < end);
        return null;
    }

    private static void await(Future<?> running, String what) throws Exception {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        for (int patience = 0; patience < PATIENCE; patience++) {
            try {
                running.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
                return;
            } catch (TimeoutException still) {
                long[] locked = threads.findDeadlockedThreads();
                assertThat(locked).as("%s: %s", what, locked == null ? "" : dump(threads.getThreadInfo(locked, 30)))
                        .isNull();
            } catch (ExecutionException failed) {
                throw failed.getCause() instanceof Exception cause ? cause : failed;
            }
        }
        throw new AssertionError(what + " does not end: " + dump(threads.dumpAllThreads(true, true, 30)));
    }

    private static String dump(ThreadInfo[] threads) {
        return String.join("", Arrays.stream(threads).map(ThreadInfo::toString).toList());
    }

    @Override
    public void close() {
        both.close();
    }
}
