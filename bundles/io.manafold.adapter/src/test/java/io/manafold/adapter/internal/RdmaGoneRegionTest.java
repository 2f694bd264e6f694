package io.manafold.adapter.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.fabric.internal.TestSwitch;
import io.manafold.gdma.VendorError;
import io.manafold.gdma.driver.ProtectionDomain.RegisteredMemory;
import io.manafold.memory.DmaPiece;
import io.manafold.memory.RawMemory;
import io.manafold.testkit.RcPair;
import io.manafold.testkit.RcSettings;
import io.manafold.testkit.RdmaQueue;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Regions that are destroyed while work that names them is posted, beside two connections and Ethernet that stay whole.
 * Work is posted without a pause until after the end of the region, so it goes under that work however busy the machine
 * is.
 */
@Timeout(value = 60, unit = TimeUnit.MINUTES)
class RdmaGoneRegionTest {
    private static final int ROUNDS = Math.max(1, Integer.getInteger("manafold.rdma.attacks", 100_000) / 1000);
    /** Rounds that queue pairs are used for. */
    private static final int LIVES = 100;
    private static final int REQUESTS = 16;
    private static final int LENGTH = 5000;
    private static final int BYTES = REQUESTS * LENGTH;
    private static final long MOST_DELAY = 60_000;

    private final TestSwitch net = new TestSwitch("left/1", "right/1");
    private final RdmaEnd left = new RdmaEnd("left", 1);
    private final RdmaEnd right = new RdmaEnd("right", 2);
    private final Random random = new Random(20261125);
    private HonestStreams honest;
    private RdmaQueue leftQueue;
    private RdmaQueue rightQueue;
    private RcPair one;
    private RcPair other;
    private final ExecutorService poster = Executors.newSingleThreadExecutor();
    private volatile boolean gone;

    @BeforeEach
    void begin() {
        RdmaEnd.plug(net, left, right);
        honest = new HonestStreams(left, right);
        leftQueue = left.rdma.createQueue(64);
        rightQueue = right.rdma.createQueue(64);
    }

    @AfterEach
    void end() {
        honest.areWhole();
        honest.close();
        left.close();
        right.close();
        net.close();
        poster.close();
    }

    /** Queue pairs are made anew every so often, and reset in between, which takes a third of the commands. */
    private void connect(int round) {
        if (round % LIVES == 0) {
            RcSettings settings = RcSettings.of(1024).withRings(4096, 4096);
            one = new RcPair(left.rdma, left.domain, leftQueue, leftQueue, settings);
            other = new RcPair(right.rdma, right.domain, rightQueue, rightQueue, settings);
        }
        RdmaEnd.connect(left, one, right, other);
    }

    /** What the adapter still had to say of the queue pairs has come by then. */
    private void disconnect(int round) {
        one.reset();
        other.reset();
        one.poll();
        assertThat(one.sendErrors()).as("error completions after the first one").isZero();
        if (round % LIVES == LIVES - 1 || round == ROUNDS - 1) {
            one.close();
            other.close();
        } else {
            other.poll();
            // what came of it late counts for no later request
            one.reset();
        }
    }

    /** A moment of some requests. */
    private void waitALittle() {
        long until = System.nanoTime() + random.nextLong(MOST_DELAY);
        while (System.nanoTime() - until < 0) {
            Thread.onSpinWait();
        }
    }

    /** A request has failed as it should, and no other one is told of. */
    private void isOver(VendorError expected) {
        assertThat(RdmaEnd.until(() -> one.sendErrors() > 0, one, other)).isTrue();
        one.poll();
        assertThat(one.sendErrors()).as("error completions").isEqualTo(1);
        assertThat(VendorError.of(one.sendError())).isEqualTo(expected);
    }

    private static byte[] bytes(DmaPiece piece) {
        byte[] bytes = new byte[BYTES];
        RawMemory.copy(piece.pointer(), bytes, 0, BYTES);
        return bytes;
    }

    /** Has writes posted all the time until the region has ended, and then once more; gives back when they are. */
    private void goUnder(RegisteredMemory region, int localKey, int remoteKey, Runnable then) throws Exception {
        gone = false;
        Future<?> posted = poster.submit(() -> {
            boolean last;
            do {
                boolean ended = gone;
                int requests = 0;
                for (; requests < REQUESTS && one.outstanding() < REQUESTS; requests++) {
                    long address = RdmaEnd.VIRTUAL + requests * LENGTH;
                    one.write(address, localKey, LENGTH, address, remoteKey);
                }
                one.ring();
                one.poll();
                other.poll();
                // where as many as may be were under way, none came behind the end of the region yet
                last = ended && requests > 0;
            } while (!last && one.sendErrors() == 0);
        });
        waitALittle();
        region.close();
        then.run();
        gone = true;
        posted.get();
    }

    @Test
    void thePeersRegionGoesAndNothingIsWrittenFromThenOn() throws Exception {
        DmaPiece target = right.memory.allocate(BYTES);
        for (int round = 0; round < ROUNDS; round++) {
            connect(round);
            left.fill(0, BYTES, round);
            RegisteredMemory region = right.domain.register(target, BYTES, RdmaEnd.VIRTUAL, RdmaEnd.ALL);
            goUnder(region, left.key(), region.remoteKey(), () -> RawMemory.clear(target.pointer(), BYTES));
            isOver(VendorError.REMOTE_ACCESS_DENIED);
            assertThat(bytes(target)).as("memory of a region that is gone, round %d", round).containsOnly(0);
            disconnect(round);
            if (round % 20 == 0) {
                honest.goOn();
            }
        }
    }

    @Test
    void theOwnRegionGoesAndWhatIsPostedFails() throws Exception {
        DmaPiece source = left.memory.allocate(BYTES);
        for (int round = 0; round < ROUNDS; round++) {
            connect(round);
            RegisteredMemory region = left.domain.register(source, BYTES, RdmaEnd.VIRTUAL, RdmaEnd.ALL);
            goUnder(region, region.localKey(), right.key(), () -> { });
            isOver(VendorError.KEY_MISSING);
            disconnect(round);
            if (round % 20 == 0) {
                honest.goOn();
            }
        }
    }
}
