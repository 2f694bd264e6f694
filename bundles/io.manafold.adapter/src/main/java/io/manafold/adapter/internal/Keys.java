package io.manafold.adapter.internal;

import io.manafold.adapter.internal.queue.IdTable;
import io.manafold.adapter.internal.queue.KeyedMemory;
import io.manafold.adapter.internal.queue.MemoryKeys;
import io.manafold.api.adapter.ObjectLimit;

/**
 * Memory keys: which protection domain each belongs to and what it allows. Agents ask while the control agent changes
 * them; a key that was taken back is not given again before 255 others of its slot.
 */
final class Keys implements MemoryKeys {
    static final int MOST = ObjectLimit.MEMORY_KEYS.most();

    private static final int SLOT_SHIFT = 8;
    private static final long BYTES = 64;

    private final IdTable<Key> slots;
    private final byte[] generations = new byte[MOST + 1];
    private final ObjectBudget.Share budget;
    /** Written by the control agent, after the key is gone and before what it stood for. */
    private volatile long generation;

    Keys(ObjectBudget.Share budget, ObjectLimits limits) {
        slots = new IdTable<>(1, MOST + 1, limits.most(ObjectLimit.MEMORY_KEYS));
        this.budget = budget;
    }

    /** @param rights those of {@link MemoryKeys} */
    private record Key(int number, int pd, int rights, KeyedMemory memory) {
    }

    /** Makes a key for all that requests of a driver may do. */
    int addLocal(int pd, KeyedMemory memory) {
        return add(pd, LOCAL_WRITE, memory);
    }

    /**
     * Makes a key; refused if there are too many.
     *
     * @param rights those of {@link MemoryKeys}; a function that has a key may have the memory read
     */
    int add(int pd, int rights, KeyedMemory memory) {
        budget.take("the memory key", BYTES);
        int slot = slots.take();
        if (slot < 0) {
            budget.give(BYTES);
            throw CommandException.exhausted("memory keys", slots.most());
        }
        generations[slot]++;
        int number = slot << SLOT_SHIFT | generations[slot] & 0xff;
        slots.put(slot, new Key(number, pd, rights | LOCAL_READ, memory));
        return number;
    }

    void remove(int number) {
        slots.free(number >>> SLOT_SHIFT);
        generation = generation + 1;
        budget.give(BYTES);
    }

    int count() {
        return slots.count();
    }

    @Override
    public KeyedMemory find(int memoryKey, int pd, int right) {
        Key key = slots.get(memoryKey >>> SLOT_SHIFT);
        return key != null && key.number == memoryKey && key.pd == pd && (key.rights & right) == right
                ? key.memory : null;
    }

    @Override
    public long generation() {
        return generation;
    }

    @Override
    public int reason(int memoryKey, int pd) {
        Key key = slots.get(memoryKey >>> SLOT_SHIFT);
        return key == null ? NO_KEY : key.number != memoryKey ? OLD_KEY : key.pd != pd ? OTHER_DOMAIN : NO_RIGHT;
    }
}
