package io.manafold.api.net;

/**
 * What a driver does with a queue.
 *
 * @param pending packets on their way, each of which may take several entries; 0 for a receive queue
 * @param budget completions that it takes in one turn, at most
 * @param completionHead where it reads the next completion, in entries from the beginning of the completion queue
 * @param doorbells how often it told the function of requests since the queue was made
 * @param completionDoorbells how often it told how far it had read completions, or asked for an event, since then
 * @param coalesced completions that told of several packets, since the port was there
 */
public record QueueWork(int pending, int budget, int completionHead, long doorbells, long completionDoorbells,
        long coalesced) {
    /** Nothing is known of it. */
    public static final QueueWork NONE = new QueueWork(0, 0, 0, 0, 0, 0);
}
