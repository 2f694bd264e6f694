package io.manafold.adapter.internal;

import io.manafold.fabric.internal.TestSwitch;
import io.manafold.gdma.Doorbell;
import io.manafold.gdma.EventEntry;
import io.manafold.gdma.driver.ProtectionDomain.RegisteredMemory;
import io.manafold.linux.Linux;
import io.manafold.linux.Memfd;
import io.manafold.memory.DmaPiece;
import io.manafold.testkit.ManagementPair;
import io.manafold.testkit.RcPair;
import io.manafold.testkit.RcSettings;
import io.manafold.testkit.RdmaQueue;
import java.io.IOException;

/**
 * Runs in a virtual machine of its own: a guest shortens the file behind some memory while RDMA uses it, and two
 * connections and Ethernet of the same function tell whether the rest goes on. Dying is the failure.
 */
final class RdmaVanishing {
    private static final long FILE = 0x9000_0000L;
    private static final int BYTES = 8 << 20;
    private static final int LENGTH = 200_000;
    private static final int ROUNDS = 20;

    private final TestSwitch net = new TestSwitch("left/1", "right/1");
    private final RdmaEnd left = new RdmaEnd("left", 1);
    private final RdmaEnd right = new RdmaEnd("right", 2);
    private final HonestStreams honest;
    private Memfd file;
    private long mapped;
    private long used;
    /** Events that told of the queue pair whose memory vanished. */
    private int fatal;

    /** What lies in memory that goes away. */
    private enum Part { DATA, RINGS, COMPLETIONS, ALL, NOTHING }

    private RdmaVanishing() {
        RdmaEnd.plug(net, left, right);
        honest = new HonestStreams(left, right);
    }

    public static void main(String[] arguments) throws IOException {
        for (Part part : Part.values()) {
            for (boolean receiver : new boolean[] {false, true}) {
                RdmaVanishing run = new RdmaVanishing();
                for (int round = 0; round < ROUNDS; round++) {
                    run.round(part, receiver ? run.right : run.left, round);
                    run.honest.goOn();
                }
                run.honest.areWhole();
                run.close();
                String where = part + (receiver ? " of the receiver" : " of the sender");
                System.out.println(where + ": others go on");
                if (run.fatal > 0) {
                    System.out.println(where + ": the driver was told of it");
                }
            }
        }
        System.out.println("alive");
        System.exit(0);
    }

    private void close() {
        honest.close();
        left.close();
        right.close();
        net.close();
    }

    private DmaPiece take(long bytes) {
        long at = used;
        used += bytes + 4095 & -4096;
        return new DmaPiece(mapped + at, FILE + at, bytes + 4095 & -4096);
    }

    private void round(Part part, RdmaEnd guest, int round) throws IOException {
        file = Memfd.create("short", BYTES);
        mapped = Linux.map(file.descriptor().number(), 0, BYTES, true);
        used = 0;
        guest.bench.function.dma().map(FILE, BYTES, file.descriptor().number(), 0, true);
        boolean sends = guest == left;
        RdmaQueue ours = queue(left, guest == left && (part == Part.COMPLETIONS || part == Part.ALL));
        RdmaQueue theirs = queue(right, guest == right && (part == Part.COMPLETIONS || part == Part.ALL));
        boolean rings = part == Part.RINGS || part == Part.ALL;
        RcPair one = pair(left, ours, sends && rings);
        RcPair other = pair(right, theirs, !sends && rings);
        ManagementPair management = management(guest, guest == left ? ours : theirs, rings);
        RdmaEnd.connect(left, one, right, other);
        RegisteredMemory memory = part == Part.DATA || part == Part.ALL
                ? guest.domain.register(take(1 << 20), 1 << 20, RdmaEnd.VIRTUAL, RdmaEnd.ALL)
                : guest.domain.register(guest.block, 1 << 20, RdmaEnd.VIRTUAL, RdmaEnd.ALL);
        int leftKey = sends ? memory.localKey() : left.key();
        int rightKey = sends ? right.key() : memory.localKey();
        for (int i = 0; i < 8; i++) {
            other.receive(RdmaEnd.VIRTUAL, rightKey, LENGTH);
            one.send(RdmaEnd.VIRTUAL, leftKey, LENGTH);
            one.write(RdmaEnd.VIRTUAL, leftKey, LENGTH, RdmaEnd.VIRTUAL, rightKey);
            one.read(RdmaEnd.VIRTUAL, leftKey, LENGTH, RdmaEnd.VIRTUAL, rightKey);
        }
        other.ringReceives();
        one.ring();
        if (round % 2 == 0) {
            long until = System.nanoTime() + round * 50_000L;
            while (System.nanoTime() < until) {
                Thread.onSpinWait();
            }
        }
        if (part != Part.NOTHING) {
            file.truncate(0);
        }
        // in the file there is nothing that its driver could touch now: it only rings
        one.ring();
        other.ringReceives();
        guest.rdma.page().ring(Doorbell.SEND,
                Doorbell.work(management.made().sendQueue(), 4096));
        honest.goOn();
        guest.rdma.events().poll((type, data) -> {
            if (type == EventEntry.QUEUE_PAIR_FATAL && EventEntry.queuePair(data) == (sends ? one : other).number()) {
                fatal++;
            }
        }, RdmaEnd.ENTRIES);
        file.truncate(BYTES);
        one.close();
        other.close();
        management.close();
        memory.close();
        ours.close();
        theirs.close();
        guest.bench.function.dma().unmap(FILE, BYTES).toCompletableFuture().join();
        file.close();
    }

    private RdmaQueue queue(RdmaEnd end, boolean inFile) {
        end.rdma.ringsFrom(inFile ? this::take : null);
        RdmaQueue made = end.rdma.createQueue(RdmaEnd.ENTRIES);
        end.rdma.ringsFrom(null);
        return made;
    }

    private RcPair pair(RdmaEnd end, RdmaQueue queue, boolean inFile) {
        end.rdma.ringsFrom(inFile ? this::take : null);
        RcPair made = new RcPair(end.rdma, end.domain, queue, queue, RcSettings.of(1024).withPatience(10, 1, 1, 1));
        end.rdma.ringsFrom(null);
        return made;
    }

    private ManagementPair management(RdmaEnd end, RdmaQueue queue, boolean inFile) {
        end.rdma.ringsFrom(inFile ? this::take : null);
        ManagementPair made = new ManagementPair(end.rdma, end.domain, queue);
        end.rdma.ringsFrom(null);
        return made;
    }
}
