package io.manafold.adapter.internal.queue;

/** What memory keys stand for. Asked by agents once a cycle and key, so it neither allocates nor locks. */
@FunctionalInterface
public interface MemoryKeys {
    /** A right: the driver's own requests may have the memory read. */
    int LOCAL_READ = 1;
    /** A right: the driver's own requests may have the memory written. */
    int LOCAL_WRITE = 1 << 1;
    /** A right: a peer may read the memory. */
    int REMOTE_READ = 1 << 2;
    /** A right: a peer may write the memory. */
    int REMOTE_WRITE = 1 << 3;

    /**
     * The memory of a key.
     *
     * @param memoryKey the key as the driver wrote it
     * @param pd the protection domain of the queue that the element stands in
     * @param right what is going to be done there
     * @return {@code null} if the key is none, of another domain, or not for that
     */
    KeyedMemory find(int memoryKey, int pd, int right);

    /** As {@link #find(int, int, int)}, for the driver's own requests. */
    default KeyedMemory find(int memoryKey, int pd, boolean write) {
        return find(memoryKey, pd, write ? LOCAL_WRITE : LOCAL_READ);
    }

    /**
     * Changes whenever a key was taken away: what was found before has to be looked for again; {@link #UNKNOWN} always.
     */
    default long generation() {
        return UNKNOWN;
    }

    /** Nothing that was found may be used again. */
    long UNKNOWN = -1;

    /** Why a key is not found: {@link #NO_KEY}, {@link #OLD_KEY}, {@link #OTHER_DOMAIN}, else {@link #NO_RIGHT}. */
    default int reason(int memoryKey, int pd) {
        return NO_KEY;
    }

    /** There is no such key. */
    int NO_KEY = 0;
    /** The key's number was given to other memory since. */
    int OLD_KEY = 1;
    /** The key is of another protection domain. */
    int OTHER_DOMAIN = 2;
    /** The key does not allow it. */
    int NO_RIGHT = 3;
}
