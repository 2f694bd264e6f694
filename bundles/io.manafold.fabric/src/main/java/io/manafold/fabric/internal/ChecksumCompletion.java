package io.manafold.fabric.internal;

import io.manafold.memory.RawMemory;
import io.manafold.packet.Headers;
import io.manafold.packet.InternetChecksum;

/**
 * Does what a sender of the same host leaves to its network card: such frames carry the sum of the pseudo header in the
 * place of the TCP or UDP checksum. On a wire of ours checksums are complete.
 */
final class ChecksumCompletion {
    private final byte[] copy;
    private final Headers headers = new Headers();

    ChecksumCompletion(int longest) {
        copy = new byte[longest];
    }

    /** Completes the checksum of a frame in memory of our own. */
    void complete(long address, int length) {
        RawMemory.copy(address, copy, 0, length);
        if (!headers.parse(copy, 0, length, length) || headers.isFragment() || !headers.isTcp() && !headers.isUdp()) {
            return;
        }
        long sum = InternetChecksum.add(0, copy, headers.transport(), headers.transportLength());
        int checksum = headers.isUdp() ? InternetChecksum.finishUdp(sum) : InternetChecksum.finish(sum);
        RawMemory.putBig16(address + headers.transportChecksum(), checksum);
    }
}
