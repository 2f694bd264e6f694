package io.manafold.rdma.internal.queue;

import io.manafold.gdma.driver.DoorbellPage;

/**
 * A port of an Ethernet device whose queues are a parent domain's.
 *
 * @param number from 1
 * @param vport the handle of the port in requests
 * @param entries of its indirection table
 * @param page on which its queues are rung
 * @param vportOffset goes into every send request
 * @param eventQueue the event queue of completions
 */
public record PortInUse(int number, long vport, int entries, DoorbellPage page, int vportOffset, int eventQueue) {
}
