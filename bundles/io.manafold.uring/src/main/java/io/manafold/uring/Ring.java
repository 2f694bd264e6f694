package io.manafold.uring;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.linux.Descriptor;
import io.manafold.linux.RingCalls;
import io.manafold.linux.SystemCallException;
import io.manafold.memory.RawMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/**
 * A ring of the kernel's: requests go in, completions come out. It is made by any thread and belongs to the one that
 * {@link #enable enables} it: only that one adds, enters and registers, and another reads or closes only while that one
 * does nothing with it. Completions come about when it enters. Nothing here allocates after set-up, and what the kernel
 * wrote is judged before it is used.
 */
public final class Ring implements AutoCloseable {
    /** Flag of a completion: the upper 16 bits of its flags name a buffer. */
    public static final int BUFFER = 1;
    /** Flag of a completion: its request will have another. */
    public static final int MORE = 2;
    /** Flag of a completion: the socket had more to receive. */
    public static final int NONEMPTY = 4;
    /** Flag of a completion: it is the second of a send without a copy. */
    public static final int NOTIFICATION = 8;
    /** In the result of a {@link #NOTIFICATION}: the kernel copied, at least in part. */
    public static final int COPIED = 1 << 31;

    private static final int SETUP_POLLING = 1 << 1;
    private static final int SETUP_COMPLETIONS = 1 << 3;
    private static final int SETUP_DISABLED = 1 << 6;
    private static final int SETUP_SUBMIT_ALL = 1 << 7;
    private static final int SETUP_TASK_FLAG = 1 << 9;
    private static final int SETUP_WIDE = 1 << 11;
    private static final int SETUP_SINGLE_ISSUER = 1 << 12;
    private static final int SETUP_DEFERRED = 1 << 13;
    private static final int SETUP_NO_NUMBERS = 1 << 16;

    private static final int NEED_WAKEUP = 1;
    private static final int OVERFLOWN = 2;
    private static final int TASKS = 4;

    private static final int ENTER_GET = 1;
    private static final int ENTER_WAKE = 2;
    private static final int ENTER_ARGUMENT = 8;

    private static final int REGISTER_ENABLE = 12;
    private static final int REGISTER_NAPI = 27;
    private static final int ARGUMENT = 24;
    private static final int WIDE_SHIFT = 5;

    private final Descriptor descriptor;
    private final int number;
    private final RingMemory memory;
    private final Arena arena;
    private final long argumentAddress;
    private final long timeAddress;
    private final int requestMask;
    private final int completionMask;
    private final int completionShift;
    private final boolean polling;
    /** Requests added, told to the kernel or not. */
    private int tail;
    /** Where the next completion to read is. */
    private int head;
    private long calls;

    private Ring(Descriptor descriptor, RingMemory memory, Arena arena, boolean wide) {
        this.descriptor = descriptor;
        this.memory = memory;
        this.arena = arena;
        number = descriptor.number();
        requestMask = memory.requests - 1;
        completionMask = memory.completions - 1;
        completionShift = wide ? WIDE_SHIFT : WIDE_SHIFT - 1;
        polling = (memory.flags & SETUP_POLLING) != 0;
        argumentAddress = arena.allocate(ARGUMENT + 16, 8).address();
        timeAddress = argumentAddress + ARGUMENT;
        RawMemory.put32(argumentAddress + 8, 8);
        tail = RawMemory.get32(memory.tailOfRequests);
        head = RawMemory.get32(memory.headOfCompletions);
    }

    /**
     * Makes one that does nothing until it is enabled. Kernels that lack a way of working are asked again without it.
     *
     * @throws Refusal {@code EPERM} where io_uring is forbidden, {@code ENOMEM} where not enough memory can be locked,
     *     and whatever else the kernel says
     */
    public static Ring open(RingSetup setup) {
        boolean polls = setup.pollingMillis() > 0;
        int base = SETUP_COMPLETIONS | SETUP_DISABLED | (polls ? SETUP_POLLING : 0) | (setup.wide() ? SETUP_WIDE : 0);
        int single = SETUP_SUBMIT_ALL | SETUP_SINGLE_ISSUER | (polls ? 0 : SETUP_DEFERRED | SETUP_TASK_FLAG);
        int[] ways = {base | single | SETUP_NO_NUMBERS, base | single, base};
        for (int i = 0; ; i++) {
            Ring made = tried(setup, ways[i], i == ways.length - 1);
            if (made != null) {
                return made;
            }
        }
    }

    /** A ring that works in a way, or {@code null} where the kernel does not know the way. */
    private static Ring tried(RingSetup setup, int flags, boolean last) {
        String what = "A ring for " + setup.requests() + " requests was not made";
        Arena arena = Arena.ofShared();
        Descriptor descriptor = null;
        try {
            RingMemory.Parameters parameters = new RingMemory.Parameters(arena, setup, flags);
            long answer = Limits.patiently(() -> RingCalls.setup(setup.requests(), parameters.address()));
            if (answer == -Limits.EINVAL && !last) {
                arena.close();
                return null;
            }
            if (answer < 0) {
                throw Limits.refusal(what, answer);
            }
            descriptor = new Descriptor((int) answer);
            RingMemory memory = new RingMemory(descriptor.number(), parameters, (flags & SETUP_NO_NUMBERS) == 0,
                    setup.wide() ? 2 * RingMemory.CQE : RingMemory.CQE);
            return new Ring(descriptor, memory, arena, setup.wide());
        } catch (SystemCallException | RuntimeException refused) {
            if (descriptor != null) {
                descriptor.close();
            }
            arena.close();
            throw refused instanceof SystemCallException failed
                    ? new Refusal(Errno.EIO, what + ": the kernel answers to " + failed.getMessage() + ".", failed)
                    : (RuntimeException) refused;
        }
    }

    /** Makes it the calling thread's, and lets it work. */
    public void enable() {
        long answer = register(REGISTER_ENABLE, 0, 0);
        if (answer < 0) {
            throw Limits.refusal("A ring was not enabled", answer);
        }
    }

    /** Whether a thread of the kernel looks for requests by itself. */
    public boolean isPolling() {
        return polling;
    }

    /** Whether completions come about only when its thread enters. */
    public boolean isDeferred() {
        return (memory.flags & SETUP_DEFERRED) != 0;
    }

    /** How many requests it holds until they are begun. */
    public int capacity() {
        return memory.requests;
    }

    /** How many more requests can be added before {@link #submit}. */
    public int room() {
        return memory.requests - unsent();
    }

    /** Requests that the kernel has not taken. */
    private int unsent() {
        int count = tail - RawMemory.getAcquire32(memory.headOfRequests);
        return count < 0 || count > memory.requests ? memory.requests : count;
    }

    /** Adds a request to those that {@link #submit} begins. Answers false when there is no room. */
    public boolean add(Request request, long address, int length, long tag) {
        if (room() == 0) {
            return false;
        }
        request.put(memory.requestBase + ((long) (tail & requestMask) << 6), address, length, tag);
        tail++;
        return true;
    }

    /**
     * As {@link #add(Request, long, int, long)}, from another slot of the {@link BufferTable} than the request's own.
     */
    public boolean add(Request request, int buffer, long address, int length, long tag) {
        if (room() == 0) {
            return false;
        }
        request.put(memory.requestBase + ((long) (tail & requestMask) << 6), buffer & 0xffffL, address, length, tag);
        tail++;
        return true;
    }

    /**
     * Has all that was added begun, and completions come about that can; does not wait. Enters the kernel only if there
     * is something to do there.
     *
     * @return 0, or a negative error number: {@code EAGAIN} and {@code EBUSY} pass, once completions have been read
     */
    public int submit() {
        publish();
        int flags = flags();
        if (polling) {
            return (flags & NEED_WAKEUP) != 0 ? enter(unsent(), 0, ENTER_WAKE, 0, 0)
                    : (flags & OVERFLOWN) != 0 ? enter(0, 0, ENTER_GET, 0, 0) : 0;
        }
        int count = unsent();
        return count == 0 && (flags & (TASKS | OVERFLOWN)) == 0 ? 0 : enter(count, 0, ENTER_GET, 0, 0);
    }

    /**
     * As {@link #submit}, and then waits until a number of completions can be read or a time has passed; −1 for no end.
     */
    public int await(int completions, long nanos) {
        publish();
        int wake = 0;
        int count = unsent();
        if (polling) {
            wake = (flags() & NEED_WAKEUP) != 0 ? ENTER_WAKE : 0;
        }
        if (nanos >= 0) {
            RawMemory.put64(timeAddress, nanos / 1_000_000_000);
            RawMemory.put64(timeAddress + 8, nanos % 1_000_000_000);
        }
        RawMemory.put64(argumentAddress + 16, nanos < 0 ? 0 : timeAddress);
        return enter(count, completions, ENTER_GET | ENTER_ARGUMENT | wake, argumentAddress, ARGUMENT);
    }

    private void publish() {
        RawMemory.putRelease32(memory.tailOfRequests, tail);
        if (polling) {
            // the kernel's thread goes to sleep only after it has looked at the tail once more
            VarHandle.fullFence();
        }
    }

    private int flags() {
        return RawMemory.getAcquire32(memory.requestFlags);
    }

    private int enter(int count, int complete, int flags, long address, long bytes) {
        calls++;
        long answer = RingCalls.enter(number, count, complete, flags, address, bytes);
        return answer >= 0 || answer == -Limits.EINTR || answer == -Limits.ETIME ? 0 : (int) answer;
    }

    /** How many completions can be read now, without entering the kernel. */
    public int ready() {
        int count = RawMemory.getAcquire32(memory.tailOfCompletions) - head;
        if (count < 0 || count > memory.completions) {
            throw new IllegalStateException("A ring of " + memory.completions + " completions has " + count + ".");
        }
        return count;
    }

    /** Whether the kernel holds completions that appear when it is entered. */
    public boolean hasPending() {
        return (flags() & (TASKS | OVERFLOWN)) != 0;
    }

    private long completion(int index) {
        return memory.completionBase + ((long) (head + index & completionMask) << completionShift);
    }

    /** The tag of a completion, counted from the first unread. */
    public long tag(int index) {
        return RawMemory.get64(completion(index));
    }

    /** Its result, or a negative error number. */
    public int result(int index) {
        return RawMemory.get32(completion(index) + 8);
    }

    /** Its flags. */
    public int flags(int index) {
        return RawMemory.get32(completion(index) + 12);
    }

    /** Where in its {@link ReceiveArea} the bytes are; of a ring with wide completions. */
    public long place(int index) {
        if (completionShift != WIDE_SHIFT) {
            throw new IllegalStateException("The completions of this ring say of no area.");
        }
        return RawMemory.get64(completion(index) + 16);
    }

    /** The buffer that its flags name. */
    public static int buffer(int flags) {
        return flags >>> 16;
    }

    /** Gives the kernel the room of completions that have been read. */
    public void done(int count) {
        head += count;
        RawMemory.putRelease32(memory.headOfCompletions, head);
    }

    /** How often the ring was entered or told something. */
    public long calls() {
        return calls;
    }

    /** Completions that the kernel lost for want of memory; 0 where it keeps them. */
    public int lost() {
        return RawMemory.getAcquire32(memory.overflow);
    }

    /**
     * Has waits look at the queues of cards themselves for that long, where the sockets' cards can.
     *
     * @return 0 or a negative error number
     */
    public int busyPoll(int micros) {
        try (Arena words = Arena.ofConfined()) {
            MemorySegment napi = words.allocate(16, 8);
            napi.set(JAVA_INT, 0, micros);
            return (int) register(REGISTER_NAPI, napi.address(), 1);
        }
    }

    /** Tells the ring something; 0 or more, or a negative error number. */
    long register(int operation, long address, int count) {
        calls++;
        return RingCalls.register(number, operation, address, count);
    }

    /** Gives it back. What is still under way is cancelled some time after; registered memory is let go before. */
    @Override
    public void close() {
        if (!descriptor.isOpen()) {
            return;
        }
        descriptor.close();
        try {
            memory.close();
        } catch (SystemCallException full) {
            // the addresses stay taken, harmlessly: nothing uses them any more
        }
        arena.close();
    }
}
