package io.manafold.gdma.driver;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.DeviceId;
import io.manafold.gdma.QueueType;
import io.manafold.gdma.message.AllocateResourceRange;
import io.manafold.gdma.message.CreatePd;
import io.manafold.gdma.message.CreateQueue;
import io.manafold.gdma.message.DeregisterDevice;
import io.manafold.gdma.message.DestroyResourceRange;
import io.manafold.gdma.message.DisableQueue;
import io.manafold.gdma.message.GenerateTestEvent;
import io.manafold.gdma.message.RegisterDevice;
import io.manafold.gdma.message.Request;
import io.manafold.gdma.message.Response;
import io.manafold.memory.DmaArena;
import io.manafold.memory.DmaPiece;

/**
 * One device of a function's list in use: what it may be asked, and what queues of it are made with. Closing gives the
 * device back and touches no other client of the function.
 */
public final class ClientSession implements AutoCloseable {
    /** The type of resource that doorbell pages are. */
    private static final int DOORBELL_PAGE = 27;
    /** One interrupt may stand for so many events: 2 to this. */
    private static final int THROTTLE = 3;

    private final FunctionSession function;
    private final DeviceId device;
    private final DmaArena memory;
    private final QueueRights rights;
    private boolean closed;

    ClientSession(FunctionSession function, DeviceId device, DmaArena memory) {
        this.function = function;
        this.device = device;
        this.memory = memory;
        RegisterDevice.Result made = call(new RegisterDevice());
        if (!function.registers().hasPage(made.doorbellPage())) {
            throw new Refusal(Errno.EPROTO, function.pci().id() + " gives its device " + device + " doorbell page "
                    + made.doorbellPage() + ", which does not lie in its register window.");
        }
        rights = new QueueRights(made.protectionDomain(), made.memoryKey(), function.registers().page(made.doorbellPage()));
    }

    /** Asks the device. The answer is checked to be to this question. */
    public <R extends Response> R call(Request<R> request) {
        return function.channel().call(device, request);
    }

    public FunctionSession function() {
        return function;
    }

    public DeviceId device() {
        return device;
    }

    /** Where its rings lie. */
    public DmaArena memory() {
        return memory;
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
        return function.registers().page(first, () -> function.call(new DestroyResourceRange(DOORBELL_PAGE, 1, first)));
    }

    /** Makes a protection domain of its own. */
    public ProtectionDomain createDomain() {
        CreatePd.Result made = function.call(new CreatePd(0));
        return new ProtectionDomain(function, made.handle(), made.id());
    }

    /** Makes an event queue with the rights of the registration. */
    public EventQueue createEventQueue(int bytes, int vector) {
        DmaPiece piece = memory.allocate(bytes);
        long region = 0;
        try {
            region = function.createRegion(piece, bytes);
            int id = call(new CreateQueue(QueueType.EVENT, rights.protectionDomain(), rights.page().number(), region, bytes,
                    THROTTLE, vector, 0, 0, false, false, false, false)).queue();
            return new EventQueue(piece, bytes, rights.page(), id);
        } catch (RuntimeException refused) {
            if (region != 0) {
                function.abandonRegion(region);
            }
            memory.free(piece);
            throw refused;
        }
    }

    /** Ends an event queue and gives its memory back. */
    public void destroyEventQueue(EventQueue queue) {
        try {
            call(new DisableQueue(QueueType.EVENT, queue.id(), 1));
        } finally {
            memory.free(queue.memory());
        }
    }

    /** Asks for a test event on an event queue. */
    public void requestTestEvent(EventQueue queue) {
        call(new GenerateTestEvent(queue.id()));
    }

    /** Gives the device back; what it was not asked to end before, it ends now. */
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        function.forget(this);
        try {
            call(new DeregisterDevice());
        } catch (Refusal _) {
            // what the device still thinks ends with the channel
        }
    }
}
