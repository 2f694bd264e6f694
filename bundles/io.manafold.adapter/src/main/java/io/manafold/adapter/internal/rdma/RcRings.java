package io.manafold.adapter.internal.rdma;

/**
 * The rings that a driver fills for a reliable connection.
 *
 * @param sends requests to send, write and read
 * @param landings where what is read goes
 * @param receives where what the peer sends goes
 */
public record RcRings(RequestRing sends, RequestRing landings, RequestRing receives) {
}
