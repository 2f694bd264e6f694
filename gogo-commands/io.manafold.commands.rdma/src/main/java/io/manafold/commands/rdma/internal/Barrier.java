package io.manafold.commands.rdma.internal;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.manafold.api.rdma.SendList;
import io.manafold.api.refusal.Refusal;
import java.lang.invoke.VarHandle;
import java.util.function.BooleanSupplier;

/**
 * Where two ends wait for each other and tell each other a few numbers: each writes into the first page of the other's
 * region.
 */
final class Barrier {
    static final int NUMBERS = 7;
    private static final VarHandle LONG = JAVA_LONG.varHandle();
    private static final long ARRIVED = 0;
    /** Two places in turn: one end may come to the next meeting before the other has read what was told at this one. */
    private static final long TOLD = 64;
    private static final long OWN = 1024;
    private static final int PLACE = 64;

    private final End end;
    private final RemoteMemory remote;
    private final BooleanSupplier gone;
    private final SendList writes = new SendList(2);
    private long meetings;
    private boolean left;

    /** @param gone whether the other end has gone */
    Barrier(End end, RemoteMemory remote, BooleanSupplier gone) {
        this.end = end;
        this.remote = remote;
        this.gone = gone;
    }

    /**
     * Returns when both are here.
     *
     * @param told to the other end, at most as many as {@link #NUMBERS}
     * @param side takes meanwhile what arrives
     * @return what the other end tells
     */
    long[] meet(long[] told, Side side) throws InterruptedException {
        meetings++;
        long place = TOLD + meetings % 2 * PLACE;
        for (int i = 0; i < told.length; i++) {
            end.memory().set(JAVA_LONG, OWN + (long) i * Long.BYTES, told[i]);
        }
        end.memory().set(JAVA_LONG, OWN + PLACE, meetings);
        writes.clear();
        writes.write(Completing.MEETING, SendList.SIGNALED, remote.address() + place, remote.key())
                .piece(end.address(OWN), end.key(), NUMBERS * Long.BYTES);
        writes.write(Completing.MEETING, SendList.SIGNALED, remote.address() + ARRIVED, remote.key())
                .piece(end.address(OWN + PLACE), end.key(), Long.BYTES);
        int idle = 0;
        while (!isOver()) {
            if (writes.posted() < writes.count()) {
                end.pair(0).post(writes);
            }
            idle = look(side) ? 0 : idle + 1;
            if (Thread.interrupted()) {
                throw new InterruptedException("interrupted while the other end was waited for");
            }
            if (idle > 0 && !isOver() && gone.getAsBoolean() && !hasArrived()) {
                throw Measuring.gone();
            }
            Measuring.rest(idle);
        }
        long[] heard = new long[NUMBERS];
        for (int i = 0; i < NUMBERS; i++) {
            heard[i] = end.memory().get(JAVA_LONG, place + (long) i * Long.BYTES);
        }
        return heard;
    }

    private boolean hasArrived() {
        return (long) LONG.getAcquire(end.memory(), ARRIVED) >= meetings;
    }

    /** The other end is here and knows that this one is. */
    private boolean isOver() {
        return hasArrived() && (left || end.meetingWrites() >= 2 * meetings);
    }

    /** An end that was here and has left, has learned that this one was: it waits for that. */
    private boolean look(Side side) {
        try {
            return side.look();
        } catch (Refusal failed) {
            if (!hasArrived()) {
                throw failed;
            }
            left = true;
            return true;
        }
    }
}
