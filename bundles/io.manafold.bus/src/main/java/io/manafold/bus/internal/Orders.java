package io.manafold.bus.internal;

import io.manafold.api.device.DeviceEvent.Kind;
import io.manafold.api.device.DeviceState;
import io.manafold.api.device.DriverChoice;
import io.manafold.api.device.EventLog;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Turns an administrator's orders into what a device is wanted to have, and answers them when the device has come to
 * rest. An order that cannot be carried out is taken back before it is refused. Confined to the loop.
 */
final class Orders {
    private final Loop loop;
    private final DeviceRegistry registry;
    private final EventLog events;

    Orders(Loop loop, DeviceRegistry registry, EventLog events) {
        this.loop = loop;
        this.registry = registry;
        this.events = events;
    }

    /**
     * The device has come to rest: answers the order that was being carried out and begins the next.
     *
     * @return whether the device is to be looked at again
     */
    boolean advance(DeviceNode device) {
        Order current = device.orders.peek();
        if (current != null && current.begun) {
            if (!answered(device, current)) {
                return true;
            }
            device.orders.remove();
        }
        while (!device.orders.isEmpty()) {
            Order next = device.orders.peek();
            try {
                begin(device, next);
                return true;
            } catch (Refusal refusal) {
                device.orders.remove();
                refuse(next, refusal);
            }
        }
        return false;
    }

    /** The device is gone, and with it whatever was asked of it: what was set before is for the next of its id. */
    void abandon(DeviceNode device) {
        Order current = device.orders.peek();
        if (current != null && current.begun) {
            // but what was to be forgotten is: it is not asked for again
            registry.administer(device.id, current.forgets() ? current.forgotten(current.before) : current.before);
        }
        for (Order order : device.orders) {
            refuse(order, gone(device.id));
        }
        device.orders.clear();
    }

    private static Refusal gone(String device) {
        return new Refusal(Errno.ENODEV, device + " went away before the order could be carried out");
    }

    private void refuse(Order order, Refusal refusal) {
        loop.afterStep(() -> order.done.completeExceptionally(refusal));
    }

    private void begin(DeviceNode device, Order order) {
        AdminState admin = registry.admin(device.id);
        order.before = admin;
        order.choice = device.choice;
        order.bound = device.bound;
        order.refused = Map.copyOf(device.refused);
        // an order that is refused here leaves also what is expected as it was
        DriverNode ordered = switch (order.kind) {
            case UNBIND, UNBIND_FOR_NOW -> null;
            case BIND -> mayBind(device, order.driver, admin);
            case OVERRIDE, OVERRIDE_FOR_NOW -> order.driver == null ? null : present(order.driver);
        };
        registry.expect(device.id, null);
        switch (order.kind) {
            case UNBIND -> registry.administer(device.id, admin.withUnbound(true));
            case UNBIND_FOR_NOW -> registry.administer(device.id, admin.unboundForNow());
            case BIND -> {
                device.choice = order.driver;
                registry.administer(device.id, admin.withUnbound(false));
            }
            case OVERRIDE -> {
                device.choice = null;
                AdminState free = order.driver == null ? admin : AdminState.NONE;
                registry.administer(device.id, free.withOverride(order.driver));
            }
            case OVERRIDE_FOR_NOW -> {
                if (order.driver != null) {
                    device.choice = null;
                }
                registry.administer(device.id, admin.withPassing(order.driver));
            }
        }
        device.ordered = ordered;
        device.refused.clear();
        device.forgetDeferral();
        order.begun = true;
    }

    /**
     * Refuses an order to bind that cannot be carried out.
     *
     * @return the build that is to have the device: the newest that is meant; {@code null} for whichever fits
     */
    private DriverNode mayBind(DeviceNode device, DriverChoice driver, AdminState admin) {
        if (driver == null) {
            refuseBound(device);
            return null;
        }
        List<DriverNode> here = builds(driver);
        DriverNode ordered = Choosing.named(here, driver, admin.only());
        if (ordered == null) {
            throw new Refusal(Errno.ENODEV, "an override allows only " + admin.only() + " on " + device.id
                    + "; take it back with 'override " + device.id + " --clear', or override with " + driver);
        }
        if (admin.only() == null && !ordered.claims(device)) {
            List<DriverNode> listing = here.stream().filter(build -> build.claims(device)).toList();
            DriverNode older = Choosing.named(listing, driver, null);
            throw new Refusal(Errno.ENODEV, "the id table of " + ordered.label() + " does not list " + device.id
                    + "; 'override " + device.id + " " + driver + "' binds it all the same"
                    + (older == null ? ""
                    : ", 'bind " + device.id + " " + older.label() + "' takes a build that does"));
        }
        if (device.bound == ordered) {
            refuseBound(device);
        }
        return ordered;
    }

    private static void refuseBound(DeviceNode device) {
        if (device.bound != null) {
            throw new Refusal(Errno.EBUSY, device.id + " is bound already, to " + device.bound.label()
                    + "; 'unbind " + device.id + "' first to have it probed again");
        }
    }

    /** The newest driver of a choice, whatever its id table says. */
    private DriverNode present(DriverChoice choice) {
        return Choosing.named(builds(choice), choice, null);
    }

    private List<DriverNode> builds(DriverChoice choice) {
        List<DriverNode> named = registry.drivers().stream().filter(node -> node.usable() && node.is(choice)).toList();
        if (named.isEmpty()) {
            String here = registry.drivers().stream().filter(DriverNode::usable).map(node -> node.label().toString())
                    .sorted().collect(Collectors.joining(", "));
            throw new Refusal(Errno.ENOENT, "there is no driver " + choice + " here; "
                    + (here.isEmpty() ? "no driver is" : "there are " + here));
        }
        return named;
    }

    /** Whether the order's end has come, one way or the other; if not, what was set before is being put back. */
    private boolean answered(DeviceNode device, Order order) {
        if (order.failure != null) {
            boolean another = device.ordered != null && device.bound == null;
            device.ordered = null;
            if (another) {
                // what it had before does not take it back; whichever fits may have it
                return false;
            }
            String now = device.bound == null ? "; it has no driver now" : device.bound == order.bound
                    ? "; it is back with " + device.bound.label() : "; it has " + device.bound.label() + " now";
            refuse(order, new Refusal(order.failureErrno, order.failure + now));
            return true;
        }
        if (fulfilled(device, order)) {
            device.ordered = null;
            events.post(Kind.ADMINISTERED, device.id, order.driver, told(device, order));
            loop.afterStep(() -> order.done.complete(null));
            return true;
        }
        if (device.state == DeviceState.DEFERRED) {
            device.ordered = null;
            refuse(order, new Refusal(Errno.EAGAIN,
                    device.id + " cannot be bound yet and will be tried again: " + device.reason));
            return true;
        }
        String why = refusedOrdered(device) ? device.refused.get(device.ordered.serviceId)
                : device.ordered != null && device.ordered.leaving ? device.ordered.label() + " left meanwhile"
                : device.reason;
        order.failure = device.id + " could not be bound" + (order.driver == null ? "" : " to " + order.driver)
                + (why == null ? ": no driver here lists it" : ": " + why);
        order.failureErrno = why == null ? Errno.ENODEV : Errno.EIO;
        putBack(device, order);
        return false;
    }

    private void putBack(DeviceNode device, Order order) {
        registry.administer(device.id, order.before);
        device.choice = order.choice;
        for (DriverNode driver : registry.drivers()) {
            String before = order.refused.get(driver.serviceId);
            if (before != null && !driver.leaving) {
                device.refused.putIfAbsent(driver.serviceId, before);
            }
        }
        device.ordered = order.bound != null && order.bound.usable() ? order.bound : null;
    }

    private static boolean fulfilled(DeviceNode device, Order order) {
        return switch (order.kind) {
            case UNBIND, UNBIND_FOR_NOW -> device.bound == null;
            case BIND -> device.bound == null ? order.driver == null && order.before.unbound()
                    && device.refused.isEmpty() : order.driver == null || hasOrdered(device, order);
            case OVERRIDE -> order.driver == null || hasOrdered(device, order);
            case OVERRIDE_FOR_NOW -> order.driver == null || (order.before.unbound() ? device.bound == null
                    : hasOrdered(device, order));
        };
    }

    /**
     * An older build of the version that was asked for is not it, also where the ordered one has left; one that came
     * meanwhile in its place is.
     */
    private static boolean hasOrdered(DeviceNode device, Order order) {
        return device.bound != null && device.bound.is(order.driver) && !refusedOrdered(device)
                && (device.ordered == null || device.bound.version.compareTo(device.ordered.version) >= 0);
    }

    private static boolean refusedOrdered(DeviceNode device) {
        return device.ordered != null && device.refused.containsKey(device.ordered.serviceId);
    }

    private static String told(DeviceNode device, Order order) {
        return switch (order.kind) {
            case UNBIND -> device.id + " was unbound by hand and stays free";
            case UNBIND_FOR_NOW -> device.id + " was unbound and stays free until the platform ends";
            case BIND -> device.bound == null ? device.id + " may be driven again; no driver here lists it"
                    : device.id + " was bound by hand to " + device.bound.label();
            case OVERRIDE -> order.driver == null ? "the override of " + device.id + " was taken back"
                    : device.id + " takes no driver but " + order.driver;
            case OVERRIDE_FOR_NOW -> order.driver == null ? device.id + " is no longer held to one driver for now"
                    : device.id + " takes no driver but " + order.driver + " for now";
        };
    }
}
