package io.manafold.netshaper.internal.serve;

/**
 * Who sends requests, and how they want to be answered.
 *
 * @param port the number of the sender, in every reply
 * @param admin whether they may change something
 * @param capped whether a refusal repeats only the header of the request
 * @param extended whether a refusal says more than its number
 */
public record Caller(int port, boolean admin, boolean capped, boolean extended) {
}
