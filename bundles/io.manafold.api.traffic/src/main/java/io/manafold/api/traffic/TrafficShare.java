package io.manafold.api.traffic;

/**
 * What went through the queues of one number.
 *
 * @param sent packets that the sending device's queue has taken; of a large send all of its segments
 * @param received packets that arrived on the receiving device's queue
 */
public record TrafficShare(int queue, long sent, long received) {
}
