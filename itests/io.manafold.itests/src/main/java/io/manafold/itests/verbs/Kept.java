package io.manafold.itests.verbs;

import io.manafold.api.refusal.Refusal;
import java.util.ArrayDeque;
import java.util.Deque;

/** Things that are closed together, the last first; what one refuses does not keep the others open. */
final class Kept implements AutoCloseable {
    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    <T extends AutoCloseable> T keep(T thing) {
        open.push(thing);
        return thing;
    }

    @Override
    public void close() {
        Refusal first = null;
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Refusal refused) {
                first = first == null ? refused : first;
            } catch (Exception impossible) {
                throw new IllegalStateException(impossible);
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
