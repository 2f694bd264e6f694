package io.manafold.benchmark;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A switch and two adapters on it, here or lent by another process, with the RDMA driver on each and a queue pair that
 * connects them.
 */
final class VerbsLab implements AutoCloseable {
    static final String AGENT = "manafold-link-verbs";
    private static final int CHUNK = 1 << 20;

    private final RdmaCase what;
    private final TwoAdapters adapters;
    private long asking;
    final VerbsEndpoint left;
    final VerbsEndpoint right;

    VerbsLab(RdmaCase what) throws IOException {
        this.what = what;
        adapters = what.lent() ? new LentAdapters() : new OwnAdapters();
        left = new VerbsEndpoint("left", 1, adapters.left());
        right = new VerbsEndpoint("right", 2, adapters.right());
        VerbsEndpoint.connect(left, right, what.mtu());
        fill(left, 1);
        fill(right, 2);
    }

    private static void fill(VerbsEndpoint end, long seed) {
        byte[] random = new byte[CHUNK];
        new Random(seed).nextBytes(random);
        MemorySegment block = end.block.segment();
        for (int at = 0; at < RdmaEndpoint.BYTES; at += CHUNK) {
            MemorySegment.copy(random, 0, block, ValueLayout.JAVA_BYTE, at, CHUNK);
            block.set(ValueLayout.JAVA_LONG_UNALIGNED, at, seed << 32 | at);
        }
    }

    VerbsTraffic traffic() {
        VerbsTraffic traffic = new VerbsTraffic(what, left, right, this);
        if (adapters instanceof OwnAdapters own) {
            traffic.plugged(own.link().plug(traffic));
        }
        return traffic;
    }

    VerbsEchoes echoes() {
        return new VerbsEchoes(what, left, right, this);
    }

    /**
     * What the calling thread has allocated, and all that serve it, here and in a lender; without what it takes to ask.
     */
    long allocated() {
        long here = Clock.allocatedHere();
        long all = here - asking + Clock.allocated() + adapters.allocated();
        asking += Clock.allocatedHere() - here;
        return all;
    }

    /** What the adapters have refused. */
    List<Object> refused() {
        return new ArrayList<>(adapters.refused());
    }

    /**
     * What has gone wrong; empty after a good run, in which all that was moved has arrived, and nothing but that has
     * changed.
     */
    List<Object> wrong(int moved) {
        List<Object> wrong = new ArrayList<>(adapters.refused());
        MemorySegment here = left.block.segment();
        MemorySegment there = right.block.segment();
        long differs = here.asSlice(0, moved).mismatch(there.asSlice(0, moved));
        if (differs >= 0) {
            wrong.add("what was moved to " + differs + " is not what was there");
        }
        if (moved < RdmaEndpoint.BYTES && here.asSlice(moved).mismatch(there.asSlice(moved)) > Long.BYTES) {
            wrong.add("more was moved than " + moved + " bytes");
        }
        return wrong;
    }

    @Override
    public void close() throws InterruptedException {
        left.close();
        right.close();
        adapters.close();
    }
}
