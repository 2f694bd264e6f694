package io.manafold.api.traffic;

/**
 * What to send.
 *
 * @param from name of the device that sends
 * @param to name of the device that receives
 * @param rate packets in a second, 0 for as many as go
 * @param size bytes of a frame, without its checksum; 60 or more
 * @param flows streams with an order of their own, 1 or more; they take turns, and the device's send queues, too
 * @param verify whether every byte is filled and compared
 * @param count how many packets, 0 for all until it is stopped
 */
public record TrafficPlan(String from, String to, long rate, int size, int flows, boolean verify, long count) {
}
