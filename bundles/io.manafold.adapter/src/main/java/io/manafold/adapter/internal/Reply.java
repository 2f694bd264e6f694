package io.manafold.adapter.internal;

import io.manafold.gdma.Status;
import io.manafold.gdma.message.Done;
import io.manafold.gdma.message.Response;

/**
 * How a command ended.
 *
 * @param after what is done once the answer is on its way, or {@code null}
 */
record Reply(int status, Response body, Runnable after) {
    static final Reply DONE = new Reply(Status.SUCCESS, Done.DONE, null);

    static Reply of(Response body) {
        return new Reply(Status.SUCCESS, body, null);
    }

    static Reply then(Runnable after) {
        return new Reply(Status.SUCCESS, Done.DONE, after);
    }
}
