package io.manafold.netshaper.internal.serve;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.shaper.Shaper;
import io.manafold.api.shaper.ShaperCall;
import io.manafold.api.shaper.ShaperCapability;
import io.manafold.api.shaper.ShaperHandle;
import io.manafold.api.shaper.ShaperScope;
import io.manafold.netshaper.internal.family.Operation;
import io.manafold.netshaper.internal.tree.ShapedDevice;
import io.manafold.netshaper.internal.tree.ShaperHandles;
import io.manafold.netshaper.internal.tree.ShaperTree;
import io.manafold.netshaper.internal.wire.Attributes;
import io.manafold.netshaper.internal.wire.Complaint;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Carries out the family's operations. Replies are maps by the family's names, in the order of its messages. */
public final class Operations {
    private final Devices devices;

    public Operations(Devices devices) {
        this.devices = devices;
    }

    /** Answers the reply, empty if there is only an acknowledgement. */
    public Map<String, Object> perform(Operation operation, Attributes request) {
        ShapedDevice device = device(request);
        return switch (operation.name()) {
            case "get" -> get(device, request);
            case "cap-get" -> capabilities(device, request);
            default -> device.locked(tree -> change(operation, device, tree, request));
        };
    }

    /** What the driver would be told. */
    public List<ShaperCall> plan(Operation operation, Attributes request) {
        ShapedDevice device = device(request);
        return device.rehearsed(tree -> change(operation, device, tree, request));
    }

    public List<Map<String, Object>> dump(Operation operation, Attributes request) {
        ShapedDevice device = device(request);
        if (operation.name().equals("cap-get")) {
            return Arrays.stream(ShaperScope.values()).filter(scope -> !device.capabilities(scope).isEmpty())
                    .map(scope -> capabilities(device, scope)).toList();
        }
        return device.settled().all().stream().takeWhile(_ -> !device.isGone()).map(shaper -> shown(device, shaper))
                .toList();
    }

    private ShapedDevice device(Attributes request) {
        int index = request.required("ifindex");
        ShapedDevice device = devices.shaped(index);
        if (device != null && !device.isGone()) {
            return device;
        }
        if (device != null || !devices.has(index)) {
            throw Complaint.at(request.offset("ifindex"), Errno.ENOENT, "There is no device with the number "
                    + Integer.toUnsignedString(index) + "; 'ip link' shows those there are.");
        }
        throw Complaint.at(request.offset("ifindex"), Errno.EOPNOTSUPP, "The driver of the device with the number "
                + index + " knows no shapers.");
    }

    private static Map<String, Object> get(ShapedDevice device, Attributes request) {
        ShaperHandle handle = RequestedShapers.handle(request, "handle");
        Shaper shaper = device.settled().get(handle);
        if (shaper == null) {
            throw Complaint.at(request.offset("handle"), Errno.ENOENT, absent(device, handle).getMessage());
        }
        return shown(device, shaper);
    }

    private static Refusal absent(ShapedDevice device, ShaperHandle handle) {
        return new Refusal(Errno.ENOENT, device.name() + " has no shaper of " + (handle.scope() == ShaperScope.NODE
                && handle.id() > ShaperHandles.MOST_ID ? "a node without an id" : handle)
                + ", so nothing holds it back; 'netshaper dump " + device.name() + "' shows all there are.");
    }

    private static Map<String, Object> change(Operation operation, ShapedDevice device, ShaperTree tree,
            Attributes request) {
        switch (operation.name()) {
            case "set" -> set(device, tree, request);
            case "delete" -> {
                ShaperHandle handle = RequestedShapers.handle(request, "handle");
                if (tree.records().get(handle) == null) {
                    throw absent(device, handle);
                }
                tree.delete(handle);
            }
            case "group" -> {
                return named(device, new Grouping(device, tree, request).perform());
            }
            default -> throw Complaint.of(Errno.EOPNOTSUPP, "'" + operation.name() + "' changes nothing.");
        }
        return Map.of();
    }

    private static void set(ShapedDevice device, ShaperTree tree, Attributes request) {
        ShaperHandle handle = RequestedShapers.handle(request, "handle");
        Shaper old = tree.records().get(handle);
        Shaper wanted = RequestedShapers.merged(request, old == null ? Shaper.of(handle) : old);
        RequestedShapers.check(device, request, wanted);
        if (old == null && handle.scope() == ShaperScope.NODE) {
            throw new Refusal(Errno.ENOENT, absent(device, handle).getMessage()
                    + " A node is made with 'netshaper group'.");
        }
        tree.set(wanted);
    }

    private static Map<String, Object> named(ShapedDevice device, ShaperHandle handle) {
        Map<String, Object> reply = new LinkedHashMap<>();
        reply.put("ifindex", device.index());
        reply.put("handle", handle(handle));
        return reply;
    }

    private static Map<String, Object> shown(ShapedDevice device, Shaper shaper) {
        Map<String, Object> reply = new LinkedHashMap<>();
        reply.put("ifindex", device.index());
        if (shaper.parent() != null) {
            reply.put("parent", handle(shaper.parent()));
        }
        reply.put("handle", handle(shaper.handle()));
        if (shaper.bwMin() != 0 || shaper.bwMax() != 0 || shaper.burst() != 0) {
            reply.put("metric", shaper.metric().word());
        }
        value(reply, "bw-min", shaper.bwMin());
        value(reply, "bw-max", shaper.bwMax());
        value(reply, "burst", shaper.burst());
        value(reply, "priority", Integer.toUnsignedLong(shaper.priority()));
        value(reply, "weight", Integer.toUnsignedLong(shaper.weight()));
        return reply;
    }

    private static void value(Map<String, Object> reply, String name, long value) {
        if (value != 0) {
            reply.put(name, value);
        }
    }

    private static Map<String, Object> handle(ShaperHandle handle) {
        Map<String, Object> nest = new LinkedHashMap<>();
        nest.put("scope", handle.scope().word());
        if (handle.scope() != ShaperScope.NETDEV) {
            nest.put("id", handle.id());
        }
        return nest;
    }

    private static Map<String, Object> capabilities(ShapedDevice device, Attributes request) {
        ShaperScope scope = ShaperScope.values()[request.required("scope")];
        if (device.capabilities(scope).isEmpty()) {
            throw Complaint.of(Errno.EOPNOTSUPP, device.name() + " has no shapers of the scope " + scope.word() + ".");
        }
        return capabilities(device, scope);
    }

    private static Map<String, Object> capabilities(ShapedDevice device, ShaperScope scope) {
        Map<String, Object> reply = new LinkedHashMap<>();
        reply.put("ifindex", device.index());
        reply.put("scope", scope.word());
        Set<ShaperCapability> able = device.capabilities(scope);
        for (ShaperCapability capability : ShaperCapability.values()) {
            if (able.contains(capability)) {
                reply.put(capability.word(), true);
            }
        }
        return reply;
    }
}
