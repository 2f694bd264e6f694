package io.manafold.gdma.driver;

import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.message.CreateWqObject;
import io.manafold.gdma.message.DestroyWqObject;

/** A queue pair on its way into being. */
final class QueuePairMaking extends Making<QueuePair> {
    private final ClientSession client;
    private final QueuePair.Shape shape;
    private Answer<CreateWqObject.Result> asked;
    private QueuePair pair;

    QueuePairMaking(ClientSession client, QueuePair.Shape shape) {
        super(client);
        this.client = client;
        this.shape = shape;
    }

    @Override
    void describe() {
        area(shape.workBytes());
        area(shape.completionBytes());
    }

    @Override
    void ask() {
        asked = client.ask(new CreateWqObject(shape.vport(), shape.type(), region(0), region(1), shape.workBytes(),
                shape.completionBytes(), 0, shape.eventQueue(), shape.holding()));
    }

    @Override
    QueuePair made() {
        Answer<CreateWqObject.Result> answer = asked;
        asked = null;
        pair = new QueuePair(client, shape, piece(0), piece(1), answer.await());
        return pair;
    }

    @Override
    boolean forget() {
        try {
            if (asked != null) {
                made();
            }
            if (pair != null) {
                client.openObjects().remove(pair);
                client.call(new DestroyWqObject(shape.type(), pair.object()));
            }
        } catch (Refusal _) {
            // it was not made, or goes with the channel
        }
        return pair != null;
    }
}
