package io.manafold.gdma.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.device.Interrupts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which queues hear of a signal, of one session and of the next. */
class SharedVectorsTest {
    private final Map<Integer, Runnable> targets = new HashMap<>();
    private final List<String> heard = new ArrayList<>();
    private final Interrupts function = new Interrupts() {
        @Override
        public int count() {
            return 4;
        }

        @Override
        public void target(int vector, Runnable callback) {
            targets.put(vector, callback);
        }

        @Override
        public void clear(int vector) {
            targets.remove(vector);
        }
    };

    private Runnable listener(String name) {
        return () -> heard.add(name);
    }

    @Test
    void allWhoListenHearASignal() {
        Vectors vectors = new Vectors(function);
        Runnable one = listener("one");
        Runnable two = listener("two");
        vectors.listen(1, one);
        vectors.listen(1, two);
        targets.get(1).run();
        vectors.forget(1, one);
        targets.get(1).run();
        assertThat(heard).containsExactly("one", "two", "two");
        vectors.forget(1, two);
        assertThat(targets).isEmpty();
    }

    @Test
    void aQueueThatEndsAfterItsSessionLeavesTheNextSessionsAlone() {
        Vectors before = new Vectors(function);
        Runnable late = listener("late");
        before.listen(1, late);
        before.end(true);
        assertThat(targets).isEmpty();
        Vectors now = new Vectors(function);
        now.listen(1, listener("now"));
        before.forget(1, late);
        before.listen(1, late);
        targets.get(1).run();
        assertThat(heard).containsExactly("now");
    }

    @Test
    void aSessionThatIsGivenUpDoesNotEvenClear() {
        Vectors before = new Vectors(function);
        before.listen(1, listener("late"));
        new Vectors(function).listen(1, listener("now"));
        before.end(false);
        targets.get(1).run();
        assertThat(heard).containsExactly("now");
    }
}
