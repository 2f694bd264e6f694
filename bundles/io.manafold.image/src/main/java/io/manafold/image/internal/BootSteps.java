package io.manafold.image.internal;

import io.manafold.api.doctor.Sighting;
import io.manafold.api.doctor.Survey.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** What is waited for while a machine runs, within the time that all may take, and what came of it. */
final class BootSteps {
    private static final Duration TELL = Duration.ofSeconds(15);
    private static final long GLANCE_MILLIS = 100;

    private final BootedSystem machine;
    private final Consumer<String> progress;
    private final long begin = System.nanoTime();
    private final long end;
    private final List<Sighting.Step> all = new ArrayList<>();

    BootSteps(BootedSystem machine, Duration limit, Consumer<String> progress) {
        this.machine = machine;
        this.progress = progress;
        end = begin + limit.toNanos();
    }

    void tell(String what) {
        progress.accept(what);
    }

    private long seconds() {
        return (System.nanoTime() - begin) / 1_000_000_000L;
    }

    /** Whether there is time left, and a machine. */
    boolean isOn() {
        return machine.isAlive() && System.nanoTime() - end < 0;
    }

    /** Why nothing more is seen; what was not watched to its end is neither a yes nor a no. */
    String whyNotOn() {
        return machine.isAlive() ? "the time was over" : "the machine has ended";
    }

    /** Writes one down; true for yes. */
    boolean add(String name, Answer answer, String what) {
        all.add(new Sighting.Step(name, answer, what, seconds()));
        progress.accept(name + ": " + answer.name().toLowerCase(Locale.ROOT).replace('_', ' ') + ", " + what);
        return answer == Answer.YES;
    }

    /** Waits, telling now and then; false if the time is over, the machine has ended, or it is useless. */
    boolean await(String what, Duration most, BooleanSupplier isSeen, BooleanSupplier isUseless)
            throws InterruptedException {
        long until = Math.min(end, System.nanoTime() + most.toNanos());
        long tell = System.nanoTime() + TELL.toNanos();
        while (!isSeen.getAsBoolean()) {
            if (System.nanoTime() - until > 0 || !machine.isAlive() || isUseless.getAsBoolean()) {
                return isSeen.getAsBoolean();
            }
            if (System.nanoTime() - tell > 0) {
                tell = System.nanoTime() + TELL.toNanos();
                List<String> last = machine.console(1);
                progress.accept(seconds() + " s, waiting for " + what + "; the console: "
                        + (last.isEmpty() ? "nothing yet" : last.getFirst()));
            }
            Thread.sleep(GLANCE_MILLIS);
        }
        return true;
    }

    boolean await(String what, Duration most, BooleanSupplier isSeen) throws InterruptedException {
        return await(what, most, isSeen, () -> false);
    }

    List<Sighting.Step> all() {
        return List.copyOf(all);
    }

    /** The last one of a name. */
    Optional<Sighting.Step> find(String name) {
        return all.stream().filter(one -> one.name().equals(name)).reduce((_, last) -> last);
    }
}
