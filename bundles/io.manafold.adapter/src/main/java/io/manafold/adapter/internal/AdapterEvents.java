package io.manafold.adapter.internal;

import io.manafold.api.adapter.Fault;
import io.manafold.api.device.DeviceEvent;
import io.manafold.api.device.EventLog;
import io.manafold.gdma.Status;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Tells the platform's events what an adapter refused its driver, and which faults are spent. A driver that is refused
 * again and again makes one event a second, which counts those between. Any thread; never blocks.
 */
final class AdapterEvents {
    /** Of an adapter whose events are told to none. */
    static final AdapterEvents NONE = new AdapterEvents("", "", System::nanoTime);
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final String adapter;
    private final String device;
    private final LongSupplier nanoTime;
    private volatile EventLog log;
    private long last;
    private boolean any;
    private long untold;

    /** @param device the id of its function on the bus */
    AdapterEvents(String adapter, String device, LongSupplier nanoTime) {
        this.adapter = adapter;
        this.device = device;
        this.nanoTime = nanoTime;
    }

    void log(EventLog events) {
        log = events;
    }

    /** It has gone, unless another one has come. */
    void forget(EventLog gone) {
        if (log == gone) {
            log = null;
        }
    }

    void refused(String where, String rule, String consequence) {
        long before;
        synchronized (this) {
            long now = nanoTime.getAsLong();
            if (any && now - last < PAUSE_NANOS) {
                untold++;
                return;
            }
            any = true;
            last = now;
            before = untold;
            untold = 0;
        }
        post(DeviceEvent.Kind.REFUSED, adapter + " refused its driver something at " + where + ": " + rule + "; "
                + consequence + (before == 0 ? "" : ". Before that, " + before + " more since it was last told"));
    }

    void spent(Fault fault, String message) {
        post(DeviceEvent.Kind.FAULT_SPENT, adapter + ": the fault " + fault.name() + " is spent on " + message
                + (fault.effect() == Fault.Effect.STATUS ? ", answered with 0x%08x, %s".formatted(fault.status(),
                        Status.name(fault.status())) : ""));
    }

    private void post(DeviceEvent.Kind kind, String sentence) {
        EventLog to = log;
        if (to != null) {
            to.post(kind, device, null, sentence);
        }
    }
}
