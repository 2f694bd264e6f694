package io.manafold.bus.internal;

import io.manafold.api.device.DeviceState;
import io.manafold.api.device.DriverChoice;
import io.manafold.api.refusal.Refusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Puts into words why a device is as it is. */
final class Reasons {
    private Reasons() {
    }

    /** Sets state and reason of a device at rest. */
    static void describe(DeviceNode device, DeviceRegistry registry) {
        AdminState admin = registry.admin(device.id);
        if (device.bound != null) {
            device.state = DeviceState.BOUND;
            device.reason = device.suspended ? "suspended by hand; 'servicing resume' has it go on"
                    : rivals(device, registry);
        } else if (admin.unbound()) {
            set(device, DeviceState.FREE, "unbound by hand");
        } else if (device.parent != null && !parentBound(device, registry)) {
            orphaned(device, registry);
        } else if (device.deferredBy >= 0) {
            set(device, DeviceState.DEFERRED, device.deferral + waitingCircle(device, registry));
        } else if (!device.refused.isEmpty()) {
            set(device, DeviceState.FAILED, String.join("; ", device.refused.values()));
        } else if (registry.only(device.id) instanceof DriverChoice only) {
            set(device, DeviceState.FREE, "an override allows only " + only + ", which is not here");
        } else {
            set(device, DeviceState.FREE, null);
        }
    }

    /** What a throwable has to say, never without words. */
    static String of(Throwable cause) {
        String message = cause.getMessage();
        if (cause instanceof CallException) {
            return message;
        }
        String kind = cause.getClass().getSimpleName();
        if (cause instanceof Refusal refusal) {
            return message + " (" + refusal.errno() + ")";
        }
        String told = message == null || message.isBlank() ? kind : kind + ": " + message;
        return cause instanceof LinkageError ? "it was built against another API than is here (" + told
                + "); build it against that of this platform" : told;
    }

    static String seconds(Duration limit) {
        return limit.toMillis() % 1000 == 0 ? limit.toSeconds() + " s" : limit.toMillis() + " ms";
    }

    private static void set(DeviceNode device, DeviceState state, String reason) {
        device.state = state;
        device.reason = reason;
    }

    private static boolean parentBound(DeviceNode device, DeviceRegistry registry) {
        DeviceNode parent = registry.device(device.parent);
        return parent != null && parent.bound != null;
    }

    private static void orphaned(DeviceNode device, DeviceRegistry registry) {
        List<String> circle = circle(device.id, id -> {
            DeviceNode at = registry.device(id);
            return at == null ? null : at.parent;
        });
        if (!circle.isEmpty()) {
            set(device, DeviceState.FAILED, "its line of parents is a circle: " + String.join(" → ", circle));
        } else if (registry.device(device.parent) == null) {
            set(device, DeviceState.FREE, "its parent " + device.parent + " is not on this platform");
        } else {
            set(device, DeviceState.FREE, "its parent " + device.parent + " has no driver");
        }
    }

    private static String waitingCircle(DeviceNode device, DeviceRegistry registry) {
        List<String> circle = circle(device.id, id -> {
            DeviceNode at = registry.device(id);
            return at == null || at.deferredBy < 0 ? null : at.waitsFor;
        });
        return circle.isEmpty() ? "" : "; this never ends, for they wait for each other: " + String.join(" → ", circle);
    }

    /** The way from an id back to itself, or nothing if there is none. */
    private static List<String> circle(String start, UnaryOperator<String> next) {
        List<String> way = new ArrayList<>(List.of(start));
        for (String at = next.apply(start); at != null; at = next.apply(at)) {
            way.add(at);
            if (at.equals(start)) {
                return way;
            }
            if (way.indexOf(at) < way.size() - 1) {
                return List.of();
            }
        }
        return List.of();
    }

    private static String rivals(DeviceNode device, DeviceRegistry registry) {
        List<DriverNode> rivals = Choosing.rivals(device, registry.drivers());
        return rivals.isEmpty() ? null : "also claimed by "
                + rivals.stream().map(rival -> rival.label().toString()).sorted().collect(Collectors.joining(", "))
                + "; 'override' chooses";
    }
}
