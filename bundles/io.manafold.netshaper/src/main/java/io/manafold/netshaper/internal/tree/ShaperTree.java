package io.manafold.netshaper.internal.tree;

import io.manafold.api.refusal.Refusal;
import io.manafold.api.shaper.Shaper;
import io.manafold.api.shaper.ShaperEvent.Cause;
import io.manafold.api.shaper.ShaperHandle;
import io.manafold.api.shaper.ShaperScope;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shapers of a device. The driver is told first; only what it has accepted is recorded, so that a reader never sees
 * what is not. Changes are made under the device's lock, reading needs none.
 */
public final class ShaperTree {
    private static final Logger LOG = LoggerFactory.getLogger(ShaperTree.class);

    private final String device;
    private final DriverCalls driver;
    private final Changes changes;
    private volatile Records records;

    /** Is told what was recorded. */
    interface Changes {
        Changes IGNORED = (_, _, _) -> { };

        /** @param now {@code null} if it is gone */
        void recorded(ShaperHandle handle, Shaper now, Cause cause);
    }

    ShaperTree(String device, DriverCalls driver, Changes changes, Records records) {
        this.device = device;
        this.driver = driver;
        this.changes = changes;
        this.records = records;
    }

    public Records records() {
        return records;
    }

    public void set(Shaper shaper) {
        driver.set(shaper);
        record(List.of(shaper), Cause.ASKED);
    }

    /** Takes one away that is there; what is below it goes to what is above, or all stays as it is. */
    public void delete(ShaperHandle handle) {
        Shaper old = records.get(handle);
        List<Shaper> children = handle.scope() == ShaperScope.NODE ? records.below(handle) : List.of();
        if (children.isEmpty()) {
            driver.delete(handle);
            remove(handle, Cause.ASKED);
            sweep(old.parent());
            return;
        }
        Shaper above = records.get(old.parent());
        Shaper target = above == null ? Shaper.of(old.parent()) : above;
        List<Shaper> moved = children.stream().map(child -> child.below(old.parent())).toList();
        driver.group(target, moved);
        try {
            driver.delete(handle);
        } catch (Refusal refused) {
            putBack(old, children, moved);
            throw refused;
        }
        record(moved, Cause.ASKED);
        remove(handle, Cause.ASKED);
    }

    private void putBack(Shaper node, List<Shaper> children, List<Shaper> moved) {
        try {
            driver.group(node, children);
        } catch (Refusal stuck) {
            LOG.warn("{}: {} could neither be deleted nor be put together again ({}); what was below it is below {} "
                    + "now", device, node.handle(), stuck.getMessage(), node.parent());
            record(moved, Cause.ASKED);
        }
    }

    /** Puts leaves below a node that is given its values, all of them complete. */
    public void group(Shaper node, List<Shaper> leaves) {
        Set<ShaperHandle> left = new LinkedHashSet<>();
        for (Shaper leaf : leaves) {
            Shaper before = records.get(leaf.handle());
            if (before != null && before.parent() != null && !before.parent().equals(node.handle())) {
                left.add(before.parent());
            }
        }
        driver.group(node, leaves);
        List<Shaper> all = new ArrayList<>(leaves);
        all.add(node);
        record(all, Cause.ASKED);
        for (ShaperHandle parent : left) {
            sweepQuietly(parent);
        }
    }

    /** Queues from this number on are about to go, and take their shapers along; the driver knows by itself. */
    void shrink(int queues) {
        for (Shaper shaper : List.copyOf(records.all())) {
            if (shaper.handle().scope() == ShaperScope.QUEUE && shaper.handle().id() >= queues) {
                remove(shaper.handle(), Cause.QUEUE_GONE);
                sweepQuietly(shaper.parent());
            }
        }
    }

    private void sweepQuietly(ShaperHandle parent) {
        try {
            sweep(parent);
        } catch (Refusal refused) {
            LOG.warn("{}: a node with nothing below it stays: {}", device, refused.getMessage());
        }
    }

    /** Deletes a node that has nothing below it any more, and so on upwards. */
    private void sweep(ShaperHandle from) {
        ShaperHandle node = from;
        while (node != null && node.scope() == ShaperScope.NODE && records.get(node) != null
                && records.below(node).isEmpty()) {
            ShaperHandle above = records.get(node).parent();
            driver.delete(node);
            remove(node, Cause.EMPTIED);
            node = above;
        }
    }

    void record(Collection<Shaper> accepted, Cause cause) {
        records = records.with(accepted);
        accepted.forEach(shaper -> changes.recorded(shaper.handle(), shaper, cause));
    }

    private void remove(ShaperHandle handle, Cause cause) {
        records = records.without(handle);
        changes.recorded(handle, null, cause);
    }

    /** Takes over what the driver was told in another place. */
    void replace(Records told) {
        Records before = records;
        records = told;
        before.all().stream().filter(shaper -> told.get(shaper.handle()) == null)
                .forEach(shaper -> changes.recorded(shaper.handle(), null, Cause.REPLAYED));
        told.all().forEach(shaper -> changes.recorded(shaper.handle(), shaper, Cause.REPLAYED));
    }

}
