package io.manafold.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.agent.DutyCycle;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * An agent that goes on does not keep what another one did that has ended: drivers come and go beside links that stay.
 */
@Timeout(300)
class AgentLeavesNothingTest {
    private static final int GONE = 6;
    /** So many that the loop of a thread is compiled while it runs. */
    private static final long MANY = Long.getLong("manafold.agent.cycles", 10_000_000);

    /** Busy for as long as it lives. */
    public static final class Busy implements Agent.Work, LongSupplier {
        private final AtomicLong cycles = new AtomicLong();

        @Override
        public void begin() {
            cycles.setOpaque(cycles.getPlain() + 1);
        }

        @Override
        public long getAsLong() {
            return cycles.getOpaque();
        }

        @Override
        public void end() {
        }

        @Override
        public int doWork() {
            return 1;
        }

        @Override
        public long restNanos() {
            return DutyCycle.UNTIL_WOKEN;
        }

        @Override
        public void failed(Throwable mistake) {
            throw new IllegalStateException(mistake);
        }
    }

    /** Has a class of this test once more. */
    private static final class Loader extends ClassLoader {
        Loader() {
            super(AgentLeavesNothingTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.equals(Busy.class.getName())) {
                return super.loadClass(name, resolve);
            }
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? again(name) : loaded;
        }

        private Class<?> again(String name) throws ClassNotFoundException {
            try (InputStream file = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
                byte[] bytes = file.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException unreadable) {
                throw new ClassNotFoundException(name, unreadable);
            }
        }
    }

    @Test
    void whatOthersDidIsForgotten() throws Exception {
        Agent stays = new Agent("stays", new Busy());
        stays.start();
        List<WeakReference<ClassLoader>> gone = new ArrayList<>();
        for (int i = 0; i < GONE; i++) {
            gone.add(liveAndEnd("goes-" + i));
        }
        // a loop that was compiled at the wrong moment may hold the classes of one, until it is left; it never holds
        // more
        long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (gone.stream().filter(loader -> !loader.refersTo(null)).count() > 1) {
            assertThat(System.nanoTime()).as("classes of agents that have ended are still there").isLessThan(giveUp);
            System.gc();
            Thread.sleep(10);
        }
        stays.end(() -> { });
        assertThat(stays.join(Duration.ofSeconds(60))).isTrue();
    }

    private static WeakReference<ClassLoader> liveAndEnd(String name) throws Exception {
        ClassLoader loader = new Loader();
        Agent.Work work = (Agent.Work) loader.loadClass(Busy.class.getName()).getConstructor().newInstance();
        assertThat(work.getClass()).isNotEqualTo(Busy.class);
        Agent agent = new Agent(name, work);
        agent.start();
        while (((LongSupplier) work).getAsLong() < MANY) {
            Thread.onSpinWait();
        }
        agent.end(() -> { });
        assertThat(agent.join(Duration.ofSeconds(60))).isTrue();
        return new WeakReference<>(loader);
    }
}
