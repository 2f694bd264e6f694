package io.manafold.ethernet.internal.function;

import io.manafold.api.device.Binding;
import io.manafold.api.device.DeviceEvent.Kind;
import io.manafold.api.device.PciFunction;
import io.manafold.api.device.Removal;
import io.manafold.api.net.DevicePlan;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.ethernet.internal.port.EthernetDevice;
import io.manafold.ethernet.internal.port.HostCounters;
import io.manafold.ethernet.internal.queue.QueueSet;
import io.manafold.ethernet.internal.user.FailureListener;
import io.manafold.gdma.EventEntry;
import io.manafold.gdma.driver.ChannelLimits;
import io.manafold.gdma.driver.EthernetSession;
import io.manafold.gdma.driver.EventHandler;
import io.manafold.gdma.driver.HardwareChannel;
import io.manafold.memory.FunctionMemory;
import io.manafold.memory.MemoryBorrower;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.osgi.framework.Bundle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A function at work: its memory, its session, its ports; how it is looked after and how it goes. */
final class FunctionDrive implements Binding, EventHandler, FailureListener {
    private static final Logger LOG = LoggerFactory.getLogger(FunctionDrive.class);
    private static final int REVIVALS = 5;
    /** A function that asks to be reset is not waited for any longer than this. */
    private static final long FAREWELL_MILLIS = 1000;

    private final PciFunction function;
    private final DriverContext context;
    private final FunctionMemory memory;
    private final MemoryBorrower own;
    private final FunctionEvents events;
    private final FunctionCounters counters;
    private final HostCounters host;
    private final Ports ports;
    private final Parts parts;
    private final ControlAgent control;
    private final RdmaService rdma;
    /**
     * A reset is on its way or the function's old life is being ended; what is asked for meanwhile is answered by that.
     */
    private final AtomicBoolean serviced = new AtomicBoolean();
    private volatile EthernetSession session;
    /** There was no room for a plan: with the next tick all are followed again. */
    private volatile boolean missed;
    private volatile boolean givenUp;
    /** An administrator has had it stopped, see {@link #serviced}. Of the control agent. */
    private boolean suspended;

    private FunctionDrive(PciFunction function, DriverContext context) {
        this.function = function;
        this.context = context;
        memory = new FunctionMemory(function.id(), function.dma());
        own = memory.borrower("ethernet");
        LongSupplier clock = System::nanoTime;
        events = new FunctionEvents(context.services(), function.id(), clock);
        counters = new FunctionCounters(context.counters(), function);
        host = new HostCounters(counters.host());
        try {
            session = connect();
        } catch (RuntimeException refused) {
            memory.close();
            throw refused;
        }
        ports = new Ports(function.address(), own, context, counters, host, this);
        parts = new Parts(function.id(), context.services(), ports, memory);
        control = new ControlAgent("manafold-ethernet-" + function.id(), context.patience().tick(),
                new Watchdog(new Look(this), ports, context.patience(), this));
        rdma = new RdmaService(new RdmaPart(this), clock);
    }

    private EthernetSession connect() {
        return EthernetSession.open(function, own.whole(), ChannelLimits.USUAL, this, new ChannelAgent.Maker());
    }

    /** Brings a function up with all its ports. */
    static FunctionDrive begin(PciFunction function, DriverContext context) {
        FunctionDrive drive = new FunctionDrive(function, context);
        try {
            drive.ports.bringUp(drive.session);
            drive.control.start();
            drive.ports.publish();
            drive.parts.offer(drive.session);
            return drive;
        } catch (RuntimeException refused) {
            drive.remove(Removal.UNBIND);
            throw refused;
        }
    }

    // ---- what the function tells, on the channel's agent, which must not be held

    @Override
    public void event(int type, int data) {
        if (rdma == null) {
            // the probe is not over, and fails by itself if it must
            return;
        }
        switch (type) {
            case EventEntry.RESET_REQUEST -> reset("it asks to be reset", false);
            case EventEntry.RECONFIGURATION -> reset("its logic is loaded anew", true);
            case EventEntry.SOC_DATA -> {
                if (EventEntry.dataType(data) == EventEntry.SOC_LINK_UP) {
                    link(true);
                } else if (EventEntry.dataType(data) == EventEntry.SOC_LINK_DOWN) {
                    link(false);
                }
            }
            case EventEntry.SOC_SERVICE -> {
                if (EventEntry.serviceType(data) == EventEntry.SERVICE_SUSPEND) {
                    rdma.is(false);
                } else if (EventEntry.serviceType(data) == EventEntry.SERVICE_RESUME) {
                    rdma.is(true);
                }
            }
            default -> LOG.debug("{}: event {} with {}", function.id(), type, data);
        }
    }

    private void link(boolean up) {
        ports.link(up);
        events.links(ports::isLinked);
    }

    private void reset(String why, boolean fully) {
        if (serviced.compareAndSet(false, true) && !control.send(() -> revive(why, fully))) {
            serviced.set(false);
        }
    }

    @Override
    public void failed(QueueSet queues, String reason) {
        control.send(() -> {
            for (EthernetDevice device : ports.devices()) {
                if (has(device, queues)) {
                    renew(device, queues, reason);
                }
            }
        });
    }

    /** Queues may fail before they are the port's: with its lock held no change is half done. */
    private static boolean has(EthernetDevice device, QueueSet queues) {
        device.life().lock().lock();
        try {
            return device.life().queues() == queues;
        } finally {
            device.life().lock().unlock();
        }
    }

    // ---- on the control agent

    private record Look(FunctionDrive drive) implements Runnable {
        @Override
        public void run() {
            drive.look();
        }
    }

    private record RdmaPart(FunctionDrive drive) implements RdmaService.Owner {
        @Override
        public boolean send(Runnable command) {
            return drive.control.send(command);
        }

        @Override
        public void withdraw() {
            drive.parts.withdrawRdma();
        }

        @Override
        public void offer() {
            drive.parts.offerRdma(drive.session);
        }
    }

    private void renew(EthernetDevice device, QueueSet queues, String reason) {
        boolean told = events.reset(device.name() + ": " + reason + " Its queues are made anew");
        if (told) {
            LOG.error("{}: {} Its queues are made anew.", device.name(), reason);
        }
        long begin = System.nanoTime();
        device.life().lock().lock();
        try {
            if (device.life().queues() == queues) {
                device.life().reset();
                recovered(told, device.name() + " has new queues after ", begin);
            }
        } catch (Refusal refused) {
            LOG.error("{}: its queues cannot be made anew: {}", device.name(), refused.getMessage());
            reset("the queues of " + device.name() + " cannot be made anew", true);
        } finally {
            device.life().lock().unlock();
        }
    }

    private void recovered(boolean told, String sentence, long begin) {
        if (told) {
            events.recovered(sentence + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin) + " ms");
        }
    }

    /** A function that does not answer in time shows that it needs a reset. */
    private void look() {
        if (suspended || serviced.get()) {
            // a function that is about to be reset is not asked for anything
            return;
        }
        keepCounters();
        events.catchUp();
        rdma.carryOut();
        if (missed) {
            missed = false;
            context.services().nameIsFree();
        }
        if (host.renew(session)) {
            ports.bringBack(session);
        } else if (!control.hasEnded()) {
            reset("it does not answer", true);
        }
    }

    /** Now and then as well as at the end, so that little is lost with a driver that does not come to its end. */
    private void keepCounters() {
        ports.keepCounters();
        counters.keepHost(host.values());
    }

    /** Takes a function through a reset: ports keep what they are, and their devices stay. */
    private void revive(String why, boolean fully) {
        LOG.debug("{} is reset: {}", function.id(), why);
        boolean told = events.reset(function.id() + " is reset: " + why);
        long begin = System.nanoTime();
        boolean back = false;
        boolean rests = false;
        // drivers of parts may want a port's lock on their way out
        HardwareChannel channel = session.function().channel();
        long usual = channel.timeoutMillis();
        channel.setTimeout(FAREWELL_MILLIS);
        parts.suspend();
        ports.lock();
        try {
            ports.suspend();
            rests = true;
            session.close();
            if (fully) {
                function.reset();
            }
            // from here on the function that asks is in its new life
            rdma.anew();
            serviced.set(false);
            revive(told);
            recovered(told, function.id() + " is back after ", begin);
            back = true;
        } catch (Refusal refused) {
            if (!rests) {
                channel.setTimeout(usual);
                LOG.error("{} is not reset: {}", function.id(), refused.getMessage());
            } else if (!control.hasEnded()) {
                LOG.error("{} does not come back: {} Unbind it and bind it again.", function.id(),
                        refused.getMessage());
            }
        } finally {
            serviced.set(false);
            ports.unlock();
        }
        if (back) {
            // they may have been down before, and nothing tells that links are up which a function begins with
            events.links(ports::isLinked);
        }
        if (back || !rests) {
            parts.resume(session);
        }
    }

    private void rest() {
        boolean rests = false;
        // drivers of parts may want a port's lock on their way out
        parts.suspend();
        ports.lock();
        try {
            keepCounters();
            ports.suspend();
            rests = true;
            session.close();
            suspended = true;
        } finally {
            ports.unlock();
            if (!rests) {
                parts.resume(session);
            }
        }
    }

    private void goOn() {
        ports.lock();
        try {
            // from here on the function that asks is in its new life
            rdma.anew();
            serviced.set(false);
            revive(true);
            suspended = false;
        } finally {
            serviced.set(suspended);
            ports.unlock();
        }
        events.links(ports::isLinked);
        parts.resume(session);
    }

    private void revive(boolean told) {
        for (int tries = 1;; tries++) {
            pause();
            try {
                session = connect();
                ports.resume(session);
                return;
            } catch (Refusal refused) {
                if (tries == REVIVALS || control.hasEnded()) {
                    throw refused;
                }
                if (told) {
                    LOG.warn("{} does not come back yet: {}", function.id(), refused.getMessage());
                }
                ports.suspend();
                session.close();
                function.reset();
            }
        }
    }

    private void pause() {
        try {
            TimeUnit.NANOSECONDS.sleep(context.patience().revival().toNanos());
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
            throw new Refusal(Errno.EINTR, function.id() + " is being left by its driver.");
        }
    }

    // ---- on threads of others: the driver core, plans, services

    /** There is a plan for a port of this function, or for another's that wants a name in use here; returns at once. */
    void follow(DevicePlan plan) {
        boolean own = plan.address().equals(function.address());
        if (own || ports.has(plan.name())) {
            boolean taken = control.send(() -> {
                try {
                    if (own) {
                        ports.follow(session, plan);
                    }
                    ports.makeWay(session, plan);
                } catch (Refusal refused) {
                    LOG.warn("The plan for {} is not followed: {}", plan.name(), refused.getMessage());
                }
            });
            if (!taken) {
                missed = true;
            }
        }
    }

    /** A bundle has stopped, and with it what it has decided on packets; returns at once. */
    void forgetHooks(Bundle bundle) {
        for (EthernetDevice device : ports.devices()) {
            if (device.control().hasHook(bundle)) {
                control.send(() -> forgetHook(device, bundle));
            }
        }
    }

    private void forgetHook(EthernetDevice device, Bundle bundle) {
        try {
            if (device.control().forgetHook(bundle)) {
                context.services().tell(Kind.SETTING_CHANGED, function.id(), device.name() + " has no receive hook any "
                        + "more: " + bundle.getSymbolicName() + " has stopped without taking it away");
            }
        } catch (Refusal refused) {
            LOG.warn("{}: the receive hook of {}, which has stopped, stays: {}", device.name(),
                    bundle.getSymbolicName(), refused.getMessage());
        }
    }

    @Override
    public void suspend() throws InterruptedException {
        if (!serviced.compareAndSet(false, true)) {
            throw new Refusal(Errno.EBUSY, "it is being reset; ask again when it is back");
        }
        boolean rests = false;
        try {
            onControl(this::rest);
            rests = true;
        } finally {
            if (!rests) {
                serviced.set(false);
            }
        }
    }

    @Override
    public void resume() throws InterruptedException {
        onControl(this::goOn);
    }

    private void onControl(Runnable command) throws InterruptedException {
        FutureTask<Void> task = new FutureTask<>(command, null);
        if (!control.send(task)) {
            throw new Refusal(Errno.EBUSY, "it has too much else to do; ask again");
        }
        try {
            task.get();
        } catch (ExecutionException refused) {
            throw refused.getCause() instanceof Refusal refusal ? refusal
                    : new Refusal(Errno.EIO, String.valueOf(refused.getCause()), refused.getCause());
        } finally {
            task.cancel(false);
        }
    }

    List<EthernetDevice> offered() {
        return List.copyOf(ports.devices());
    }

    EthernetSession session() {
        return session;
    }

    FunctionMemory memory() {
        return memory;
    }

    @Override
    public void remove(Removal why) {
        boolean answers = why != Removal.DEVICE_GONE;
        if (!answers) {
            // a thread that waits for an answer is let go, and so are the ports' locks
            session.function().abandon();
        }
        control.finish();
        if (!answers) {
            // a reset may have begun another session meanwhile
            session.function().abandon();
        }
        parts.suspend();
        ports.withdraw();
        tellHooks();
        try {
            giveUpIfInterrupted();
            Closing.run("manafold-ethernet-" + function.id() + "-close", () -> ports.close(() -> answers && !givenUp),
                    this::giveUp);
        } finally {
            // or the next driver finds addresses taken
            counters.keepHost(host.values());
            giveUpIfInterrupted();
            session.close();
            memory.close();
        }
    }

    private void giveUpIfInterrupted() {
        if (Thread.currentThread().isInterrupted()) {
            giveUp();
        }
    }

    /**
     * Touches the function no more, which the core resets for the next driver: this one takes too long to leave, as
     * while a user holds a device's thread.
     */
    private void giveUp() {
        givenUp = true;
        session.function().abandon();
    }

    /** A bundle that watches devices has taken its hook away by now and sets it at the next one; others are told of. */
    private void tellHooks() {
        for (EthernetDevice device : ports.devices()) {
            String hook = device.control().hook();
            if (!hook.isEmpty()) {
                context.services().tell(Kind.SETTING_CHANGED, function.id(), device.name() + " has no receive hook any "
                        + "more: that of " + hook + " has gone with the driver, and is to be set again at the device "
                        + "that comes");
            }
        }
    }

    @Override
    public OptionalLong buffersOut() {
        return OptionalLong.of(ports.buffersOut());
    }
}
