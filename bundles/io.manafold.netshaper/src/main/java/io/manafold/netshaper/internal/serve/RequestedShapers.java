package io.manafold.netshaper.internal.serve;

import io.manafold.api.refusal.Errno;
import io.manafold.api.shaper.Shaper;
import io.manafold.api.shaper.ShaperCapability;
import io.manafold.api.shaper.ShaperHandle;
import io.manafold.api.shaper.ShaperMetric;
import io.manafold.api.shaper.ShaperScope;
import io.manafold.netshaper.internal.tree.ShapedDevice;
import io.manafold.netshaper.internal.tree.ShaperHandles;
import io.manafold.netshaper.internal.wire.Attributes;
import io.manafold.netshaper.internal.wire.Complaint;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** What a request says of shapers, held against what the device can do. */
final class RequestedShapers {
    /** What is tested, in this order: of several that fail the last is named. */
    private static final List<ShaperCapability> LIMITS = List.of(ShaperCapability.PRIORITY, ShaperCapability.WEIGHT,
            ShaperCapability.BW_MIN, ShaperCapability.BW_MAX, ShaperCapability.BURST);

    private RequestedShapers() {
    }

    /** The handle in a nest of that name. */
    static ShaperHandle handle(Attributes request, String name) {
        if (!request.has(name)) {
            throw name.equals("handle") ? request.missingAnywhere(name) : request.missing(name);
        }
        Attributes nest = request.nest(name);
        ShaperScope scope = ShaperScope.values()[nest.required("scope")];
        int id = (int) nest.number("id", scope == ShaperScope.NODE ? ShaperHandles.NO_ID : 0);
        if (scope == ShaperScope.NETDEV && id != 0) {
            throw Complaint.at(nest.offset("id"), Errno.EINVAL, "A device has one shaper of its own: its id is 0, or "
                    + "left out, not " + id + ".");
        }
        if (scope == ShaperScope.QUEUE && !nest.has("id")) {
            throw nest.missing("id");
        }
        return new ShaperHandle(scope, id);
    }

    /** What the request makes of a shaper; what it does not name stays. */
    static Shaper merged(Attributes request, Shaper old) {
        return new Shaper(old.handle(), old.parent(),
                ShaperMetric.values()[(int) request.number("metric", old.metric().ordinal())],
                request.number("bw-min", old.bwMin()), request.number("bw-max", old.bwMax()),
                request.number("burst", old.burst()), (int) request.number("priority", old.priority()),
                (int) request.number("weight", old.weight()));
    }

    /** Whether the device can do that. */
    static void check(ShapedDevice device, Attributes request, Shaper wanted) {
        ShaperHandle handle = wanted.handle();
        if (handle.scope() == ShaperScope.UNSPEC) {
            throw Complaint.at(request.offset("handle"), Errno.EINVAL, "The scope 'unspec' is of no shaper; there is "
                    + "netdev, queue and node.");
        }
        Set<ShaperCapability> able = device.capabilities(handle.scope());
        if (able.isEmpty()) {
            throw Complaint.at(request.offset("handle"), Errno.EOPNOTSUPP, device.name()
                    + " has no shapers of the scope " + handle.scope().word() + "; 'netshaper caps " + device.name()
                    + "' shows what it has.");
        }
        Complaint complaint = null;
        for (ShaperCapability limit : LIMITS) {
            String name = limit.word().substring("support-".length());
            if (request.has(name) && !able.contains(limit)) {
                complaint = Complaint.at(request.offset(name), Errno.EOPNOTSUPP, device.name() + " has no " + name
                        + " for the scope " + handle.scope().word() + "; it has " + able.stream().sorted()
                                .map(one -> one.word().substring("support-".length())).collect(Collectors.joining(", "))
                        + ".");
            }
        }
        if (complaint != null) {
            throw complaint;
        }
        int queues = device.queues();
        if (handle.scope() == ShaperScope.QUEUE && handle.id() >= queues) {
            throw Complaint.of(Errno.ENOENT, device.name() + " has no queue " + handle.id() + ": it has " + queues
                    + " queues that send, counted from 0. 'ethtool -L' changes how many.");
        }
        boolean rated = wanted.bwMin() != 0 || wanted.bwMax() != 0 || wanted.burst() != 0;
        if (rated && !able.contains(wanted.metric() == ShaperMetric.BPS ? ShaperCapability.METRIC_BPS
                : ShaperCapability.METRIC_PPS)) {
            throw Complaint.of(Errno.EOPNOTSUPP, device.name() + " cannot count the metric " + wanted.metric().word()
                    + " (" + wanted.metric().ordinal() + ") for the scope " + handle.scope().word()
                    + "; name the other metric along with the rates.");
        }
    }

    /** Whether shapers of that scope can be put below a node. */
    static void checkNesting(ShapedDevice device, ShaperScope scope) {
        if (!device.capabilities(scope).contains(ShaperCapability.NESTING)) {
            throw Complaint.of(Errno.EOPNOTSUPP, device.name() + " cannot put shapers of the scope " + scope.word()
                    + " (" + scope.ordinal() + ") below a node.");
        }
    }
}
