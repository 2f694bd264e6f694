package io.manafold.api.net;

/** Ring sizes of a device, in entries. */
public record Rings(int receive, int transmit, int maxReceive, int maxTransmit) {
}
