package io.manafold.api.net;

/**
 * How many bytes a send queue may have under way: the limit moves by itself, so that the device is kept busy and
 * packets do not wait longer than that takes. Its numbers are those that Linux has for a queue.
 *
 * @param queue which one
 * @param limit bytes at the moment
 * @param min what the limit never falls below
 * @param max what the limit never rises above
 * @param holdTime for how many milliseconds it has to be too high before it falls
 * @param inFlight bytes under way
 * @param reached how often packets had to wait for it
 */
public record ByteQueueLimit(int queue, int limit, int min, int max, int holdTime, int inFlight, long reached) {
}
