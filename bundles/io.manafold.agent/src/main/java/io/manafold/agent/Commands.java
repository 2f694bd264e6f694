package io.manafold.agent;

import io.manafold.memory.Locks;
import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** What other threads have handed over to an agent and it has not taken yet. Any thread may call. */
final class Commands {
    private static final int MOST = 1024;

    private final ReentrantLock lock = Locks.named("commands of an agent");
    private final Condition room = lock.newCondition();
    private ArrayDeque<Runnable> incoming = new ArrayDeque<>();
    private volatile boolean waiting;
    private volatile boolean closed;

    /**
     * Takes one; waits while there are too many, unless the caller is the one who would make room.
     *
     * @return false if the lane is shut or the agent has come to its end: the command will not run
     */
    boolean add(Lane lane, Runnable command, boolean mayWait) {
        lock.lock();
        try {
            while (incoming.size() >= MOST && !closed && !lane.shut && mayWait) {
                room.awaitUninterruptibly();
            }
            if (closed || lane.shut) {
                return false;
            }
            incoming.add(command);
            waiting = true;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Takes a lane's last one. */
    boolean shut(Lane lane, Runnable last) {
        lock.lock();
        try {
            if (closed || lane.shut) {
                return false;
            }
            lane.shut = true;
            incoming.add(last);
            waiting = true;
            room.signalAll();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Takes the last one of all. */
    boolean end(Runnable last) {
        lock.lock();
        try {
            if (closed) {
                return false;
            }
            incoming.add(last);
            waiting = true;
            closed = true;
            room.signalAll();
            return true;
        } finally {
            lock.unlock();
        }
    }

    boolean isClosed() {
        return closed;
    }

    boolean isWaiting() {
        return waiting;
    }

    /** Hands all over, for an empty list in return. */
    ArrayDeque<Runnable> take(ArrayDeque<Runnable> empty) {
        lock.lock();
        try {
            ArrayDeque<Runnable> taken = incoming;
            incoming = empty;
            waiting = false;
            room.signalAll();
            return taken;
        } finally {
            lock.unlock();
        }
    }
}
