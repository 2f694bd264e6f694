package io.manafold.sockets.internal.steering;

import io.manafold.api.net.Spreading;
import io.manafold.packet.Toeplitz;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;

/** By which receive queue a device gets packets of TCP: what its key and its table make of addresses and ports. */
final class QueueHash {
    private static final int PORTS = 4;

    private final Toeplitz hash;
    private final int[] table;

    private QueueHash(Toeplitz hash, int[] table) {
        this.hash = hash;
        this.table = table;
    }

    /**
     * @param before one that perhaps has the same key, or {@code null}
     * @return {@code null} for a device that does not spread packets by a hash
     */
    static QueueHash of(Spreading spreading, QueueHash before) {
        if (spreading.key().length != Toeplitz.KEY || Integer.bitCount(spreading.table().length) != 1) {
            return null;
        }
        Toeplitz hash = before != null && Arrays.equals(before.hash.key(), spreading.key()) ? before.hash
                : new Toeplitz(spreading.key());
        return new QueueHash(hash, spreading.table());
    }

    /** Whether packets can come by a queue at all. */
    boolean leadsTo(int queue) {
        return Arrays.stream(table).anyMatch(entry -> entry == queue);
    }

    /** The queue by which comes what the remote end sends, −1 for ends of different families. */
    int queue(InetSocketAddress local, InetSocketAddress remote) {
        byte[] input = input(local, remote);
        return input == null ? -1 : queue(input, local.getPort());
    }

    /**
     * Local ports with which what the remote end sends comes by a queue, in the order of a round that begins anywhere.
     *
     * @param local whose port does not matter
     * @param least the first port of the round
     * @param most the last
     * @param wanted how many at most
     */
    int[] ports(InetSocketAddress local, InetSocketAddress remote, int queue, int least, int most, int wanted) {
        byte[] input = input(local, remote);
        int[] found = new int[wanted];
        int count = 0;
        int all = most - least + 1;
        int first = ThreadLocalRandom.current().nextInt(all);
        for (int i = 0; input != null && i < all && count < wanted; i++) {
            int port = least + (first + i) % all;
            if (queue(input, port) == queue) {
                found[count++] = port;
            }
        }
        return Arrays.copyOf(found, count);
    }

    /** The remote address, ours, the remote port and room for ours. */
    private static byte[] input(InetSocketAddress local, InetSocketAddress remote) {
        byte[] from = remote.getAddress().getAddress();
        byte[] to = local.getAddress().getAddress();
        if (from.length != to.length) {
            return null;
        }
        byte[] input = Arrays.copyOf(from, from.length + to.length + PORTS);
        System.arraycopy(to, 0, input, from.length, to.length);
        input[from.length + to.length] = (byte) (remote.getPort() >> 8);
        input[from.length + to.length + 1] = (byte) remote.getPort();
        return input;
    }

    private int queue(byte[] input, int port) {
        input[input.length - 2] = (byte) (port >> 8);
        input[input.length - 1] = (byte) port;
        return table[hash.hash(input, 0, input.length) & table.length - 1];
    }
}
