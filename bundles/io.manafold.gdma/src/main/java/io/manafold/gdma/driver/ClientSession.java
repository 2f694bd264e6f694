package io.manafold.gdma.driver;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.DeviceId;
import io.manafold.gdma.QueueType;
import io.manafold.gdma.message.AllocateResourceRange;
import io.manafold.gdma.message.CreatePd;
import io.manafold.gdma.message.DeregisterDevice;
import io.manafold.gdma.message.DestroyResourceRange;
import io.manafold.gdma.message.DisableQueue;
import io.manafold.gdma.message.Done;
import io.manafold.gdma.message.GenerateTestEvent;
import io.manafold.gdma.message.RegisterDevice;
import io.manafold.gdma.message.Request;
import io.manafold.gdma.message.Response;
import io.manafold.memory.DmaArena;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/**
 * One device of a function's list in use: what it may be asked, and what queues of it are made with. Closing gives the
 * device back and touches no other client of the function.
 */
public final class ClientSession implements AutoCloseable {
    /** The type of resource that doorbell pages are. */
    private static final int DOORBELL_PAGE = 27;

    private final FunctionSession function;
    private final DeviceId device;
    private final Supplier<DmaArena> memory;
    private final QueueRights rights;
    /** Whether the device goes with this. */
    private final boolean registered;
    private final OpenObjects open = new OpenObjects();
    private boolean closed;

    ClientSession(FunctionSession function, DeviceId device, DmaArena memory) {
        this.function = function;
        this.device = device;
        this.memory = () -> memory;
        this.registered = true;
        RegisterDevice.Result made = call(new RegisterDevice());
        if (!function.registers().hasPage(made.doorbellPage())) {
            throw new Refusal(Errno.EPROTO, function.pci().id() + " gives its device " + device + " doorbell page "
                    + made.doorbellPage() + ", which does not lie in its register window.");
        }
        rights = new QueueRights(made.protectionDomain(), made.memoryKey(),
                function.registers().page(made.doorbellPage()));
    }

    private ClientSession(ClientSession of, Supplier<DmaArena> memory) {
        function = of.function;
        device = of.device;
        rights = of.rights;
        registered = false;
        this.memory = memory;
    }

    /**
     * Another user of the device: what that one makes and does not end, its closing ends. The device stays with this.
     *
     * @param newMemory where its rings are to lie; asked for when there is one
     */
    public ClientSession share(Supplier<DmaArena> newMemory) {
        return new ClientSession(this, newMemory);
    }

    /** What was made and has not been ended: how many of each kind, in words for people. */
    public SortedMap<String, Integer> open() {
        return open.count();
    }

    OpenObjects openObjects() {
        return open;
    }

    /** Asks the device. The answer is checked to be to this question. */
    public <R extends Response> R call(Request<R> request) {
        return function.channel().call(device, request);
    }

    /** The same, with a wait of so long at most, if commands may not take less. */
    <R extends Response> R call(Request<R> request, Duration most) {
        return function.channel().call(device, request, most);
    }

    /** Asks without waiting. */
    <R extends Response> Answer<R> ask(Request<R> request) {
        return function.channel().ask(device, request);
    }

    /**
     * Asks all of it at once. The answers come in the same order, and the first refusal is thrown when all have come.
     */
    public <R extends Response> List<R> callAll(List<? extends Request<R>> requests) {
        List<R> answers = new ArrayList<>();
        List<Refusal> refusals = callAll(requests, answers);
        if (!refusals.isEmpty()) {
            throw refusals.getFirst();
        }
        return answers;
    }

    /** The same of a device that may be gone or have forgotten what this is about. */
    public void callQuietly(List<? extends Request<Done>> requests) {
        callAll(requests, new ArrayList<>());
    }

    /**
     * Asks for steps that follow each other, all at once: requests are carried out in the order in which they were
     * sent. The first refusal is thrown when all answers have come.
     *
     * @param meanwhile is done before the first answer is waited for
     * @param done is told the place of each step, up to the first that was refused
     */
    public void callSteps(List<? extends Request<Done>> steps, Runnable meanwhile, IntConsumer done) {
        List<Answer<Done>> asked = new ArrayList<>();
        Refusal unasked = null;
        for (int i = 0; i < steps.size() && unasked == null; i++) {
            try {
                asked.add(ask(steps.get(i)));
            } catch (Refusal refusal) {
                unasked = refusal;
            }
        }
        meanwhile.run();
        Refusal refused = null;
        for (int i = 0; i < asked.size(); i++) {
            try {
                asked.get(i).await();
                if (refused == null) {
                    done.accept(i);
                }
            } catch (Refusal refusal) {
                refused = refused == null ? refusal : refused;
            }
        }
        if (refused != null || unasked != null) {
            throw refused != null ? refused : unasked;
        }
    }

    private <R extends Response> List<Refusal> callAll(List<? extends Request<R>> requests, List<R> answers) {
        List<Answer<R>> asked = new ArrayList<>();
        List<Refusal> refusals = new ArrayList<>();
        for (Request<R> request : requests) {
            try {
                asked.add(ask(request));
            } catch (Refusal refusal) {
                refusals.add(refusal);
            }
        }
        for (Answer<R> one : asked) {
            try {
                answers.add(one.await());
            } catch (Refusal refusal) {
                refusals.add(refusal);
            }
        }
        return refusals;
    }

    public FunctionSession function() {
        return function;
    }

    public DeviceId device() {
        return device;
    }

    /** Where its rings lie. */
    public DmaArena memory() {
        return memory.get();
    }

    /** Protection domain, key of all its memory and doorbell page of the registration. */
    public QueueRights rights() {
        return rights;
    }

    /** Takes a doorbell page for queues of another user. */
    public DoorbellPage allocatePage() {
        int first = function.call(new AllocateResourceRange(DOORBELL_PAGE, 1, 1, 0)).first();
        if (!function.registers().hasPage(first)) {
            throw new Refusal(Errno.EPROTO, function.pci().id() + " gives doorbell page " + first
                    + ", which does not lie in its register window.");
        }
        DoorbellPage[] made = new DoorbellPage[1];
        made[0] = function.registers().page(first, () -> {
            open.remove(made[0]);
            function.call(new DestroyResourceRange(DOORBELL_PAGE, 1, first));
        });
        open.add(made[0], "doorbell pages", made[0]::close);
        return made[0];
    }

    /** Makes a protection domain of its own. */
    public ProtectionDomain createDomain() {
        CreatePd.Result made = function.call(new CreatePd(0));
        ProtectionDomain domain = new ProtectionDomain(this, made.handle(), made.id());
        open.add(domain, "protection domains", domain::close);
        return domain;
    }

    /** Makes an event queue with the rights of the registration. */
    public EventQueue createEventQueue(int bytes, int vector) {
        return createEventQueues(bytes, vector).getFirst();
    }

    /** Makes an event queue for each of the vectors; all or none. */
    public List<EventQueue> createEventQueues(int bytes, int... vectors) {
        List<EventQueueMaking> several = new ArrayList<>();
        for (int vector : vectors) {
            several.add(new EventQueueMaking(this, bytes, vector));
        }
        return Making.all(several);
    }

    /** Ends an event queue and gives its memory back. */
    public void destroyEventQueue(EventQueue queue) {
        if (open.remove(queue)) {
            try {
                call(new DisableQueue(QueueType.EVENT, queue.id(), 1));
            } finally {
                memory().free(queue.memory());
            }
        }
    }

    /** Ends several together, whatever the device says. */
    public void destroyEventQueues(List<EventQueue> queues) {
        List<EventQueue> ending = new ArrayList<>();
        List<Request<Done>> questions = new ArrayList<>();
        for (EventQueue queue : queues) {
            if (open.remove(queue)) {
                ending.add(queue);
                questions.add(new DisableQueue(QueueType.EVENT, queue.id(), 1));
            }
        }
        callQuietly(questions);
        for (EventQueue queue : ending) {
            memory().free(queue.memory());
        }
    }

    /** Asks for a test event on each of the event queues. */
    public void requestTestEvents(List<EventQueue> queues) {
        List<Request<Done>> questions = new ArrayList<>();
        for (EventQueue queue : queues) {
            questions.add(new GenerateTestEvent(queue.id()));
        }
        callAll(questions);
    }

    /**
     * Gives the device back; the memory of its queues goes when their owners destroy them. If the device is another's,
     * ends what was made by this one and not ended.
     */
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        if (!registered) {
            open.end();
            return;
        }
        function.forget(this);
        try {
            call(new DeregisterDevice());
        } catch (Refusal _) {
            // what the device still thinks ends with the channel
        }
    }
}
