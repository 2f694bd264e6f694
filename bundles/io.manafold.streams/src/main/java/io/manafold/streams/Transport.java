package io.manafold.streams;

import io.manafold.api.refusal.Errno;
import io.manafold.api.sockets.EndpointPlan;
import io.manafold.api.sockets.Knob;
import io.manafold.api.sockets.KnobOffer;
import io.manafold.api.sockets.KnobState;
import io.manafold.api.sockets.QueuesPlan;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** A way to carry streams: what all bundles share of it. Any thread may call. */
public abstract class Transport {
    private static final int REMEMBERED = 64;

    private final String name;
    private final AtomicLong last = new AtomicLong();
    private final ArrayDeque<StreamEndpoint> closed = new ArrayDeque<>();
    private final Set<Context> contexts = ConcurrentHashMap.newKeySet();

    protected Transport(String name) {
        this.name = name;
    }

    // ---- what a transport does

    /** Makes queues with knobs that are settled. */
    protected abstract StreamQueues makeQueues(Context context, QueuesPlan plan, List<KnobState> knobs);

    /** Begins to connect; inside the queues. */
    protected abstract StreamEndpoint connect(StreamQueues queues, InetSocketAddress remote, EndpointPlan plan,
            List<KnobState> knobs, long tag);

    /** Listens; inside the queues. */
    protected abstract StreamListener listen(StreamQueues queues, InetSocketAddress local, EndpointPlan plan,
            List<KnobState> knobs, long tag);

    /** What is on the wire. */
    protected String protocol() {
        return "tcp";
    }

    /** An address of this machine at which it can listen. */
    protected InetAddress address() {
        return InetAddress.getLoopbackAddress();
    }

    /** Whether a value that its knob allows can be had. Asks the kernel at most once. */
    protected abstract KnobOffer offer(Knob knob, String value);

    /** The value that is best when nothing is asked. */
    protected abstract String usual(Knob knob);

    /**
     * A region is being registered; what is refused here refuses it. The caller has it alone.
     *
     * @throws io.manafold.api.refusal.Refusal if the memory cannot be made known where it has to be
     */
    protected void registering(HeldRegion region) {
        // most transports tell of memory when it is used first, or never
    }

    /**
     * A region that was closed and is pinned has its last transfer back. Any thread may call, perhaps several at once.
     */
    protected void idle(HeldRegion region) {
        // most transports hear from the kernel when it is idle
    }

    /** A region was closed that is pinned: the kernel is to forget its memory. Any thread may call. */
    protected void closing(HeldRegion region) {
        // no transport of this kind tells the kernel of memory
    }

    // ---- for all

    public final String name() {
        return name;
    }

    final KnobRules rules() {
        return new KnobRules(this);
    }

    final List<KnobOffer> offers() {
        List<KnobOffer> offers = new ArrayList<>();
        for (Knob knob : Knob.values()) {
            for (String value : knob.words()) {
                offers.add(offer(knob, value));
            }
            if (!knob.allows("a-name") && knob.allows("1")) {
                offers.add(offer(knob, "1"));
            }
        }
        return offers;
    }

    protected static KnobOffer yes(Knob knob, String value, String why) {
        return new KnobOffer(knob, value, true, why, 0);
    }

    protected static KnobOffer no(Knob knob, String value, String why) {
        return new KnobOffer(knob, value, false, why, Errno.EOPNOTSUPP.number());
    }

    final String nextName() {
        return name + "-" + last.incrementAndGet();
    }

    /** An endpoint has come to its end. */
    final void closed(StreamEndpoint endpoint) {
        synchronized (closed) {
            if (closed.size() == REMEMBERED) {
                closed.removeFirst();
            }
            closed.addLast(endpoint);
        }
    }

    final List<StreamEndpoint> closed() {
        synchronized (closed) {
            return List.copyOf(closed);
        }
    }

    final Set<Context> contexts() {
        return contexts;
    }

    final void add(Context context) {
        contexts.add(context);
    }

    final void forget(Context context) {
        contexts.remove(context);
    }
}
