package io.manafold.api.inet;

import io.manafold.api.net.MacAddress;

/**
 * An address that a host has given to another by DHCP.
 *
 * @param hostName what the other calls itself, or an empty text; a stranger's words, printable and 63 of them at most
 * @param times how often it was confirmed
 */
public record Lease(IpAddress address, MacAddress mac, String hostName, long times) {
}
