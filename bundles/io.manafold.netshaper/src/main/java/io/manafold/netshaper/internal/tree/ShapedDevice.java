package io.manafold.netshaper.internal.tree;

import io.manafold.api.device.SavedSettings;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.NotKept;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.shaper.Shaper;
import io.manafold.api.shaper.ShaperCall;
import io.manafold.api.shaper.ShaperCapability;
import io.manafold.api.shaper.ShaperEvent;
import io.manafold.api.shaper.ShaperEvent.Cause;
import io.manafold.api.shaper.ShaperHandle;
import io.manafold.api.shaper.ShaperOps;
import io.manafold.api.shaper.ShaperScope;
import io.manafold.api.shaper.ShaperStatus;
import io.manafold.api.shaper.ShaperWatcher;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A network device whose driver knows shapers: its tree, what is kept of it for later, and what happens to the device.
 * There is one lock, the driver's; what reads takes none.
 */
public final class ShapedDevice implements ShaperWatcher, ShaperTree.Changes {
    private static final Logger LOG = LoggerFactory.getLogger(ShapedDevice.class);
    private static final long PATIENCE_SECONDS = 4;

    private final ShaperOps ops;
    private final DriverCalls driver;
    private final Executor later;
    private final Consumer<ShaperEvent> events;
    private final ShaperTree tree;
    private final Keeping keeping;
    private final CountDownLatch begun = new CountDownLatch(1);
    private boolean told;
    private volatile boolean gone;

    /**
     * @param settings where it is kept; {@code null} for nowhere
     * @param later carries out what must not be done under the device's lock
     */
    public ShapedDevice(ShaperOps ops, SavedSettings settings, Executor later, Consumer<ShaperEvent> events) {
        this.ops = ops;
        this.driver = DriverCalls.of(ops);
        this.later = later;
        this.events = events;
        this.tree = new ShaperTree(name(), driver, this, Records.NONE);
        this.keeping = new Keeping(name(), settings == null ? null : settings.subject(SavedSettings.SHAPERS,
                ops.device().address(), ops.device().port()), settings);
    }

    public String name() {
        return ops.device().name();
    }

    public int index() {
        return ops.device().index();
    }

    public boolean groups() {
        return ops.groups();
    }

    public int queues() {
        return ops.queues();
    }

    public Set<ShaperCapability> capabilities(ShaperScope scope) {
        return ops.capabilities(scope);
    }

    public Records records() {
        return tree.records();
    }

    public List<ShaperStatus> status() {
        return ops.status();
    }

    public boolean isGone() {
        return gone;
    }

    /**
     * Does something with the tree under the device's lock; what it leaves behind is on disk when this returns.
     *
     * @throws io.manafold.api.refusal.NotKept if it is done and cannot be written now
     */
    public <T> T locked(Function<ShaperTree, T> call) {
        T done;
        try {
            done = underLock(() -> call.apply(tree));
        } catch (RuntimeException | Error refused) {
            // what was done before the refusal is kept as well; the refusal is what the caller has to know
            writeQuietly();
            throw refused;
        }
        keeping.write();
        return done;
    }

    private void writeQuietly() {
        attempt(keeping::write);
    }

    /** Has something done with a copy; answers what the driver would have been told. */
    public List<ShaperCall> rehearsed(Consumer<ShaperTree> call) {
        return underLock(() -> {
            List<ShaperCall> calls = new ArrayList<>();
            call.accept(new ShaperTree(name(), DriverCalls.into(calls), ShaperTree.Changes.IGNORED, tree.records()));
            return calls;
        });
    }

    private <T> T underLock(Supplier<T> call) {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        // a command in the midst of the beginning would not know of the plans that it goes against
        if (!isBegun(until) || !isFree(until)) {
            throw new Refusal(Errno.EBUSY, name() + " has been busy with something else for " + PATIENCE_SECONDS
                    + " seconds; nothing was changed. Try again when that is over.");
        }
        return held(call);
    }

    private boolean isBegun(long until) {
        try {
            return begun.await(until - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException hurried) {
            throw interrupted();
        }
    }

    /** Takes the device's lock if it is to be had soon. */
    private boolean isFreeSoon() {
        return isFree(System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS));
    }

    private boolean isFree(long until) {
        try {
            return ops.lock().tryLock(until - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException hurried) {
            throw interrupted();
        }
    }

    private Refusal interrupted() {
        Thread.currentThread().interrupt();
        return new Refusal(Errno.EINTR, "The command that waited for " + name()
                + " was interrupted; nothing was changed.");
    }

    /**
     * Does something that no command tries again: however long the device is busy, it is done when that is over, unless
     * the device goes. Refusals are logged.
     */
    private void whenFree(Consumer<ShaperTree> call) {
        attempt(() -> {
            boolean told = false;
            while (!isFreeSoon()) {
                if (gone) {
                    return;
                }
                if (!told) {
                    told = true;
                    LOG.warn("{}: it has been busy for {} seconds; its shapers are put in place when that is over",
                            name(), PATIENCE_SECONDS);
                }
            }
            try {
                held(() -> {
                    call.accept(tree);
                    return null;
                });
            } finally {
                writeQuietly();
            }
        });
    }

    /** Does something with the lock held, and gives it back. */
    private <T> T held(Supplier<T> call) {
        try {
            if (gone) {
                throw new Refusal(Errno.ENODEV, name() + " has gone in the meantime; nothing was changed.");
            }
            if (!told) {
                told = true;
                replay(keeping.read());
            }
            return call.get();
        } finally {
            keeping.note(tree.records());
            ops.lock().unlock();
        }
    }

    /** Tells the driver what was kept from before, if that has not been done yet, and then what plans say. */
    public void begin(Collection<Shaper> plans) {
        try {
            whenFree(_ -> { });
            plans.forEach(this::plan);
        } finally {
            begun.countDown();
        }
    }

    /** What there is once {@link #begin} is over, so that no user sees a device without what was kept. */
    public Records settled() {
        try {
            if (!begun.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                LOG.debug("{}: what was kept is still not in place", name());
            }
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
        return tree.records();
    }

    /** Sets what a plan says, unless an administrator has set something else. */
    public void plan(Shaper shaper) {
        whenFree(now -> {
            if (keeping.isOutdated(shaper)) {
                LOG.info("{}: its lab's file says something else of {} than when it was set by hand; the file holds",
                        name(), shaper.handle());
                if (now.records().get(shaper.handle()) != null) {
                    now.delete(shaper.handle());
                }
                keeping.forget(shaper.handle());
            }
            // also where something else was set by hand: to take that away is to take away what the plan says
            boolean isThere = now.records().get(shaper.handle()) != null
                    || keeping.pending().containsKey(shaper.handle());
            keeping.planned(shaper, isThere);
            if (!isThere && keeping.isFree(shaper.handle())) {
                TreeBuilder builder = new TreeBuilder(now, keeping.wanted(), queues());
                if (!builder.put(shaper)) {
                    keeping.waits(shaper);
                }
                if (builder.isAway(shaper)) {
                    throw new Refusal(Errno.ENOENT, shaper.handle() + " is limited when it comes, there are " + queues()
                            + " queues now");
                }
            } else if (!isThere) {
                LOG.info("{}: its lab's file has {}, which was taken away by hand and stays away; it is there again "
                        + "when it is set by hand, when the file says something else of it, or after 'settings forget "
                        + "{}'", name(), shaper.handle(), name());
            }
        });
    }

    /** Has what waits for queues that have come in the meantime. */
    private void catchUp() {
        whenFree(now -> {
            TreeBuilder builder = new TreeBuilder(now, keeping.wanted(), queues());
            for (Shaper shaper : keeping.pending().values()) {
                if (shaper.handle().scope() == ShaperScope.QUEUE && now.records().get(shaper.handle()) == null) {
                    // one that is refused goes on waiting, and keeps no other from its place
                    attempt(() -> builder.put(shaper));
                }
            }
        });
    }

    /** A plan has ended, and with it what it said. */
    public void unplan(ShaperHandle handle) {
        whenFree(now -> {
            Shaper there = now.records().get(handle);
            if (keeping.unplanned(handle, there)) {
                now.delete(handle);
            }
        });
    }

    private void attempt(Runnable call) {
        try {
            call.run();
        } catch (NotKept later) {
            LOG.warn("{}: {}", name(), later.getMessage());
        } catch (Refusal refused) {
            if (!gone) {
                LOG.warn("{}: its shapers are not as they should be: {}", name(), refused.getMessage());
            }
        }
    }

    private void replay(Collection<Shaper> wanted) {
        if (wanted.isEmpty()) {
            return;
        }
        ShaperTree again = new ShaperTree(name(), driver, ShaperTree.Changes.IGNORED, Records.NONE);
        Replay.of(wanted, ops.queues(), again, driver)
                .forEach(failure -> LOG.warn("{}: a shaper is pending: {}", name(), failure));
        tree.replace(again.records());
        keeping.pending(wanted.stream().filter(shaper -> again.records().get(shaper.handle()) == null).toList());
    }

    @Override
    public void recorded(ShaperHandle handle, Shaper now, Cause cause) {
        keeping.recorded(handle, now, cause);
        events.accept(new ShaperEvent(name(), handle, now, cause));
    }

    @Override
    public void queues(int count) {
        if (!gone && told) {
            tree.shrink(count);
            keeping.note(tree.records());
            // it runs when the device's lock is free again, and the number of queues is what it is to be
            later.execute(this::catchUp);
        }
    }

    @Override
    public void forgotten() {
        if (!gone && told) {
            Map<ShaperHandle, Shaper> wanted = new TreeMap<>(keeping.pending());
            tree.records().all().forEach(shaper -> wanted.put(shaper.handle(), shaper));
            replay(wanted.values());
            keeping.note(tree.records());
            later.execute(this::writeQuietly);
        }
    }

    /** The device has left; what is under way ends first, and what is kept stays. */
    public void leave() {
        gone = true;
        // who waits for its beginning waits no longer
        begun.countDown();
        try {
            if (ops.lock().tryLock(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                ops.lock().unlock();
            } else {
                LOG.warn("{}: its driver leaves while something is being changed", name());
            }
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
        keeping.end();
    }
}
