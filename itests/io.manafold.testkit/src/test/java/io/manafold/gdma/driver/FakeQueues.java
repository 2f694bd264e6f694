package io.manafold.gdma.driver;

import io.manafold.gdma.CompletionEntry;
import io.manafold.gdma.EventEntry;
import io.manafold.gdma.OwnerBits;
import io.manafold.memory.RawMemory;
import java.util.function.IntConsumer;

/** Queues of the fake device, armed and disarmed as the contract says. */
final class FakeQueues {
    private FakeQueues() {
    }

    static final class Events {
        final int id;
        private final FakeRing ring;
        private final int slots;
        private final int vector;
        private final IntConsumer interrupts;
        private int producer;
        private boolean armed = true;

        Events(int id, FakeRing ring, int vector, IntConsumer interrupts) {
            this.id = id;
            this.ring = ring;
            this.vector = vector;
            this.interrupts = interrupts;
            slots = ring.bytes / EventEntry.SIZE;
            producer = slots;
        }

        void post(int type, int data) {
            long entry = ring.at(OwnerBits.slot(producer, slots) * EventEntry.SIZE);
            RawMemory.put32(entry + EventEntry.DATA, data);
            RawMemory.putRelease32(entry + EventEntry.LAST, EventEntry.last(type, producer, slots));
            producer = OwnerBits.wrap(producer + 1, slots);
            if (armed) {
                armed = false;
                interrupts.accept(vector);
            }
        }

        void doorbell(int consumer, boolean arm) {
            if (arm && consumer != producer) {
                interrupts.accept(vector);
            } else if (arm) {
                armed = true;
            }
        }
    }

    static final class Completions {
        final int id;
        private final FakeRing ring;
        private final Events parent;
        private final int slots;
        private int producer;
        private boolean armed;

        Completions(int id, FakeRing ring, Events parent, boolean armed) {
            this.id = id;
            this.ring = ring;
            this.parent = parent;
            this.armed = armed;
            slots = ring.bytes / CompletionEntry.SIZE;
            producer = slots;
        }

        /** Words of a completion by offset and value, then the last word. */
        void post(int workQueue, boolean send, int... words) {
            long entry = ring.at(OwnerBits.slot(producer, slots) * CompletionEntry.SIZE);
            RawMemory.clear(entry, CompletionEntry.BODY);
            for (int i = 0; i < words.length; i += 2) {
                RawMemory.put32(entry + words[i], words[i + 1]);
            }
            RawMemory.putRelease32(entry + CompletionEntry.LAST,
                    CompletionEntry.last(workQueue, send, producer, slots));
            producer = OwnerBits.wrap(producer + 1, slots);
            if (armed) {
                armed = false;
                parent.post(EventEntry.COMPLETION, id);
            }
        }

        void doorbell(int consumer, boolean arm) {
            if (arm && consumer != producer) {
                armed = false;
                parent.post(EventEntry.COMPLETION, id);
            } else if (arm) {
                armed = true;
            }
        }
    }

    static final class Work {
        final int id;
        final FakeRing ring;
        final Completions completions;
        int produced;
        int consumed;

        Work(int id, FakeRing ring, Completions completions) {
            this.id = id;
            this.ring = ring;
            this.completions = completions;
        }
    }
}
