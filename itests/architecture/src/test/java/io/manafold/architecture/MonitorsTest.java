package io.manafold.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Monitors are not seen by {@code Locks}. So who has one stands in a list, and class files are looked at for what is
 * taken while it is held: no two are taken in both orders, nor more of them in a circle.
 */
class MonitorsTest {
    private static final String LIST = "monitors.txt";

    private final MonitorGraph graph = MonitorGraph.of(List.of(Room.TOP.resolve("bundles"),
            Room.TOP.resolve("gogo-commands")));

    MonitorsTest() throws IOException {
    }

    @Test
    void whoHasAMonitorIsNamed() throws IOException {
        assertThat(graph.classes()).as("class files read").isGreaterThan(500);
        assertThat(new TreeSet<>(graph.monitors())).as("who has 'synchronized': a new one takes Locks.named(...), or is"
                + " named in " + LIST + " if it guards a few fields and calls nothing of other rooms that waits")
                .isEqualTo(listed());
    }

    private static Set<String> listed() throws IOException {
        try (InputStream in = MonitorsTest.class.getResourceAsStream(LIST)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    @Test
    void monitorsAndLocksAreTakenInOneOrder() {
        assertThat(graph.nested()).as("what is taken with something held").hasSizeGreaterThan(10);
        assertThat(graph.circles()).isEmpty();
    }

    @Test
    void aCircleIsFound() throws IOException {
        MonitorGraph wrong = MonitorGraph.of(model(First.class), model(Second.class), model(Gate.class));
        String name = MonitorsTest.class.getName();
        assertThat(wrong.monitors()).containsExactly(name);
        // all of this file's count as one, so that a lock has to be between
        assertThat(wrong.circles()).isEqualTo(Map.of("monitor of " + name, Set.of("lock of " + name),
                "lock of " + name, Set.of("monitor of " + name)));
    }

    private static ClassModel model(Class<?> type) throws IOException {
        String name = type.getName().substring(type.getPackageName().length() + 1);
        try (InputStream in = type.getResourceAsStream(name + ".class")) {
            return ClassFile.of().parse(in.readAllBytes());
        }
    }

    /** Takes a lock with its monitor held, by an interface that one class implements. */
    static final class First {
        private final Gate gate;

        First(Gate gate) {
            this.gate = gate;
        }

        synchronized void change() {
            gate.pass();
        }

        void read() {
            synchronized (gate) {
                hashCode();
            }
        }
    }

    interface Gate {
        void pass();
    }

    /** Takes a monitor with its lock held. */
    static final class Second implements Gate {
        private final ReentrantLock lock = new ReentrantLock();
        private final First first = new First(this);

        @Override
        public void pass() {
            lock.lock();
            lock.unlock();
        }

        void turn() {
            lock.lock();
            try {
                first.change();
            } finally {
                lock.unlock();
            }
        }
    }
}
