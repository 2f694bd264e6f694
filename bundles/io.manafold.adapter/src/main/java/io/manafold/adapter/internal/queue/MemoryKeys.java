package io.manafold.adapter.internal.queue;

/** What memory keys stand for. Asked by agents once a cycle and key, so it neither allocates nor locks. */
@FunctionalInterface
public interface MemoryKeys {
    /**
     * The memory of a key.
     *
     * @param memoryKey the key as the driver wrote it
     * @param pd the protection domain of the queue that the element stands in
     * @param write whether the adapter is going to write there
     * @return {@code null} if the key is none, of another domain, or not for that
     */
    KeyedMemory find(int memoryKey, int pd, boolean write);
}
