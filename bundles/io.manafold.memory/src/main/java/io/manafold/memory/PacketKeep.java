package io.manafold.memory;

/**
 * Free packets that work keeps to itself from one turn to the next, on whatever threads it takes them. One turn ends
 * before the next begins, and sees what that did.
 */
public final class PacketKeep {
    private final PacketCache[] caches = new PacketCache[PacketPool.MOST_POOLS];

    PacketCache[] caches() {
        return caches;
    }

    /** Gives all back; between two turns. */
    public void flush() {
        for (int i = 0; i < caches.length; i++) {
            if (caches[i] != null) {
                caches[i].flush();
                caches[i] = null;
            }
        }
    }
}
