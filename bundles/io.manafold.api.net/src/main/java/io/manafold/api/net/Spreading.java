package io.manafold.api.net;

/**
 * How packets are spread over receive queues. The arrays are copies.
 *
 * @param queues how many there are
 */
public record Spreading(byte[] key, int[] table, int queues) {
}
