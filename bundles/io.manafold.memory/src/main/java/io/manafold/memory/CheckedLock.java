package io.manafold.memory;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** A lock whose place in the order is checked, before its taking may have to wait. */
final class CheckedLock extends ReentrantLock {
    private static final long serialVersionUID = 1L;

    private final String name;
    private final transient LockOrder order;

    CheckedLock(String name, LockOrder order) {
        this.name = name;
        this.order = order;
    }

    String name() {
        return name;
    }

    @Override
    public void lock() {
        boolean first = !isHeldByCurrentThread();
        if (first) {
            order.taking(this);
        }
        super.lock();
        note(first);
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        boolean first = !isHeldByCurrentThread();
        if (first) {
            order.taking(this);
        }
        super.lockInterruptibly();
        note(first);
    }

    /** It never waits, so that it cannot be what two threads wait for. */
    @Override
    public boolean tryLock() {
        boolean first = !isHeldByCurrentThread();
        boolean taken = super.tryLock();
        note(taken && first);
        return taken;
    }

    /** It does not wait for good. */
    @Override
    public boolean tryLock(long timeout, TimeUnit unit) throws InterruptedException {
        boolean first = !isHeldByCurrentThread();
        boolean taken = super.tryLock(timeout, unit);
        note(taken && first);
        return taken;
    }

    private void note(boolean first) {
        if (first) {
            order.taken(this);
        }
    }

    @Override
    public void unlock() {
        super.unlock();
        if (!isHeldByCurrentThread()) {
            order.given(this);
        }
    }
}
