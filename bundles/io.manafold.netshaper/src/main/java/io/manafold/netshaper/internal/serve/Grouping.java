package io.manafold.netshaper.internal.serve;

import io.manafold.api.refusal.Errno;
import io.manafold.api.shaper.Shaper;
import io.manafold.api.shaper.ShaperHandle;
import io.manafold.api.shaper.ShaperScope;
import io.manafold.netshaper.internal.tree.Records;
import io.manafold.netshaper.internal.tree.ShapedDevice;
import io.manafold.netshaper.internal.tree.ShaperHandles;
import io.manafold.netshaper.internal.tree.ShaperTree;
import io.manafold.netshaper.internal.wire.Attributes;
import io.manafold.netshaper.internal.wire.Complaint;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** One request to put queues below a node or the device; the steps are in the order in which they are tested. */
final class Grouping {
    private final ShapedDevice device;
    private final ShaperTree tree;
    private final Records records;
    private final Attributes request;

    Grouping(ShapedDevice device, ShaperTree tree, Attributes request) {
        this.device = device;
        this.tree = tree;
        this.records = tree.records();
        this.request = request;
    }

    /** Answers the handle of the node. */
    ShaperHandle perform() {
        if (!request.has("leaves")) {
            throw request.missing("leaves");
        }
        if (!device.groups()) {
            throw Complaint.of(Errno.EOPNOTSUPP, device.name() + " has no nodes: its driver cannot group.");
        }
        ShaperHandle handle = RequestedShapers.handle(request, "handle");
        Shaper old = records.get(handle);
        Shaper node = RequestedShapers.merged(request, old == null ? Shaper.of(handle) : old);
        RequestedShapers.check(device, request, node);
        if (handle.scope() == ShaperScope.QUEUE) {
            throw Complaint.at(request.offset("handle"), Errno.EINVAL, "Nothing can be put below a queue; the handle "
                    + "is of a node or of the netdev.");
        }
        ShaperHandle parent = parent();
        List<Shaper> leaves = leaves(handle);
        if (handle.scope() == ShaperScope.NODE) {
            node = place(node, old, parent, leaves);
        }
        ShaperHandle target = node.handle();
        tree.group(node, leaves.stream().map(leaf -> leaf.below(target)).toList());
        return target;
    }

    private ShaperHandle parent() {
        if (!request.has("parent")) {
            return null;
        }
        ShaperHandle parent = RequestedShapers.handle(request, "parent");
        if (parent.scope() != ShaperScope.NODE && parent.scope() != ShaperScope.NETDEV) {
            throw Complaint.at(request.offset("parent"), Errno.EINVAL, "Nothing can be below " + parent
                    + "; a parent is a node or the netdev.");
        }
        return parent;
    }

    private List<Shaper> leaves(ShaperHandle node) {
        List<Shaper> leaves = new ArrayList<>();
        List<Attributes> nests = request.nests("leaves");
        for (Attributes leaf : nests) {
            ShaperHandle handle = RequestedShapers.handle(leaf, "handle");
            if (handle.scope() != ShaperScope.QUEUE) {
                throw Complaint.at(leaf.offset("handle"), Errno.EINVAL, "A leaf is a queue, not "
                        + handle.scope().word() + ".");
            }
            Shaper old = records.get(handle);
            Shaper wanted = RequestedShapers.merged(leaf, old == null ? Shaper.of(handle) : old);
            RequestedShapers.check(device, leaf, wanted);
            if (node.scope() == ShaperScope.NODE) {
                RequestedShapers.checkNesting(device, ShaperScope.QUEUE);
            }
            leaves.add(wanted);
        }
        Set<ShaperHandle> seen = new HashSet<>();
        for (int i = 0; i < nests.size(); i++) {
            if (!seen.add(leaves.get(i).handle())) {
                throw Complaint.at(nests.get(i).offset(), Errno.EINVAL, "The leaf " + numbers(leaves.get(i).handle())
                        + " is named twice; once is enough.");
            }
        }
        return leaves;
    }

    /** Where the node is to be, with its number. */
    private Shaper place(Shaper node, Shaper old, ShaperHandle wanted, List<Shaper> leaves) {
        boolean fresh = node.handle().id() == ShaperHandles.NO_ID;
        if (!fresh && old == null) {
            throw Complaint.of(Errno.ENOENT, "There is no node " + numbers(node.handle()) + " on " + device.name()
                    + "; leave the id out to have one made.");
        }
        if (!fresh && wanted != null && !wanted.equals(old.parent())) {
            throw Complaint.of(Errno.EOPNOTSUPP, "The node " + numbers(node.handle()) + " is below " + old.parent()
                    + " and cannot be moved below " + wanted + "; make a node there and move the queues.");
        }
        ShaperHandle parent = !fresh ? old.parent() : wanted != null ? wanted : commonParent(leaves);
        if (parent.scope() == ShaperScope.NODE) {
            if (records.get(parent) == null) {
                throw Complaint.of(Errno.ENOENT, "There is no node " + numbers(parent) + " on " + device.name()
                        + " that could be the parent.");
            }
            RequestedShapers.checkNesting(device, ShaperScope.NODE);
        }
        Shaper placed = node.below(parent);
        return fresh ? numbered(placed) : placed;
    }

    private static ShaperHandle commonParent(List<Shaper> leaves) {
        ShaperHandle parent = leaves.getFirst().parent();
        if (leaves.stream().anyMatch(leaf -> !leaf.parent().equals(parent))) {
            throw Complaint.of(Errno.EINVAL, "The leaves are below different nodes, so the parent of the new one "
                    + "cannot be told from them; name it.");
        }
        return parent;
    }

    private Shaper numbered(Shaper node) {
        int id = records.freeNode(ShaperHandles.MOST_ID);
        if (id < 0) {
            throw Complaint.of(Errno.ENOSPC, "All numbers of nodes are taken on " + device.name() + ".");
        }
        return new Shaper(ShaperHandle.node(id), node.parent(), node.metric(), node.bwMin(), node.bwMax(), node.burst(),
                node.priority(), node.weight());
    }

    private static String numbers(ShaperHandle handle) {
        return handle.scope().ordinal() + ":" + handle.id();
    }
}
