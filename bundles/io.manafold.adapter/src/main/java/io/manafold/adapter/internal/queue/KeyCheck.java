package io.manafold.adapter.internal.queue;

/** Whether a memory key may be used. Asked for every scatter-gather element, so it neither allocates nor locks. */
@FunctionalInterface
public interface KeyCheck {
    /**
     * @param memoryKey the key as the driver wrote it
     * @param pd the protection domain of the queue that the element stands in
     * @param write whether the adapter is going to write there
     */
    boolean allows(int memoryKey, int pd, boolean write);
}
