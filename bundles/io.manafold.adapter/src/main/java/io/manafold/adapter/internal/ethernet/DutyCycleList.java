package io.manafold.adapter.internal.ethernet;

import io.manafold.api.agent.DutyCycle;

/**
 * Work of others that takes turns with a port. Changed and done on the port's agent; any thread may ask whether there
 * is some.
 */
final class DutyCycleList {
    private static final DutyCycle[] NONE = {};

    private volatile DutyCycle[] guests = NONE;

    boolean isEmpty() {
        return guests == NONE;
    }

    void add(DutyCycle work) {
        DutyCycle[] more = new DutyCycle[guests.length + 1];
        System.arraycopy(guests, 0, more, 0, guests.length);
        more[guests.length] = work;
        guests = more;
    }

    void remove(DutyCycle work) {
        DutyCycle[] now = guests;
        for (int i = 0; i < now.length; i++) {
            if (now[i] == work) {
                DutyCycle[] fewer = new DutyCycle[now.length - 1];
                System.arraycopy(now, 0, fewer, 0, i);
                System.arraycopy(now, i + 1, fewer, i, fewer.length - i);
                guests = fewer.length == 0 ? NONE : fewer;
                return;
            }
        }
    }

    /** Has each take a turn. */
    int work() {
        int done = 0;
        for (DutyCycle guest : guests) {
            done += guest.doWork();
        }
        return done;
    }

    long restNanos() {
        long least = DutyCycle.UNTIL_WOKEN;
        for (DutyCycle guest : guests) {
            least = Math.min(least, guest.restNanos());
        }
        return least;
    }
}
