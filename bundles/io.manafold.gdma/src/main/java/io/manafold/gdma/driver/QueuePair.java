package io.manafold.gdma.driver;

import io.manafold.gdma.Doorbell;
import io.manafold.gdma.QueueType;
import io.manafold.gdma.message.CreateWqObject;
import io.manafold.gdma.message.CreateWqObject.EventHolding;
import io.manafold.gdma.message.DestroyWqObject;
import io.manafold.gdma.message.Done;
import io.manafold.gdma.message.Request;
import io.manafold.memory.DmaPiece;
import java.util.ArrayList;
import java.util.List;

/** A work queue of a vPort with its completion queue: one object of the Ethernet device. */
public final class QueuePair {
    private final ClientSession client;
    private final QueueRights rights;
    private final int type;
    private final WorkQueue work;
    private final CompletionQueue completions;
    private final long object;

    /**
     * What a pair is to be.
     *
     * @param rights the same that the vPort's sends were given
     * @param type {@link QueueType#SEND} or {@link QueueType#RECEIVE}
     * @param workBytes of the requests, a power of two
     * @param completionBytes of the completions, of any length
     * @param eventQueue id of the queue that hears of completions
     * @param holding how those events are held back, for a device that does
     */
    public record Shape(QueueRights rights, long vport, int type, int workBytes, int completionBytes, int eventQueue,
            EventHolding holding) {
        /** No event is held back. */
        public Shape(QueueRights rights, long vport, int type, int workBytes, int completionBytes, int eventQueue) {
            this(rights, vport, type, workBytes, completionBytes, eventQueue, EventHolding.NONE);
        }
    }

    QueuePair(ClientSession client, Shape shape, DmaPiece workMemory, DmaPiece completionMemory,
            CreateWqObject.Result made) {
        this.client = client;
        rights = shape.rights();
        type = shape.type();
        work = new WorkQueue(workMemory, shape.workBytes(), type == QueueType.SEND ? Doorbell.SEND : Doorbell.RECEIVE,
                rights.page(), made.workQueue());
        completions = new CompletionQueue(completionMemory, shape.completionBytes(), rights.page(),
                made.completionQueue());
        object = made.object();
        client.openObjects().add(this, type == QueueType.SEND ? "send queues" : "receive queues", this::destroy);
    }

    /** Makes one, over memory of the client. */
    public static QueuePair create(ClientSession client, Shape shape) {
        return create(client, List.of(shape)).getFirst();
    }

    /** Makes several, over memory of the client; all or none. */
    public static List<QueuePair> create(ClientSession client, List<Shape> shapes) {
        List<QueuePairMaking> several = new ArrayList<>();
        for (Shape shape : shapes) {
            several.add(new QueuePairMaking(client, shape));
        }
        return Making.all(several);
    }

    /** What they were made with. */
    public QueueRights rights() {
        return rights;
    }

    public WorkQueue work() {
        return work;
    }

    public CompletionQueue completions() {
        return completions;
    }

    /** The handle of the two. */
    public long object() {
        return object;
    }

    /** The next completion of the work queue; 0 if there is none, or one that is not its own. */
    public long next() {
        return completions.next(work.id(), type);
    }

    /** Ends the two and gives their memory back; a second time does nothing. */
    public void destroy() {
        if (client.openObjects().remove(this)) {
            try {
                client.call(new DestroyWqObject(type, object));
            } finally {
                free();
            }
        }
    }

    /** Ends several pairs of a client together, whatever the device says. */
    public static void destroy(ClientSession client, List<QueuePair> pairs) {
        List<QueuePair> ending = new ArrayList<>();
        List<Request<Done>> questions = new ArrayList<>();
        for (QueuePair pair : pairs) {
            if (client.openObjects().remove(pair)) {
                ending.add(pair);
                questions.add(new DestroyWqObject(pair.type, pair.object));
            }
        }
        client.callQuietly(questions);
        for (QueuePair pair : ending) {
            pair.free();
        }
    }

    private void free() {
        client.memory().free(work.memory());
        client.memory().free(completions.memory());
    }
}
