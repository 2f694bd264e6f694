package io.manafold.api.adapter;

/**
 * A completion queue of RDMA at a moment.
 *
 * @param number as doorbells name it
 * @param entries how many it has room for
 * @param events the event queue that tells of it
 * @param used whether queue pairs name it
 */
public record RdmaCompletionQueue(int number, int entries, int events, boolean used) {
}
