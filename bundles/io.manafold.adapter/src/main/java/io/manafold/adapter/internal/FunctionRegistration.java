package io.manafold.adapter.internal;

import io.manafold.api.device.Device;
import io.manafold.api.device.PciFunction;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.Dictionary;
import java.util.concurrent.atomic.AtomicReference;
import org.osgi.annotation.bundle.Capability;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;

/** Whether the function is on the bus: its registration as a service. Any thread may call; no lock is held. */
@Capability(namespace = "osgi.service", uses = PciFunction.class,
        attribute = {"objectClass:List<String>='io.manafold.api.device.Device,io.manafold.api.device.PciFunction'",
            "adapter=software"})
final class FunctionRegistration {
    private final BundleContext context;
    private final AdapterFunction function;
    private final Dictionary<String, Object> properties;
    private final AtomicReference<State> state = new AtomicReference<>(State.ABSENT);
    private volatile ServiceRegistration<?> registration;
    private volatile int serial = 1;
    /** What synthetic devices were told. */
    private volatile int announced = 1;

    private enum State {
        ABSENT, CHANGING, PRESENT, REVOKED, ENDED
    }

    FunctionRegistration(BundleContext context, AdapterFunction function, Dictionary<String, Object> properties) {
        this.context = context;
        this.function = function;
        this.properties = properties;
    }

    boolean isRevoked() {
        return state.get() == State.REVOKED;
    }

    /** Brings the function onto the bus for the first time. */
    void begin() {
        if (state.compareAndSet(State.ABSENT, State.CHANGING)) {
            register();
        }
    }

    /** Answers false if the adapter has ended meanwhile; then the function is not on the bus. */
    private boolean register() {
        if (state.get() != State.CHANGING) {
            return false;
        }
        registration = context.registerService(
                new String[] {Device.class.getName(), PciFunction.class.getName()}, function, properties);
        if (state.compareAndSet(State.CHANGING, State.PRESENT)) {
            return true;
        }
        // the end may have come before there was a registration to find
        unregister();
        return false;
    }

    /** Takes it off; its driver is asked to leave first. */
    void revoke() {
        if (!state.compareAndSet(State.PRESENT, State.CHANGING)) {
            throw refused("revoked", "it is revoked already, or changing");
        }
        unregister();
        function.setGone(true);
        // an adapter that has ended meanwhile stays so
        state.compareAndSet(State.CHANGING, State.REVOKED);
    }

    /** @param number of the slot it is in from now on */
    void restore(int number) {
        if (number < 1) {
            throw refused("restored", "serial numbers begin with 1, and " + number + " is none");
        }
        if (!state.compareAndSet(State.REVOKED, State.CHANGING)) {
            throw refused("restored", "it is not revoked, or changing");
        }
        serial = number;
        function.setGone(false);
        if (!register()) {
            function.setGone(true);
            throw new Refusal(Errno.ENODEV, "The adapter " + function.hardware().settings().name()
                    + " is not restored: it was removed meanwhile. Add it again.");
        }
    }

    int serial() {
        return serial;
    }

    int announced() {
        return announced;
    }

    void announce() {
        announced = serial;
    }

    private Refusal refused(String what, String why) {
        return new Refusal(Errno.EBUSY, "The adapter " + function.hardware().settings().name() + " is not " + what
                + ": " + why + ". Look at its state first.");
    }

    private void unregister() {
        ServiceRegistration<?> old = registration;
        registration = null;
        if (old != null) {
            try {
                old.unregister();
            } catch (IllegalStateException gone) {
                // the framework was faster
                return;
            }
        }
    }

    /** For good. */
    void end() {
        state.set(State.ENDED);
        unregister();
    }
}
