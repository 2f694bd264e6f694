package io.manafold.adapter.internal;

import io.manafold.api.net.MacAddress;
import io.manafold.fabric.internal.HandSwitch;
import io.manafold.fabric.internal.TestSwitch;
import io.manafold.gdma.Gid;
import io.manafold.gdma.driver.EthernetSession;
import io.manafold.gdma.driver.ProtectionDomain;
import io.manafold.gdma.message.CreateMr;
import io.manafold.gdma.message.QueryVfCounters;
import io.manafold.gdma.message.RdmaCounter;
import io.manafold.memory.DmaArena;
import io.manafold.memory.DmaPiece;
import io.manafold.memory.RawMemory;
import io.manafold.testkit.RcAddress;
import io.manafold.testkit.RcPair;
import io.manafold.testkit.RcSettings;
import io.manafold.testkit.RdmaQueue;
import io.manafold.testkit.RdmaSession;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * One end of an RDMA test: an adapter with its driver, a registered block of memory, a completion queue, an address.
 */
final class RdmaEnd implements AutoCloseable {
    static final int ALL = CreateMr.LOCAL_READ | CreateMr.LOCAL_WRITE | CreateMr.REMOTE_READ | CreateMr.REMOTE_WRITE;
    static final int ENTRIES = 256;
    static final int BYTES = 4 << 20;
    /** A wait that leaves the processor to the thread that is waited for. */
    static final long SHORT = 20_000;
    /** What requests call the first byte of the block. */
    static final long VIRTUAL = 0x7f11_2233_4000L;

    final Bench bench;
    final DmaArena memory;
    final EthernetSession ethernet;
    final RdmaSession rdma;
    final ProtectionDomain domain;
    final RdmaQueue completions;
    final DmaPiece block;
    final ProtectionDomain.RegisteredMemory registered;
    final Gid gid;

    RdmaEnd(String name, int host, Object... settings) {
        this(new Bench(name, settings), Gid.ofIpv4(0x0a00_0000 | host));
    }

    RdmaEnd(Bench bench, Gid gid) {
        this(bench, gid, true);
    }

    /** One that is plugged into a switch whose clock it goes by. */
    static RdmaEnd on(HandSwitch net, String name, int host, Object... settings) {
        RdmaEnd end = new RdmaEnd(new Bench(net::now, name, settings), Gid.ofIpv4(0x0a00_0000 | host));
        end.bench.plug(net, name + "/1");
        return end;
    }

    /** An adapter that was not told its station address. */
    static RdmaEnd withoutAddress(String name, int host) {
        return new RdmaEnd(new Bench(name), Gid.ofIpv4(0x0a00_0000 | host), false);
    }

    private RdmaEnd(Bench bench, Gid gid, boolean addressed) {
        this.bench = bench;
        this.gid = gid;
        memory = bench.memory(64);
        ethernet = bench.session(memory);
        rdma = addressed ? new RdmaSession(ethernet, 0, memory) : RdmaSession.withoutAddress(ethernet, 0, memory);
        rdma.add(gid);
        domain = rdma.createDomain();
        completions = rdma.createQueue(ENTRIES);
        block = memory.allocate(BYTES);
        registered = domain.register(block, BYTES, VIRTUAL, ALL);
    }

    int key() {
        return registered.localKey();
    }

    RcPair pair(RcSettings settings) {
        return new RcPair(rdma, domain, completions, completions, settings);
    }

    /** Connects two queue pairs, with packet numbers that wrap around soon. */
    static void connect(RdmaEnd left, RcPair one, RdmaEnd right, RcPair other) {
        RcAddress here = one.address(left.gid, 0xff_fffe);
        RcAddress there = other.address(right.gid, 0x12_3456);
        one.connect(here, there);
        other.connect(there, here);
    }

    /** Connects a queue pair to one that need not exist. */
    static void connectOne(RdmaEnd end, RcPair pair, Gid peer, MacAddress mac, int psn) {
        pair.connect(pair.address(end.gid, 0x1234), new RcAddress(0x1_0000, psn, peer, mac));
    }

    /** Polls both until something holds; false if it does not within a minute. */
    static boolean until(BooleanSupplier condition, RcPair... pairs) {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                return false;
            }
            int work = 0;
            for (RcPair pair : pairs) {
                work += pair.poll();
            }
            if (work == 0) {
                LockSupport.parkNanos(SHORT);
            }
        }
        return true;
    }

    /** Packets of RDMA that have come. */
    long packets() {
        return rdma.call(new QueryVfCounters(rdma.adapter())).value(RdmaCounter.RX_PACKETS);
    }

    /** As long as the port's agent has time for what was there for it to do. */
    void pause() {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(50);
        while (System.nanoTime() < deadline) {
            LockSupport.parkNanos(deadline - System.nanoTime());
        }
    }

    /** Takes the completions of several queue pairs that share the queue. */
    void poll(RcPair... pairs) {
        completions.poll((entry, workQueue, sendSide) -> {
            for (RcPair pair : pairs) {
                if ((workQueue & -4) == pair.number()) {
                    pair.completion(entry, workQueue, sendSide);
                }
            }
        }, ENTRIES);
    }

    /** Fills a part of the block with bytes that do not repeat. */
    byte[] fill(int offset, int length, long seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        RawMemory.copy(bytes, 0, block.pointer() + offset, length);
        return bytes;
    }

    byte[] bytes(int offset, int length) {
        byte[] bytes = new byte[length];
        RawMemory.copy(block.pointer() + offset, bytes, 0, length);
        return bytes;
    }

    static void plug(TestSwitch net, RdmaEnd... ends) {
        for (RdmaEnd end : ends) {
            end.bench.plug(net.link(), end.bench.adapter.name() + "/1");
        }
    }

    @Override
    public void close() {
        rdma.close();
        ethernet.close();
        memory.discard();
        bench.close();
    }
}
