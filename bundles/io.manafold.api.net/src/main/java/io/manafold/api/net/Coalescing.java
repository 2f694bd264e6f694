package io.manafold.api.net;

/**
 * How many packets a receive completion may stand for, and how long the adapter waits for them.
 */
public record Coalescing(int frames, int nanos) {
}
