package io.manafold.sockets.internal.nio;

import io.manafold.api.refusal.Refusal;
import io.manafold.api.sockets.KnobState;
import io.manafold.api.sockets.QueuesPlan;
import io.manafold.sockets.internal.steering.QueueSteering;
import io.manafold.streams.Context;
import io.manafold.streams.HeldRegion;
import io.manafold.streams.StreamQueues;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Queues over a selector. */
final class NioQueues extends StreamQueues {
    private static final long LONGEST_MILLIS = TimeUnit.HOURS.toMillis(1);
    private static final Consumer<SelectionKey> NOTHING = _ -> {
    };

    /** What is waited for until a time. */
    interface Waiting {
        /** By {@link System#nanoTime}. */
        long until();

        /** It is that time. */
        void due();
    }

    private final QueueSteering steering;
    private final Selector selector;
    private final Consumer<SelectionKey> ready = NioQueues::ready;
    private final List<Waiting> waiting = new ArrayList<>();
    private final Batch batch = new Batch(this);
    private RegionViews[] views = new RegionViews[8];

    NioQueues(QueueSteering steering, Context context, QueuesPlan plan, List<KnobState> knobs) {
        super(context, plan, knobs);
        this.steering = steering;
        try {
            selector = Selector.open();
        } catch (IOException failed) {
            throw new Refusal(NioErrors.errno(failed), "There is no selector for the queues '" + plan.name() + "': "
                    + NioErrors.words(failed) + ".", failed);
        }
    }

    QueueSteering steering() {
        return steering;
    }

    Selector selector() {
        return selector;
    }

    // ---- memory

    /** The ranges of one operation. */
    Batch batch() {
        batch.clear();
        return batch;
    }

    /** A buffer over a range of a region, until another range of it is asked for. */
    ByteBuffer view(HeldRegion region, long offset, int length) {
        return views(region).at(offset, length);
    }

    private RegionViews views(HeldRegion region) {
        int index = region.key() & 0xfff;
        if (index >= views.length) {
            views = Arrays.copyOf(views, Integer.highestOneBit(index) * 2);
        }
        RegionViews known = views[index];
        if (known == null || known.region() != region) {
            known = new RegionViews(region);
            views[index] = known;
        }
        return known;
    }

    // ---- what comes

    private static void ready(SelectionKey key) {
        switch (key.attachment()) {
            case NioEndpoint endpoint -> endpoint.ready(key.readyOps());
            case NioListener listener -> listener.ready();
            default -> throw new IllegalStateException("a channel of nothing");
        }
    }

    @Override
    protected void look() {
        called();
        try {
            selector.selectNow(ready);
        } catch (IOException failed) {
            throw unusable(failed);
        }
    }

    @Override
    protected void rest(long nanos) {
        called();
        long millis = Math.clamp((nanos + 999_999) / 1_000_000, 1, LONGEST_MILLIS);
        try {
            selector.select(ready, millis);
        } catch (IOException failed) {
            throw unusable(failed);
        }
    }

    private Refusal unusable(IOException failed) {
        return new Refusal(NioErrors.errno(failed), "The selector of the queues '" + name()
                + "' does not work any more: " + NioErrors.words(failed) + ". Close them.", failed);
    }

    @Override
    protected void wake() {
        selector.wakeup();
    }

    /** A channel was closed: its descriptor is given back when the selector has seen it. */
    void letGo() {
        called();
        try {
            selector.selectNow(NOTHING);
        } catch (IOException _) {
            // the next look says so
        }
    }

    // ---- what is due

    void schedule(Waiting one) {
        waiting.add(one);
    }

    void unschedule(Waiting one) {
        waiting.remove(one);
    }

    @Override
    protected long timers() {
        if (waiting.isEmpty()) {
            return Long.MAX_VALUE;
        }
        long now = System.nanoTime();
        for (int i = waiting.size() - 1; i >= 0; i--) {
            Waiting one = waiting.get(i);
            if (one.until() - now <= 0) {
                waiting.remove(i);
                one.due();
            }
        }
        long next = Long.MAX_VALUE;
        // with those that wait anew since they were due
        for (int i = 0; i < waiting.size(); i++) {
            next = Math.min(next, waiting.get(i).until() - now);
        }
        return next;
    }

    @Override
    protected void end() {
        waiting.clear();
        try {
            selector.close();
        } catch (IOException _) {
            // its descriptor is given back all the same
        }
        Arrays.fill(views, null);
        batch.forget();
    }

    @Override
    protected boolean isForAnyThread() {
        return true;
    }
}
