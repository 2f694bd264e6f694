package io.manafold.commands.net.internal;

import io.manafold.api.refusal.NotKept;

/** Several changes of one command: one that is done but cannot be kept does not keep the others from being made. */
final class Changes {
    private NotKept first;

    /** One of them. */
    interface Change<E extends Exception> {
        void make() throws E;
    }

    <E extends Exception> void make(Change<E> change) throws E {
        try {
            change.make();
        } catch (NotKept done) {
            first = first == null ? done : first;
        }
    }

    /** @throws NotKept if one of them could not be kept */
    void end() {
        if (first != null) {
            throw first;
        }
    }
}
