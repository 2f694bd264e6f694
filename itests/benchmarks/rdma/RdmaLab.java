package io.manafold.benchmark;

import io.manafold.fabric.internal.LoopLink;
import io.manafold.memory.RawMemory;
import io.manafold.testkit.RcPair;
import io.manafold.testkit.RcSettings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** A switch and two adapters on it, whose drivers are connected by queue pairs. */
final class RdmaLab implements AutoCloseable {
    private static final int CHUNK = 1 << 20;
    private static final int RING = 1 << 14;

    final RdmaCase what;
    private final LoopLink link;
    private final RdmaEndpoint left;
    private final RdmaEndpoint right;

    /** @param pairs how many are connected; {@link #traffic} says how many of them work */
    RdmaLab(RdmaCase what, int pairs) {
        this.what = what;
        link = new LoopLink("loop", List.of("left/1", "right/1", RdmaTraffic.PORT + 0, RdmaTraffic.PORT + 1));
        left = new RdmaEndpoint("left", 1);
        right = new RdmaEndpoint("right", 2);
        left.adapter.plug(link.link(), "left/1");
        right.adapter.plug(link.link(), "right/1");
        RdmaEndpoint.connect(left, right, pairs, RcSettings.of(what.mtu()).withRings(RING, RING));
        fill(left, 1);
        fill(right, 2);
    }

    private static void fill(RdmaEndpoint end, long seed) {
        byte[] random = new byte[CHUNK];
        new Random(seed).nextBytes(random);
        for (int at = 0; at < RdmaEndpoint.BYTES; at += CHUNK) {
            RawMemory.copy(random, 0, end.block.pointer() + at, CHUNK);
            RawMemory.put64(end.block.pointer() + at, seed << 32 | at);
        }
    }

    /** The first so many queue pairs at work, as one more port of the switch. */
    RdmaTraffic traffic(int number, int pairs) {
        RdmaTraffic traffic = new RdmaTraffic(number, what, left, right, pairs);
        traffic.plugged(link.link().plug(traffic));
        return traffic;
    }

    RdmaEchoes echoes() {
        return new RdmaEchoes(what, left, right);
    }

    /** What has gone wrong; empty after a good run, in which all that was moved has arrived where it belongs. */
    List<Object> wrong(int moved) {
        List<Object> wrong = new ArrayList<>();
        wrong.addAll(left.adapter.refused());
        wrong.addAll(right.adapter.refused());
        for (RdmaEndpoint end : List.of(left, right)) {
            for (RcPair pair : end.pairs) {
                if (pair.sendErrors() + pair.receiveErrors() + pair.misplaced() > 0) {
                    wrong.add("queue pair " + pair.number() + " has failed: " + pair.sendError() + ", "
                            + pair.receiveError());
                }
            }
        }
        byte[] here = new byte[CHUNK];
        byte[] there = new byte[CHUNK];
        for (int at = 0; at < moved; at += CHUNK) {
            int length = Math.min(CHUNK, moved - at);
            RawMemory.copy(left.block.pointer() + at, here, 0, length);
            RawMemory.copy(right.block.pointer() + at, there, 0, length);
            if (!Arrays.equals(here, 0, length, there, 0, length)) {
                wrong.add("what was moved to " + at + " is not what was there");
            }
        }
        return wrong;
    }

    @Override
    public void close() throws InterruptedException {
        left.close();
        right.close();
        link.close();
    }
}
