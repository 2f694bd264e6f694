package io.manafold.adapter.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.gdma.RdmaCompletion;
import io.manafold.memory.RawMemory;
import io.manafold.testkit.RcPair;
import io.manafold.testkit.RdmaQueue;
import java.util.HashMap;
import java.util.Map;

/**
 * The error completions of queue pairs that are attacked: each side of one has one at most between two resets. A second
 * one makes the library of the real stack go round for ever.
 */
final class ErrorCompletions implements RdmaQueue.Taker {
    private static final int MOST = 64;
    private static final int SENDS = 0;
    private static final int RECEIVES = 1;

    private final RdmaQueue queue;
    private final Map<Integer, int[]> lives = new HashMap<>();
    private long all;

    ErrorCompletions(RdmaQueue queue) {
        this.queue = queue;
    }

    /** Takes all completions that are there. */
    void take() {
        while (queue.poll(this, MOST) > 0) {
            // all of them
        }
    }

    @Override
    public void completion(long entry, int workQueue, boolean sendSide) {
        if (RdmaCompletion.type(RawMemory.get32(entry + RdmaCompletion.FIRST)) != RdmaCompletion.ERROR) {
            return;
        }
        // the ring of landings is of the side that sends
        boolean sends = sendSide || (workQueue & 3) != 0;
        int[] life = lives.computeIfAbsent(workQueue & -4, number -> new int[2]);
        int side = sends ? SENDS : RECEIVES;
        life[side]++;
        all++;
        assertThat(life[side]).as("error completions of queue pair %d, %s, in one life", workQueue & -4,
                sends ? "sends" : "receives").isEqualTo(1);
    }

    /** Whether a queue pair has failed in this life. */
    boolean has(RcPair pair) {
        return lives.containsKey(pair.number());
    }

    /** Queue pairs were reset: what they told before is there, and they begin anew. */
    void beginAnew(RcPair... pairs) {
        take();
        for (RcPair pair : pairs) {
            lives.remove(pair.number());
        }
    }

    /** Of all lives. */
    long all() {
        return all;
    }
}
