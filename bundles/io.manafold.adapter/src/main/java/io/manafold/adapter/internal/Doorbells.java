package io.manafold.adapter.internal;

import io.manafold.adapter.internal.queue.IdTable;
import io.manafold.adapter.internal.queue.Rejections;
import io.manafold.adapter.internal.rdma.QpNumber;
import io.manafold.adapter.internal.rdma.RcQueuePair;
import io.manafold.api.adapter.Adapter.Milestone;
import io.manafold.api.adapter.ObjectLimit;
import io.manafold.gdma.Doorbell;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Which queue a doorbell is for. Rung from any thread while the control agent makes and ends queues. */
final class Doorbells {
    /** Every number of a completion queue is below it. */
    static final int COMPLETION_IDS = 4096;
    /** The lowest numbers are the hardware channel's; no other queue gets them. */
    static final int FIRST = 16;

    /** Numbers of send queues are below it, those of receive queues from here on. */
    private static final int SEND_IDS = 4096;
    private static final int WORK_IDS = 8192;
    private static final int EVENT_IDS = 4096;
    private static final int QUEUES_OF_PAIR = 4;

    final IdTable<Door> send;
    final IdTable<Door> receive;
    final IdTable<Door> completion;
    final IdTable<Door> event;

    /**
     * Queue pairs of reliable connections by their slots; each has four numbers of its own, from {@link QpNumber#FIRST}
     * on.
     */
    final IdTable<PairDoor> pairs = new IdTable<>(0, QpNumber.SLOTS, QpNumber.SLOTS);

    private final Rejections rejections;
    private final DriverProgress milestones;

    Doorbells(Rejections rejections, DriverProgress milestones, ObjectLimits limits) {
        this.rejections = rejections;
        this.milestones = milestones;
        send = new IdTable<>(FIRST, SEND_IDS, limits.most(ObjectLimit.SEND_QUEUES));
        receive = new IdTable<>(SEND_IDS, WORK_IDS, limits.most(ObjectLimit.RECEIVE_QUEUES));
        completion = new IdTable<>(FIRST, COMPLETION_IDS, limits.most(ObjectLimit.COMPLETION_QUEUES));
        event = new IdTable<>(FIRST, EVENT_IDS, limits.most(ObjectLimit.EVENT_QUEUES));
    }

    /**
     * The way to a queue.
     *
     * @param page the only page on which the queue can be rung
     * @param moderator of a completion queue whose driver may say how its events are held back, else {@code null}
     */
    record Door(int page, Bell bell, Moderator moderator) {
        Door(int page, Bell bell) {
            this(page, bell, null);
        }
    }

    /** Holds back events of a completion queue from now on; −1 for what stays. */
    @FunctionalInterface
    interface Moderator {
        void moderate(int micros, int frames);
    }

    /** What a doorbell does. */
    @FunctionalInterface
    interface Bell {
        /**
         * @param index bytes produced, or entries consumed
         * @param arm only for completion and event queues
         */
        void ring(int index, boolean arm);
    }

    /** The way to the queues of a reliable connection. */
    record PairDoor(int page, RcQueuePair pair) {
    }

    void ring(int page, int slot, long word) {
        if (slot < Doorbell.COMPLETION && Doorbell.queue(word) >= QpNumber.FIRST) {
            ringPair(page, slot, word);
            return;
        }
        switch (slot) {
            case Doorbell.SEND -> work("send queue", send, page, word);
            case Doorbell.RECEIVE -> {
                if (work("receive queue", receive, page, word) && Doorbell.queue(word) >= SEND_IDS) {
                    milestones.reach(Milestone.RECEIVES_POSTED);
                }
            }
            case Doorbell.COMPLETION -> {
                Door door = find("completion queue", completion, page, Doorbell.queue(word), word);
                if (door != null) {
                    door.bell.ring(Doorbell.consumerIndex(word), Doorbell.arms(word));
                    if (Doorbell.arms(word) && Doorbell.queue(word) >= FIRST) {
                        milestones.reach(Milestone.COMPLETIONS_ARMED);
                    }
                }
            }
            case Doorbell.MODERATION -> moderate(page, word);
            case Doorbell.EVENT -> {
                Door door = find("event queue", event, page, Doorbell.eventQueue(word), word);
                if (door != null) {
                    door.bell.ring(Doorbell.consumerIndex(word), Doorbell.arms(word));
                }
            }
            default -> note(word, "a doorbell page has slots at 0x0, 0x400, 0x800, 0x820 and 0xff8",
                    "write to the slot of the queue's kind");
        }
    }

    private void moderate(int page, long word) {
        Door door = find("completion queue", completion, page, Doorbell.queue(word), word);
        if (door != null && door.moderator == null) {
            note(word, "events are held back of completion queues of create-wq-object, if the device says that it can",
                    "look at the flags of verify-version, and name such a queue");
        } else if (door != null) {
            door.moderator.moderate(Doorbell.moderationMicros(word), Doorbell.moderationFrames(word));
        }
    }

    private void ringPair(int page, int slot, long word) {
        int number = Doorbell.queue(word);
        int queue = number & QUEUES_OF_PAIR - 1;
        int place = QpNumber.slot(number - queue);
        PairDoor door = place < 0 ? null : pairs.get(place);
        if (door == null) {
            note(word, "a doorbell names a queue pair that exists", "ring a queue after its creation was answered, "
                    + "and not after its end");
        } else if (door.page != page) {
            note(word, "a queue pair is rung on the doorbell page it was made for", "use page " + door.page);
        } else if (slot == Doorbell.SEND && queue == 0) {
            door.pair.ringSends(Doorbell.producedBytes(word));
        } else if (slot == Doorbell.RECEIVE && queue == 0) {
            door.pair.ringReceives(Doorbell.producedBytes(word));
        } else if (slot == Doorbell.RECEIVE && queue == RcQueuePair.RECEIVE_REQUESTER) {
            door.pair.ringLandings(Doorbell.producedBytes(word));
        } else if (slot == Doorbell.ACKNOWLEDGED && queue == RcQueuePair.RECEIVE_REQUESTER) {
            door.pair.arm(Doorbell.psn(word));
        } else {
            note(word, "each queue of a queue pair has its slot of the doorbell page",
                    "ring sends at 0x0, receives at 0x400, what acknowledgements are wanted at 0x408");
        }
    }

    /** Returns whether there is such a queue. */
    private boolean work(String kind, IdTable<Door> table, int page, long word) {
        Door door = find(kind, table, page, Doorbell.queue(word), word);
        if (door != null) {
            door.bell.ring(Doorbell.producedBytes(word), false);
        }
        return door != null;
    }

    private Door find(String kind, IdTable<Door> table, int page, int id, long word) {
        Door door = table.get(id);
        if (door == null) {
            note(word, "a doorbell names a " + kind + " that exists", "ring a queue after its creation was answered, "
                    + "and not after its end");
            return null;
        }
        if (door.page != page) {
            note(word, "a " + kind + " is rung on the doorbell page it was made for", "use page " + door.page);
            return null;
        }
        return door;
    }

    private void note(long word, String rule, String right) {
        byte[] bytes = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(word).array();
        rejections.note("doorbell", bytes, rule, right, "the doorbell was ignored");
    }
}
