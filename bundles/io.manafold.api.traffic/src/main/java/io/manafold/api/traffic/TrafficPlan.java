package io.manafold.api.traffic;

/**
 * What to send.
 *
 * @param from name of the device that sends
 * @param to name of the device that receives
 * @param rate packets in a second, 0 for as many as go
 * @param size bytes of a frame on the wire, without its checksum and tag; as many as its form has at least
 * @param flows streams with an order of their own, 1 or more; they take turns, and the device's send queues, too
 * @param verify whether every byte is filled and compared
 * @param count how many packets, 0 for all until it is stopped; a large send is one
 * @param form what a packet is around its number
 */
public record TrafficPlan(String from, String to, long rate, int size, int flows, boolean verify, long count,
        TrafficForm form) {
    /** For packets without IP. */
    public TrafficPlan(String from, String to, long rate, int size, int flows, boolean verify, long count) {
        this(from, to, rate, size, flows, verify, count, TrafficForm.PLAIN);
    }
}
