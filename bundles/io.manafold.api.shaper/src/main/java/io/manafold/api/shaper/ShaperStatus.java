package io.manafold.api.shaper;

/**
 * What a shaper has done since it is there. Numbers go up only; two readings and the time between them are a rate.
 *
 * @param packets what it let pass
 * @param bytes what it let pass, frames without checksum and preamble
 * @param heldNanos how long it had something to send and was not allowed to, up to this moment
 * @param queuedRequests what waits behind it just now, in units of 32 bytes of requests: a frame of one piece is one,
 *     a large send up to sixteen. How many bytes of frames that is cannot be known before the requests are read
 * @param dropped what was given up behind it
 */
public record ShaperStatus(ShaperHandle handle, long packets, long bytes, long heldNanos, long queuedRequests,
        long dropped) {
}
