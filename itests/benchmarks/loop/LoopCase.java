package io.manafold.benchmark;

/**
 * What is measured.
 *
 * @param oneThread whether driver and adapter share the link's thread
 * @param adapters how many are on the switch; all but the first are idle
 * @param hash whether frames are hashed and spread over queues; without it there is one queue
 */
record LoopCase(boolean oneThread, int frame, int queues, int adapters, boolean hash) {
}
