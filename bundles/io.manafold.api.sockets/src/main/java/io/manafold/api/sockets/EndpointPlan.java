package io.manafold.api.sockets;

import java.time.Duration;
import java.util.Objects;

/**
 * How endpoints are to be.
 *
 * @param knobs one of queues has to be as the queues have it, unless it is preferred
 * @param sends that can be posted and not complete, 1 to 65,536
 * @param receives that can be posted and not complete, 1 to 65,536
 * @param pieces that one send can have, 1 to 1024
 * @param connectLimit after which connecting ends as {@code ETIMEDOUT}
 * @param backlog of a listener: how many connections may wait
 */
public record EndpointPlan(Knobs knobs, int sends, int receives, int pieces, Duration connectLimit, int backlog) {
    /** 128 sends of up to 16 pieces, 128 receives, a minute to connect. */
    public static final EndpointPlan USUAL = new EndpointPlan(Knobs.USUAL, 128, 128, 16, Duration.ofMinutes(1), 1024);

    public EndpointPlan {
        Objects.requireNonNull(knobs);
        Objects.requireNonNull(connectLimit);
    }

    public EndpointPlan with(Knobs newKnobs) {
        return new EndpointPlan(newKnobs, sends, receives, pieces, connectLimit, backlog);
    }

    public EndpointPlan withQueues(int newSends, int newReceives) {
        return new EndpointPlan(knobs, newSends, newReceives, pieces, connectLimit, backlog);
    }

    public EndpointPlan withPieces(int newPieces) {
        return new EndpointPlan(knobs, sends, receives, newPieces, connectLimit, backlog);
    }

    public EndpointPlan withConnectLimit(Duration newLimit) {
        return new EndpointPlan(knobs, sends, receives, pieces, newLimit, backlog);
    }

    public EndpointPlan withBacklog(int newBacklog) {
        return new EndpointPlan(knobs, sends, receives, pieces, connectLimit, newBacklog);
    }
}
