package io.manafold.api.traffic;

/**
 * The IP addresses of traffic, of the ranges that are set aside for measurements: 198.18.0.0/15 and 2001:2::/48. Flows
 * differ in the source's port, which is that of the first flow and their number together.
 */
public record TrafficAddresses(String source, String destination, int firstPort, int port) {
}
