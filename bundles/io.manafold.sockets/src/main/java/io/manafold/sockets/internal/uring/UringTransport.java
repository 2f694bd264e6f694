package io.manafold.sockets.internal.uring;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.sockets.EndpointPlan;
import io.manafold.api.sockets.Knob;
import io.manafold.api.sockets.KnobOffer;
import io.manafold.api.sockets.KnobState;
import io.manafold.api.sockets.Knobs;
import io.manafold.api.sockets.QueuesPlan;
import io.manafold.linux.SystemCallException;
import io.manafold.linux.TcpSocket;
import io.manafold.sockets.internal.nio.NioTransport;
import io.manafold.sockets.internal.nio.SendBuffer;
import io.manafold.sockets.internal.steering.QueueSteering;
import io.manafold.streams.Context;
import io.manafold.streams.HeldRegion;
import io.manafold.streams.StreamEndpoint;
import io.manafold.streams.StreamListener;
import io.manafold.streams.StreamQueues;
import io.manafold.streams.Transport;
import io.manafold.uring.Operation;
import io.manafold.uring.Probe;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Streams over rings of the kernel's. Where the kernel gives a process none, or no memory for one, Java's channels
 * carry them instead, and each knob says why. What the kernel can do is found out when it is asked for the first time,
 * and again where it was short of memory or descriptors.
 */
public final class UringTransport extends Transport {
    /** {@code ENOMEM}, {@code ENFILE}, {@code EMFILE} and {@code ENOBUFS}. */
    private static final Set<Integer> PASSING = Set.of(12, 23, 24, 105);
    /** What connections are carried with, or memory registered: that is asked for again when the kernel was short. */
    private static final List<Operation> ASKED_AGAIN = List.of(Operation.RING, Operation.ACCEPT_MULTISHOT,
            Operation.SEND_GATHERED, Operation.RECEIVE_MULTISHOT, Operation.REGISTERED_BUFFERS,
            Operation.SEND_ZERO_COPY);
    private static final String CARRIED = "the transport nio carries it: ";

    private final QueueSteering steering;
    private final NioTransport instead;
    private final Set<UringQueues> queues = ConcurrentHashMap.newKeySet();
    private final Supplier<List<Probe.Answer>> probe;
    private final Duration again;
    private volatile Known known;

    /** What the kernel has answered, and when. */
    private record Known(List<Probe.Answer> answers, long nanos) {
        /** Whether the kernel has just been short of what one of these needs: it may have some later. */
        boolean isPassing() {
            return ASKED_AGAIN.stream().anyMatch(one -> PASSING.contains(answers.get(one.ordinal()).errno()));
        }

        /** What the kernel answers now, and what it could do before: it may be short of that this time. */
        Known with(List<Probe.Answer> now) {
            return new Known(now.stream().map(answer -> answers.get(answer.operation().ordinal()).available()
                    ? answers.get(answer.operation().ordinal()) : answer).toList(), System.nanoTime());
        }
    }

    /** On a platform without ports. */
    public UringTransport() {
        this(QueueSteering.NONE);
    }

    public UringTransport(QueueSteering steering) {
        this(steering, Probe::run, Duration.ofSeconds(5));
    }

    /** @param again after which the kernel is asked again that was short of something */
    UringTransport(QueueSteering steering, Supplier<List<Probe.Answer>> probe, Duration again) {
        super("uring");
        this.steering = steering;
        this.probe = probe;
        this.again = again;
        instead = new NioTransport(steering);
    }

    QueueSteering steering() {
        return steering;
    }

    // ---- what the kernel can do

    private Probe.Answer answer(Operation operation) {
        Known now = known;
        if (isToBeAsked(now)) {
            synchronized (this) {
                now = known;
                if (isToBeAsked(now)) {
                    List<Probe.Answer> answers = probe.get();
                    now = now == null ? new Known(answers, System.nanoTime()) : now.with(answers);
                    known = now;
                }
            }
        }
        return now.answers().get(operation.ordinal());
    }

    private boolean isToBeAsked(Known now) {
        return now == null || now.isPassing() && System.nanoTime() - now.nanos() > again.toNanos();
    }

    boolean can(Operation operation) {
        return answer(operation).available();
    }

    /** Why there are no rings, {@code null} if there are. */
    private String whyNot() {
        for (Operation needed : List.of(Operation.RING, Operation.SEND_GATHERED, Operation.RECEIVE_MULTISHOT)) {
            if (!can(needed)) {
                return answer(needed).why();
            }
        }
        return null;
    }

    @Override
    protected KnobOffer offer(Knob knob, String value) {
        String whyNot = whyNot();
        if (whyNot != null) {
            KnobOffer other = instead.offer(knob, value);
            return new KnobOffer(knob, value, other.available(), CARRIED + clause(whyNot)
                    + (other.available() ? "" : "; " + other.why()), other.available() ? 0 : answer(Operation.RING)
                    .errno());
        }
        return switch (knob) {
            case MEMORY -> value.equals("plain") ? yes(knob, value, "the kernel learns of memory with each transfer")
                    : kernels(knob, value, "known to the kernel once for all that is sent where it lies",
                            Operation.REGISTERED_BUFFERS, Operation.SEND_ZERO_COPY_REGISTERED);
            case QUEUES -> yes(knob, value, value.equals("ring") ? "what is asked together is one system call"
                    : "each request is a system call");
            case GATHER -> yes(knob, value, value.equals("on") ? "what is posted together is one operation"
                    : "each send is an operation of its own");
            case WAIT -> switch (value) {
                case "sleep" -> yes(knob, value, "asleep in the ring");
                case "spin" -> yes(knob, value, "the ring is looked at again and again, without a system call");
                default -> kernels(knob, value, "a thread of the kernel looks for requests",
                        Operation.SUBMISSION_POLLING);
            };
            case SEND -> value.equals("copy") ? yes(knob, value, "the kernel copies what is sent")
                    : kernels(knob, value, value.equals("auto") ? "sent where it lies while that is no copy after all"
                            : "sent where it lies", Operation.SEND_ZERO_COPY);
            case RECEIVE -> switch (value) {
                case "posted" -> yes(knob, value, "a receive for each buffer");
                case "pool" -> kernels(knob, value, "the kernel picks buffers from the pool",
                        Operation.RECEIVE_MULTISHOT);
                default -> kernels(knob, value, "the kernel puts what comes into pages of pools, by a copy because no "
                        + "card belongs to them", Operation.AREA);
            };
            case ACCEPT -> value.equals("single") ? yes(knob, value, "one connection each time")
                    : kernels(knob, value, "as many as come, with one request", Operation.ACCEPT_MULTISHOT);
            case BUSYPOLL -> value.equals("0") ? yes(knob, value, "the kernel does not poll the card")
                    : kernels(knob, value, "the kernel polls cards that can be polled", Operation.BUSY_POLL);
            case QUEUE -> steering.offer(value);
            case CONGESTION -> congestion(value);
            case NODELAY -> yes(knob, value, value.equals("on") ? "small sends leave at once"
                    : "small sends wait for acknowledgements");
            case KEEPALIVE -> yes(knob, value, value.equals("0") ? "a peer that vanishes is noticed by sending"
                    : "the kernel asks after so many seconds without a word");
            case BUFFERS -> yes(knob, value, value.equals("0") ? "as the kernel sizes them"
                    : "the kernel keeps its own limits");
        };
    }

    private KnobOffer kernels(Knob knob, String value, String why, Operation... needed) {
        for (Operation operation : needed) {
            Probe.Answer answer = answer(operation);
            if (!answer.available()) {
                return new KnobOffer(knob, value, false, clause(answer.why()), answer.errno());
            }
        }
        return yes(knob, value, why);
    }

    private static KnobOffer congestion(String value) {
        if (value.equals(Knob.CONGESTION.classic())) {
            return yes(Knob.CONGESTION, value, "the kernel's own choice");
        }
        try (TcpSocket tried = TcpSocket.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            tried.congestion(value);
            return yes(Knob.CONGESTION, value, "the kernel has it, and lets this user pick it");
        } catch (SystemCallException failed) {
            return new KnobOffer(Knob.CONGESTION, value, false, "the kernel answers to " + failed.getMessage(),
                    failed.errno());
        }
    }

    /** A sentence as a part of another. */
    private static String clause(String sentence) {
        String bare = sentence.endsWith(".") ? sentence.substring(0, sentence.length() - 1) : sentence;
        return bare.isEmpty() ? bare : Character.toLowerCase(bare.charAt(0)) + bare.substring(1);
    }

    @Override
    protected String usual(Knob knob) {
        if (whyNot() != null) {
            return instead.usual(knob);
        }
        return knob == Knob.QUEUES ? "ring" : instead.usual(knob);
    }

    // ---- making

    @Override
    protected StreamQueues makeQueues(Context context, QueuesPlan plan, List<KnobState> knobs) {
        if (whyNot() != null) {
            return instead.makeQueues(context, plan, knobs);
        }
        try {
            UringQueues made = new UringQueues(this, context, plan, knobs);
            queues.add(made);
            return made;
        } catch (Refusal refused) {
            if (refused.errno() != Errno.ENOMEM && refused.errno() != Errno.EPERM) {
                throw refused;
            }
            return instead.makeQueues(context, plan, knobs.stream().map(state -> fallen(plan.knobs(), state,
                    refused.getMessage())).toList());
        }
    }

    /** A knob as Java's channels have it; one that was demanded and cannot be had is refused. */
    private KnobState fallen(Knobs asked, KnobState state, String why) {
        Knob knob = state.knob();
        boolean isThere = instead.offer(knob, state.got()).available();
        if (!isThere && asked.asked(knob) != null && !asked.isPreferred(knob)) {
            throw new Refusal(Errno.ENOMEM, "The knob " + knob.word() + " cannot be '" + state.got() + "'. " + why
                    + " Prefer it instead of demanding it, and the transport nio carries it.");
        }
        // not the reason of before, which is a ring's
        return new KnobState(knob, state.asked(), isThere ? state.got() : instead.usual(knob), CARRIED + clause(why));
    }

    /** Knobs of an endpoint or a listener whose queues are carried by Java's channels, and have said why. */
    private List<KnobState> withoutARing(Knobs asked, List<KnobState> knobs) {
        return knobs.stream().map(state -> state.knob().ofQueues() ? state
                : fallen(asked, state, "Its queues have no ring.")).toList();
    }

    @Override
    protected StreamEndpoint connect(StreamQueues on, InetSocketAddress remote, EndpointPlan plan,
            List<KnobState> knobs, long tag) {
        if (!(on instanceof UringQueues ours)) {
            return instead.connect(on, remote, plan, withoutARing(plan.knobs(), knobs), tag);
        }
        TcpSocket socket = null;
        UringEndpoint made = null;
        try {
            socket = TcpSocket.open(remote);
            ours.called();
            boolean isLocal = QueueSteering.isLocal(remote);
            List<KnobState> placed = placed(ours, plan.knobs(), isLocal ? SendBuffer.local(knobs) : knobs);
            counted(ours, Settings.prepare(socket, placed));
            TcpSocket bound = socket;
            List<KnobState> steered = steering.depart(plan.knobs(), placed, remote, local -> isBound(ours, bound,
                    local));
            made = new UringEndpoint(ours, socket, plan, steered, isLocal);
            made.connect(remote, plan, tag);
            return made;
        } catch (SystemCallException failed) {
            close(socket);
            throw Failures.refusal("There is no socket to connect to " + remote, failed);
        } catch (Refusal refused) {
            if (made != null) {
                made.unmade();
            }
            close(socket);
            throw refused;
        }
    }

    /** Areas are of queues that were made for them: completions of others cannot say where things came. */
    private static List<KnobState> placed(UringQueues on, Knobs asked, List<KnobState> settled) {
        List<KnobState> knobs = on.asGot(settled);
        if (on.hasAreas() || !Settings.is(knobs, Knob.RECEIVE, UringQueues.AREA)) {
            return knobs;
        }
        String why = "its queues were made without it";
        if (!asked.isPreferred(Knob.RECEIVE)) {
            throw new Refusal(Errno.EINVAL, "The knob receive cannot be 'area': " + why
                    + ". Ask it of the queues as well, or prefer it instead of demanding it.");
        }
        return knobs.stream().map(state -> state.knob() != Knob.RECEIVE ? state
                : new KnobState(Knob.RECEIVE, state.asked(), "pool", "not area: " + why)).toList();
    }

    private static boolean isBound(UringQueues on, TcpSocket socket, InetSocketAddress local)
            throws SystemCallException {
        on.called();
        try {
            socket.bind(local);
            return true;
        } catch (SystemCallException taken) {
            if (taken.errno() == Errno.EADDRINUSE.number()) {
                return false;
            }
            throw taken;
        }
    }

    @Override
    protected StreamListener listen(StreamQueues on, InetSocketAddress local, EndpointPlan plan, List<KnobState> asked,
            long tag) {
        if (!(on instanceof UringQueues ours)) {
            return instead.listen(on, local, plan, withoutARing(plan.knobs(), asked), tag);
        }
        List<KnobState> knobs = placed(ours, plan.knobs(), steering.arrive(plan.knobs(), asked));
        TcpSocket socket = null;
        try {
            socket = TcpSocket.listen(local, plan.backlog());
            counted(ours, 4 + Settings.prepare(socket, knobs));
            return new UringListener(ours, socket, socket.local(), plan, knobs, tag);
        } catch (SystemCallException failed) {
            close(socket);
            throw Failures.refusal("Nothing listens at " + local, failed);
        }
    }

    private static void counted(UringQueues on, int calls) {
        for (int i = 0; i < calls; i++) {
            on.called();
        }
    }

    private static void close(TcpSocket socket) {
        if (socket != null) {
            socket.close();
        }
    }

    // ---- what ends

    @Override
    protected void closing(HeldRegion region) {
        for (UringQueues one : queues) {
            one.closing(region);
        }
    }

    void forget(UringQueues gone) {
        queues.remove(gone);
    }
}
