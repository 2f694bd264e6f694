package io.manafold.gdma.driver;

import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.QueueType;
import io.manafold.gdma.message.CreateQueue;
import io.manafold.gdma.message.DisableQueue;

/** An event queue of a client on its way into being. */
final class EventQueueMaking extends Making<EventQueue> {
    /** One interrupt may stand for so many events: 2 to this. */
    private static final int THROTTLE = 3;

    private final ClientSession client;
    private final int bytes;
    private final int vector;
    private Answer<CreateQueue.Result> asked;
    private EventQueue queue;

    EventQueueMaking(ClientSession client, int bytes, int vector) {
        super(client);
        this.client = client;
        this.bytes = bytes;
        this.vector = vector;
    }

    @Override
    void describe() {
        area(bytes);
    }

    @Override
    void ask() {
        QueueRights rights = client.rights();
        asked = client.ask(new CreateQueue(QueueType.EVENT, rights.protectionDomain(), rights.page().number(),
                region(0), bytes, THROTTLE, vector, 0, 0, false, false, false, false));
    }

    @Override
    EventQueue made() {
        Answer<CreateQueue.Result> answer = asked;
        asked = null;
        queue = new EventQueue(piece(0), bytes, client.rights().page(), answer.await().queue());
        client.openObjects().add(queue, "event queues", () -> client.destroyEventQueue(queue));
        return queue;
    }

    @Override
    boolean forget() {
        try {
            if (asked != null) {
                made();
            }
            if (queue != null) {
                client.openObjects().remove(queue);
                client.call(new DisableQueue(QueueType.EVENT, queue.id(), 1));
            }
        } catch (Refusal _) {
            // it was not made, or goes with the channel
        }
        return queue != null;
    }
}
