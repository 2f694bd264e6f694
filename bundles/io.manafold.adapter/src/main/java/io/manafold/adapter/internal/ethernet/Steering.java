package io.manafold.adapter.internal.ethernet;

/**
 * What a driver asks of the receive side of a port; what is {@code null} stays as it is.
 *
 * @param enable whether frames are let in
 * @param spread whether frames are spread over queues by their hash
 * @param setDefault whether {@code defaultQueue} applies
 * @param defaultQueue takes what is not spread; {@code null} takes nothing
 * @param key 40 bytes of Toeplitz key
 * @param table a queue for each value of the low bits of the hash; its length is a power of two; a {@code null} entry
 *        takes nothing
 * @param together frames that one completion may tell of: 1, 4 or 8
 */
public record Steering(Boolean enable, boolean spread, boolean setDefault, ReceiveQueue defaultQueue, byte[] key,
        ReceiveQueue[] table, int together) {
    /** Lets nothing in. */
    public static final Steering OFF = new Steering(false, false, false, null, null, null, 1);
}
