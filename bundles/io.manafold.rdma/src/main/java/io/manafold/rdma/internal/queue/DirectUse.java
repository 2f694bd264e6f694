package io.manafold.rdma.internal.queue;

/** Whether a queue is used directly, by whom, and that it is given back: both gates stay shut meanwhile. */
final class DirectUse {
    private final RawQueue queue;
    private final Gate gate;
    private final RawCompletionQueue completions;
    /** The direct user, or {@code null}. */
    private volatile DirectHolder holder;

    DirectUse(RawQueue queue, Gate gate, RawCompletionQueue completions) {
        this.queue = queue;
        this.gate = gate;
        this.completions = completions;
    }

    boolean isTaken() {
        return holder != null;
    }

    /** From now on it is the caller's, which has entered the gate for it. */
    void take(Runnable withdrawn) {
        completions.take();
        holder = new DirectHolder(withdrawn);
    }

    /** Has the direct user leave, without waiting for that. */
    void withdraw() {
        DirectHolder there = holder;
        if (there != null) {
            there.ask(queue.who());
        }
    }

    /** The direct user closes it and is in it no more, unless it was asked to leave and has not answered. */
    void leave() {
        DirectHolder there = holder;
        if (there != null) {
            there.leave();
        }
    }

    /** Whether no one uses it any more. */
    boolean isGivenBack() {
        DirectHolder there = holder;
        if (there != null) {
            if (!there.hasLeft()) {
                return false;
            }
            holder = null;
            gate.leave();
            completions.giveBack();
        }
        return true;
    }
}
