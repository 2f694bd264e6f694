package io.manafold.gdma.driver;

import io.manafold.api.device.Interrupts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Interrupts of a function that several event queues may share: each signal reaches all who listen. */
public final class Vectors {
    private final Interrupts interrupts;
    private final Map<Integer, List<Runnable>> listeners = new HashMap<>();
    /** The vectors are those of the function's next session. */
    private boolean ended;

    Vectors(Interrupts interrupts) {
        this.interrupts = interrupts;
    }

    /** Has a callback run with each signal of a vector; it must not block. */
    public synchronized void listen(int vector, Runnable callback) {
        List<Runnable> now = new ArrayList<>(listeners.getOrDefault(vector, List.of()));
        now.add(callback);
        direct(vector, now);
    }

    /** Takes a callback away. It may still be running when this returns, if others listen too. */
    public synchronized void forget(int vector, Runnable callback) {
        List<Runnable> now = new ArrayList<>(listeners.getOrDefault(vector, List.of()));
        now.remove(callback);
        direct(vector, now);
    }

    /**
     * The session is over: queues that end later change nothing any more, for the same vectors may be in use again.
     *
     * @param clears false if the next session may have begun already
     */
    synchronized void end(boolean clears) {
        if (!ended && clears) {
            listeners.keySet().forEach(interrupts::clear);
        }
        ended = true;
        listeners.clear();
    }

    private void direct(int vector, List<Runnable> now) {
        if (ended) {
            return;
        }
        if (now.isEmpty()) {
            listeners.remove(vector);
            interrupts.clear(vector);
        } else {
            listeners.put(vector, now);
            Runnable[] all = now.toArray(Runnable[]::new);
            interrupts.target(vector, all.length == 1 ? all[0] : () -> {
                for (Runnable one : all) {
                    one.run();
                }
            });
        }
    }
}
