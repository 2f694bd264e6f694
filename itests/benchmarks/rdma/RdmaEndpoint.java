package io.manafold.benchmark;

import io.manafold.adapter.internal.LoopAdapter;
import io.manafold.gdma.Gid;
import io.manafold.gdma.driver.ChannelLimits;
import io.manafold.gdma.driver.EthernetSession;
import io.manafold.gdma.driver.ProtectionDomain;
import io.manafold.gdma.message.CreateMr;
import io.manafold.memory.DmaArena;
import io.manafold.memory.DmaPiece;
import io.manafold.testkit.RcAddress;
import io.manafold.testkit.RcPair;
import io.manafold.testkit.RcSettings;
import io.manafold.testkit.RdmaQueue;
import io.manafold.testkit.RdmaSession;
import java.util.ArrayList;
import java.util.List;

/** An adapter with its driver: one completion queue, queue pairs, and a block of memory that is registered. */
final class RdmaEndpoint implements AutoCloseable {
    /** What requests call the first byte of the block. */
    static final long VIRTUAL = 0x7f00_0000_0000L;
    /** More than the caches of a processor hold. */
    static final int BYTES = 128 << 20;

    private static final int MEGABYTES = 224;
    private static final int ENTRIES = 8192;
    private static final int RIGHTS = CreateMr.LOCAL_READ | CreateMr.LOCAL_WRITE | CreateMr.REMOTE_READ
            | CreateMr.REMOTE_WRITE;
    private static final int FIRST_PSN = 0x10_0000;

    final LoopAdapter adapter;
    final List<RcPair> pairs = new ArrayList<>();
    final RdmaQueue completions;
    final DmaPiece block;
    private final DmaArena memory;
    private final EthernetSession ethernet;
    private final RdmaSession rdma;
    private final ProtectionDomain domain;
    private final ProtectionDomain.RegisteredMemory registered;
    private final Gid gid;

    RdmaEndpoint(String name, int host) {
        adapter = LoopAdapter.withRdma(name);
        gid = Gid.ofIpv4(0x0a00_0000 | host);
        memory = adapter.memory(MEGABYTES);
        ethernet = EthernetSession.open(adapter.function(), memory, ChannelLimits.USUAL, (type, data) -> { });
        rdma = new RdmaSession(ethernet, 0, memory);
        rdma.add(gid);
        domain = rdma.createDomain();
        completions = rdma.createQueue(ENTRIES);
        block = memory.allocate(BYTES);
        registered = domain.register(block, BYTES, VIRTUAL, RIGHTS);
    }

    int localKey() {
        return registered.localKey();
    }

    int remoteKey() {
        return registered.remoteKey();
    }

    /** Makes queue pairs at both ends and connects each with one of the other end. */
    static void connect(RdmaEndpoint left, RdmaEndpoint right, int count, RcSettings settings) {
        for (int i = 0; i < count; i++) {
            RcPair one = left.pair(settings);
            RcPair other = right.pair(settings);
            RcAddress here = one.address(left.gid, FIRST_PSN);
            RcAddress there = other.address(right.gid, FIRST_PSN);
            one.connect(here, there);
            other.connect(there, here);
        }
    }

    private RcPair pair(RcSettings settings) {
        RcPair pair = new RcPair(rdma, domain, completions, completions, settings);
        pairs.add(pair);
        return pair;
    }

    @Override
    public void close() {
        rdma.close();
        ethernet.close();
        memory.discard();
        adapter.close();
    }
}
