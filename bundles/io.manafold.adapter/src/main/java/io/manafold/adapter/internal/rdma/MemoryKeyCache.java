package io.manafold.adapter.internal.rdma;

import io.manafold.adapter.internal.queue.KeyedMemory;
import io.manafold.adapter.internal.queue.MemoryKeys;

/**
 * What a key stood for when it was looked for last. Requests that follow each other mostly name the same memory; it is
 * looked for again as soon as any key was taken away, for the next driver, whose keys have the same numbers, and in
 * another protection domain. For one thread.
 */
final class MemoryKeyCache {
    private KeyedMemory memory;
    /** Where it was looked for: generations and numbers of other keys than these say nothing. */
    private MemoryKeys from;
    private int domain;
    private int key;
    private int right;
    private long generation = MemoryKeys.UNKNOWN;

    /** As {@link MemoryKeys#find(int, int, int)}. */
    KeyedMemory find(MemoryKeys keys, int pd, int wanted, int wantedRight) {
        // read first: what is found after it may be of a later generation, and is then looked for once more
        long now = keys.generation();
        if (now == generation && keys == from && wanted == key && pd == domain && wantedRight == right
                && now != MemoryKeys.UNKNOWN) {
            return memory;
        }
        KeyedMemory found = keys.find(wanted, pd, wantedRight);
        // a key that is none today may be given tomorrow, which changes no generation
        generation = found == null ? MemoryKeys.UNKNOWN : now;
        memory = found;
        from = keys;
        domain = pd;
        key = wanted;
        right = wantedRight;
        return found;
    }
}
