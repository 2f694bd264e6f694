package io.manafold.api.shaper;

import java.util.Objects;

/**
 * Which shaper of a device. Handles are in the order in which they are listed: the device's, those of queues, nodes.
 *
 * @param id 0 for the device's own
 */
public record ShaperHandle(ShaperScope scope, int id) implements Comparable<ShaperHandle> {
    /** The device's own shaper, and the parent of all that have no other. */
    public static final ShaperHandle NETDEV = new ShaperHandle(ShaperScope.NETDEV, 0);

    private static final int SCOPE_SHIFT = 26;

    public ShaperHandle {
        Objects.requireNonNull(scope, "scope");
    }

    public static ShaperHandle queue(int id) {
        return new ShaperHandle(ShaperScope.QUEUE, id);
    }

    public static ShaperHandle node(int id) {
        return new ShaperHandle(ShaperScope.NODE, id);
    }

    /** One number for both. */
    public int key() {
        return scope.ordinal() << SCOPE_SHIFT | id;
    }

    @Override
    public int compareTo(ShaperHandle other) {
        return Integer.compare(key(), other.key());
    }

    @Override
    public String toString() {
        return scope == ShaperScope.NETDEV ? scope.word() : scope.word() + " " + id;
    }
}
