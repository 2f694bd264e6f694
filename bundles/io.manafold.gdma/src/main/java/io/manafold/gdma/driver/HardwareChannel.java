package io.manafold.gdma.driver;

import io.manafold.api.device.PciFunction;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.ChannelInit;
import io.manafold.gdma.Command;
import io.manafold.gdma.DeviceId;
import io.manafold.gdma.EventEntry;
import io.manafold.gdma.Status;
import io.manafold.gdma.message.Message;
import io.manafold.gdma.message.Request;
import io.manafold.gdma.message.Response;
import io.manafold.gdma.message.ResponseHead;
import io.manafold.memory.DmaArena;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;

/**
 * The driver's end of the hardware channel: requests go out, responses and events come in with its worker. Any
 * thread may call.
 */
public final class HardwareChannel implements AutoCloseable {
    /** In place of a slot: there will be none any more. */
    private static final int ENDED = -1;

    private final PciFunction function;
    private final Registers registers;
    private final ChannelLimits limits;
    private final EventHandler listener;
    private final SharedMemoryClient sharedMemory;
    private final ChannelRings rings;
    private final ChannelWorker worker;

    private final int[] init = new int[256];
    private final CompletableFuture<Void> initDone = new CompletableFuture<>();
    /** Where it is rung, once the device has said so; and the event queue, which has a name then. */
    private DoorbellPage page;
    private EventQueue events;

    private final Object sending = new Object();
    private BlockingQueue<Integer> free;
    private AtomicReferenceArray<CompletableFuture<Message>> waiting;
    private final AtomicInteger activity = new AtomicInteger();
    private final AtomicInteger strays = new AtomicInteger();
    private final EventTest test = new EventTest();
    private volatile long timeoutMillis;
    private volatile boolean open;
    private volatile boolean closed;

    /**
     * Sets the channel up and waits until it can be used.
     *
     * @param listener is told of events that are not about the channel itself, by the worker: must not block or call
     * @param workers makes what reads answers and events
     * @throws Refusal {@code EPROTO} or {@code ETIMEDOUT}; nothing is left behind then
     */
    public HardwareChannel(PciFunction function, Registers registers, DmaArena memory, ChannelLimits limits,
            EventHandler listener, ChannelWorker.Factory workers) {
        this.function = function;
        this.registers = registers;
        this.limits = limits;
        this.listener = listener;
        timeoutMillis = limits.command().toMillis();
        sharedMemory = new SharedMemoryClient(registers, limits.sharedMemory().toNanos());
        rings = new ChannelRings(memory);
        worker = workers.begin("manafold-channel-" + function.id(), this::serve);
        function.interrupts().target(0, worker::signal);
        try {
            sharedMemory.establish(rings.establish());
            initDone.get(limits.init().toNanos(), TimeUnit.NANOSECONDS);
            begin();
        } catch (Refusal refused) {
            close();
            throw refused;
        } catch (ExecutionException failed) {
            close();
            throw failed.getCause() instanceof Refusal refused ? refused
                    : new Refusal(Errno.EPROTO, "The hardware channel failed while it came up.", failed.getCause());
        } catch (TimeoutException _) {
            close();
            throw new Refusal(Errno.ETIMEDOUT, function.id() + " did not say all about its hardware channel within "
                    + limits.init().toMillis() + " ms; look after the device.");
        } catch (InterruptedException _) {
            close();
            Thread.currentThread().interrupt();
            throw new Refusal(Errno.EINTR, "The wait for the hardware channel was interrupted.");
        }
    }

    private void begin() {
        int queues = init[ChannelInit.COMPLETION_QUEUES];
        if (init[ChannelInit.COMPLETION_QUEUE] >= queues) {
            throw new Refusal(Errno.EPROTO, function.id() + " names completion queue "
                    + init[ChannelInit.COMPLETION_QUEUE] + " of " + queues
                    + " for its hardware channel, which cannot be; look after the device.");
        }
        int depth = Math.clamp(init[ChannelInit.DEPTH], 1, limits.depth());
        // one place more, for the word that there are none any more
        free = new ArrayBlockingQueue<>(depth + 1);
        waiting = new AtomicReferenceArray<>(depth);
        for (int i = 0; i < depth; i++) {
            free.add(i);
        }
        rings.open(page, init, depth);
        open = true;
    }

    // ---- what comes in, with the worker

    private void serve() {
        // one lap at a time: a device that writes events without end must not keep the worker from ending
        int slots = rings.events().slots();
        int count = 0;
        // what it is called comes as an event, and what has been read goes on from there
        while (count < slots && rings.events().poll(this::event, 1) > 0) {
            count++;
        }
        if (count > 0 && events != null) {
            events.arm();
        }
        if (count == slots) {
            worker.signal();
        }
    }

    private void event(int type, int data) {
        if (events == null && type != EventEntry.CHANNEL_DOORBELL) {
            // without it there is no doorbell to ask for the next interrupt with
            initDone.completeExceptionally(new Refusal(Errno.EPROTO, function.id() + " began the set-up of its"
                    + " hardware channel with the event " + EventEntry.name(type) + "; it must begin with "
                    + EventEntry.name(EventEntry.CHANNEL_DOORBELL) + "."));
            return;
        }
        switch (type) {
            case EventEntry.CHANNEL_DOORBELL -> doorbell(data);
            case EventEntry.CHANNEL_DATA -> init[EventEntry.dataType(data)] = EventEntry.dataValue(data);
            case EventEntry.CHANNEL_DONE -> initDone.complete(null);
            case EventEntry.COMPLETION -> responses();
            case EventEntry.TEST -> test.arrived();
            case EventEntry.SOC_DATA -> {
                if (EventEntry.dataType(data) == EventEntry.SOC_TIMEOUT) {
                    believeTimeout(EventEntry.dataValue(data));
                }
                listener.event(type, data);
            }
            default -> listener.event(type, data);
        }
    }

    /** Said once, before anything else; a queue in use does not get another name. */
    private void doorbell(int data) {
        if (open || events != null) {
            return;
        }
        int number = EventEntry.channelPage(data);
        if (!registers.hasPage(number)) {
            initDone.completeExceptionally(new Refusal(Errno.EPROTO, function.id() + " names doorbell page " + number
                    + " for its hardware channel, which does not lie in its register window; look after the device."));
            return;
        }
        page = registers.page(number);
        events = rings.eventQueue(page, EventEntry.channelEventQueue(data));
    }

    private void responses() {
        if (!open) {
            return;
        }
        for (int i = 0; i < rings.slots() && rings.nextResponse(); i++) {
            Message message = rings.takeResponse();
            if (message == null || message.length() < ResponseHead.SIZE) {
                strays.incrementAndGet();
                continue;
            }
            int slot = ResponseHead.decode(message).messageId();
            CompletableFuture<Message> waiter = slot < waiting.length() ? waiting.getAndSet(slot, null) : null;
            if (waiter == null) {
                strays.incrementAndGet();
            } else {
                // also if the thread that asked has given up: only now can the slot be used for another
                free.add(slot);
                if (!waiter.complete(message)) {
                    strays.incrementAndGet();
                }
            }
        }
        rings.armCompletions();
    }

    // ---- what goes out

    /**
     * Asks and waits for the answer.
     *
     * @throws CommandRefused if the status is no success
     * @throws Refusal {@code ETIMEDOUT} without an answer, {@code EPROTO} for one that does not fit the question,
     *         {@code ENODEV} after {@link #close}
     */
    public <R extends Response> R call(DeviceId device, Request<R> request) {
        return body(request, exchange(device, request));
    }

    /** Asks and waits for the answer for so long at most, if commands may not take less. */
    <R extends Response> R call(DeviceId device, Request<R> request, Duration most) {
        return body(request, send(device, request, Math.min(timeoutMillis, most.toMillis())).await());
    }

    /** Asks and waits for the answer, whatever its status is. */
    public <R extends Response> Reply<R> exchange(DeviceId device, Request<R> request) {
        return send(device, request, timeoutMillis).await();
    }

    /** Asks; the caller awaits the answer, as {@link #call} does. Several questions can be on their way. */
    <R extends Response> Answer<R> ask(DeviceId device, Request<R> request) {
        Answer<Reply<R>> reply = send(device, request, timeoutMillis);
        return () -> body(request, reply.await());
    }

    private static <R extends Response> R body(Request<R> request, Reply<R> reply) {
        if (reply.status() != Status.SUCCESS) {
            throw new CommandRefused(request.command(), reply.status());
        }
        return reply.body();
    }

    private <R extends Response> Reply<R> reply(DeviceId device, Request<R> request, int number, Message answer) {
        Command command = request.command();
        ResponseHead head = ResponseHead.decode(answer);
        if (!device.equals(DeviceId.CHANNEL) && !fits(head, command, device, number)
                || answer.length() > command.responseSize()) {
            throw new Refusal(Errno.EPROTO, "The answer to " + command + " is for another question: " + head + ".");
        }
        if (head.status() != Status.SUCCESS && head.status() != Status.MORE_ENTRIES) {
            return new Reply<>(head.status(), null);
        }
        int got = answer.length();
        answer.resize(command.responseSize());
        Arrays.fill(answer.bytes(), got, answer.length(), (byte) 0);
        return new Reply<>(head.status(), request.answer(answer));
    }

    /**
     * Older firmware knows shorter answers of the function; those of a listed device have had their length from the
     * first.
     */
    private static boolean fits(ResponseHead head, Command command, DeviceId device, int number) {
        boolean ofClient = !device.equals(DeviceId.NONE);
        return head.command() == command.code() && head.device().equals(device) && head.activity() == number
                && (!ofClient || head.version() >= 1
                && Integer.compareUnsigned(head.length(), command.responseSize()) >= 0);
    }

    private <R extends Response> Answer<Reply<R>> send(DeviceId device, Request<R> request, long most) {
        Command command = request.command();
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(most);
        int number = activity.incrementAndGet();
        CompletableFuture<Message> answer = new CompletableFuture<>();
        checkOpen();
        try {
            Integer slot = through(command, () -> free.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS));
            if (slot == null) {
                throw timedOut(command, most);
            }
            if (slot == ENDED) {
                // the next caller that waits is let go, too
                free.add(ENDED);
            }
            checkOpen();
            post(slot, answer, message -> request.write(message, slot, device, number));
        } catch (InterruptedException _) {
            throw interrupted(command);
        } catch (ExecutionException | TimeoutException impossible) {
            throw new IllegalStateException(impossible);
        }
        return () -> reply(device, request, number, receive(command, deadline, most, answer));
    }

    /** A caller that gives up leaves the slot taken until the late answer comes, lest that be taken for another's. */
    private Message receive(Command command, long deadline, long most, CompletableFuture<Message> answer) {
        try {
            return through(command, () -> answer.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException _) {
            answer.cancel(false);
            throw timedOut(command, most);
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof Refusal refused ? refused
                    : new Refusal(Errno.EIO, "The hardware channel failed.", failed.getCause());
        } catch (InterruptedException _) {
            answer.cancel(false);
            throw interrupted(command);
        }
    }

    /** A wait with a limit. */
    private interface Wait<T> {
        T once() throws InterruptedException, ExecutionException, TimeoutException;
    }

    /**
     * An interrupt ends the wait for what makes something; what ends something is waited for, and the interrupt is told
     * after.
     */
    private static <T> T through(Command command, Wait<T> wait) throws InterruptedException, ExecutionException,
            TimeoutException {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return wait.once();
                } catch (InterruptedException early) {
                    if (!command.takesAway()) {
                        throw early;
                    }
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static Refusal interrupted(Command command) {
        Thread.currentThread().interrupt();
        return new Refusal(Errno.EINTR, "The wait for the answer to " + command + " was interrupted.");
    }

    private void post(int slot, CompletableFuture<Message> answer, Consumer<Message> writer) {
        Message message = new Message();
        try {
            writer.accept(message);
        } catch (RuntimeException tooLarge) {
            free.add(slot);
            throw tooLarge;
        }
        waiting.set(slot, answer);
        synchronized (sending) {
            checkOpen();
            rings.send(slot, message);
        }
    }

    private void checkOpen() {
        if (!open || closed) {
            throw new Refusal(Errno.ENODEV, "The hardware channel of " + function.id() + " is closed.");
        }
    }

    private Refusal timedOut(Command command, long most) {
        return new Refusal(Errno.ETIMEDOUT, function.id() + " did not answer " + command + " within " + most
                + " ms; if it answers nothing else either, reset it.");
    }

    /** Has an event sent through the channel's own event queue and waits for it. */
    public void testEvents() {
        test.run(timeoutMillis, () -> call(DeviceId.CHANNEL, test.of(events.id())));
    }

    /** How long a command may take from now on. */
    public void setTimeout(long millis) {
        timeoutMillis = millis;
    }

    /** The device says how long a command may take. */
    void believeTimeout(long millis) {
        timeoutMillis = Math.min(millis, limits.longest().toMillis());
    }

    public long timeoutMillis() {
        return timeoutMillis;
    }

    /** How many requests can be outstanding. */
    public int depth() {
        return waiting.length();
    }

    /** A number the device told at the beginning, of {@link ChannelInit}. */
    public int told(int type) {
        return init[type];
    }

    /** Answers that no request waited for or that could not be read. */
    public int strays() {
        return strays.get();
    }

    /**
     * Has the channel torn down, and with it everything the function had. Callers that wait, be it for an answer or
     * until they may ask, are refused. If the device does not answer, the function is reset.
     */
    @Override
    public void close() {
        end(true);
    }

    /** Ends it without a word to the device, which is gone or another's: callers that wait are refused at once. */
    public void abandon() {
        end(false);
    }

    private void end(boolean answers) {
        synchronized (sending) {
            if (closed) {
                return;
            }
            closed = true;
        }
        if (open) {
            free.add(ENDED);
        }
        try {
            if (answers) {
                sharedMemory.destroy();
            }
        } catch (Refusal _) {
            function.reset();
        } finally {
            if (answers) {
                function.interrupts().clear(0);
            }
            worker.close();
            for (int i = 0; open && i < waiting.length(); i++) {
                CompletableFuture<Message> waiter = waiting.get(i);
                if (waiter != null) {
                    waiter.completeExceptionally(new Refusal(Errno.ENODEV, "The hardware channel of " + function.id()
                            + " was closed before the answer came."));
                }
            }
            rings.free();
        }
    }
}
