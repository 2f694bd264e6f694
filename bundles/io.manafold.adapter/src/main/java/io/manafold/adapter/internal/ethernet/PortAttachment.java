package io.manafold.adapter.internal.ethernet;

import io.manafold.api.fabric.Link;
import io.manafold.api.fabric.Wire;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.memory.Locks;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * On whose agent a port is: that of the link it is plugged into, else a spare one. Changes of the port go there, and
 * wait until they are made.
 */
final class PortAttachment {
    private static final Logger LOG = LoggerFactory.getLogger(PortAttachment.class);
    /** The port whose change a thread is making, if it makes one. */
    private static final ThreadLocal<String> CHANGING = new ThreadLocal<>();

    private final PortDuty port;
    private final UnpluggedPortAgent spare;
    /** Held by threads that configure; agents never take it. */
    private final ReentrantLock configuring = Locks.named("port of an adapter");
    private Link link;
    private boolean closed;
    /** Where bursts go; null while the port moves from one agent to another. */
    private volatile Wire wire;
    private volatile String linkName;

    PortAttachment(PortDuty port, UnpluggedPortAgent spare) {
        this.port = port;
        this.spare = spare;
    }

    /** Takes the spare agent, which may call the port before this returns. */
    void begin() {
        use(spare.plug(port));
    }

    /** Where bursts go; null while the port moves from one agent to another, and in the end. */
    Wire wire() {
        return wire;
    }

    /** The link the port is plugged into, or null. */
    String linkName() {
        return linkName;
    }

    /** Plugs the port into a link; it may throw what {@link Link#plug} does. */
    void attach(Link to) {
        configuring.lock();
        try {
            if (closed) {
                throw new Refusal(Errno.ENODEV, "Port " + port.name() + " is gone.");
            }
            if (link != null) {
                throw new Refusal(Errno.EBUSY, "Port " + port.name() + " is plugged into link " + link.name()
                        + " already. Name it in the ports of one link only.");
            }
            leave();
            try {
                Wire now = to.plug(port);
                linkName = to.name();
                link = to;
                use(now);
            } finally {
                if (link == null) {
                    use(spare.plug(port));
                }
            }
        } finally {
            configuring.unlock();
        }
    }

    /** Unplugs the port; on return the link's agent calls it no more. Nothing if it is plugged in elsewhere. */
    void detach(Link from) {
        configuring.lock();
        try {
            if (link != from || closed) {
                return;
            }
            leave();
            unplugged();
        } finally {
            configuring.unlock();
        }
    }

    /** Plugs the port in again if its link has thrown it out; it may throw what {@link Link#plug} does. */
    void comeBack() {
        configuring.lock();
        try {
            if (link == null || closed || !wire.isThrownOut()) {
                return;
            }
            Link to = link;
            leave();
            unplugged();
            attach(to);
        } finally {
            configuring.unlock();
        }
    }

    /**
     * Leaves for good, also if the last change is refused because the agent is busy for longer than this waits. The
     * agent gives back what the port has, behind all changes: until it comes to that it may be using it.
     */
    void close(Runnable last, Runnable giveBack) {
        configuring.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            try {
                last.run();
            } finally {
                Wire before = wire;
                wire = null;
                before.execute(giveBack);
                before.close();
                link = null;
                linkName = null;
            }
        } finally {
            configuring.unlock();
        }
    }

    /** Plugs the port into nothing, where it forgets its link before another one can tell it anything. */
    private void unplugged() {
        link = null;
        linkName = null;
        Wire now = spare.plug(port);
        now.execute(() -> port.inside(port::unplugged));
        use(now);
    }

    private void leave() {
        Wire before = wire;
        wire = null;
        before.close();
    }

    private void use(Wire next) {
        wire = next;
        next.wake();
    }

    /**
     * Has a change made by the agent between two cycles, and waits for it. It is made in its order even if it is
     * refused because the agent was busy for longer than this waits: the control agent counts on what it has sent.
     *
     * @throws IllegalStateException inside another change: the thread that makes it is an agent, and may be this
     *        port's, too
     */
    void change(String what, Runnable change) {
        change(what, change, true);
    }

    /** The same, but what is not begun in time is never made: the caller goes on in another way. */
    void changeInTime(String what, Runnable change) {
        change(what, change, false);
    }

    private void change(String what, Runnable change, boolean late) {
        if (CHANGING.get() != null) {
            throw new IllegalStateException("The agent that changes port " + CHANGING.get() + " must not wait for "
                    + what + " of port " + port.name() + ", which may be for itself.");
        }
        configuring.lock();
        try {
            Wire now = wire;
            if (now == null) {
                change.run();
                return;
            }
            CountDownLatch over = new CountDownLatch(1);
            AtomicBoolean claim = new AtomicBoolean();
            now.execute(() -> {
                if (!claim.compareAndSet(false, true)) {
                    return;
                }
                CHANGING.set(port.name());
                try {
                    port.inside(change);
                } finally {
                    CHANGING.remove();
                    over.countDown();
                }
            });
            if (!BoundedWait.until(over) && (late || claim.compareAndSet(false, true) || !BoundedWait.until(over))) {
                LOG.error("port {}: the agent has not taken over {} in time; it is busy elsewhere", port.name(), what);
                throw new Refusal(Errno.ETIMEDOUT, "Port " + port.name() + " has not taken over " + what
                        + " in time: its agent is busy elsewhere. Look into the log.");
            }
        } finally {
            configuring.unlock();
        }
    }
}
