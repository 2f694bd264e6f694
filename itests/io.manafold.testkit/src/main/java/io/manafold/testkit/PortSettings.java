package io.manafold.testkit;

import io.manafold.gdma.Limits;

/**
 * How a vPort is opened.
 *
 * @param queues pairs of send and receive queues
 * @param sendEntries units of each send ring, a power of two from 128
 * @param receiveEntries buffers of each receive ring, a power of two from 128
 * @param mtu bytes of a frame behind its Ethernet header
 * @param sendBuffer bytes of memory of each send queue for frames on their way
 * @param frames packets that one completion may stand for: 1, 4 or 8
 * @param key for the receive hash, 40 bytes
 */
public record PortSettings(int queues, int sendEntries, int receiveEntries, int mtu, int sendBuffer, int frames,
        byte[] key) {
    public PortSettings {
        if (queues < 1 || queues > Limits.QUEUES_PER_PORT || key.length != Limits.HASH_KEY) {
            throw new IllegalArgumentException("a port has 1 to " + Limits.QUEUES_PER_PORT
                    + " queues and a key of " + Limits.HASH_KEY + " bytes");
        }
        if (Integer.bitCount(sendEntries) != 1 || Integer.bitCount(receiveEntries) != 1 || sendEntries < 128
                || receiveEntries < 128 || sendEntries > 16384 || receiveEntries > 8192) {
            throw new IllegalArgumentException("rings have a power of two of entries, from 128");
        }
    }

    /** Small rings, MTU 1500, a fixed key. */
    public static PortSettings small(int queues) {
        byte[] key = new byte[Limits.HASH_KEY];
        for (int i = 0; i < key.length; i++) {
            key[i] = (byte) (i * 37 + 11);
        }
        return new PortSettings(queues, 256, 256, 1500, 1 << 18, 1, key);
    }

    /** The same with another MTU. */
    public PortSettings withMtu(int newMtu) {
        return new PortSettings(queues, sendEntries, receiveEntries, newMtu, sendBuffer, frames, key);
    }

    /** The same with that many packets to a completion. */
    public PortSettings withFrames(int most) {
        return new PortSettings(queues, sendEntries, receiveEntries, mtu, sendBuffer, most, key);
    }
}
