package io.manafold.adapter.internal;

import io.manafold.fabric.internal.TestSwitch;
import io.manafold.gdma.driver.CommandRefused;
import io.manafold.gdma.driver.EthernetSession;
import io.manafold.gdma.message.CreateMr;
import io.manafold.gdma.message.CreatePd;
import io.manafold.gdma.message.GroupShapers;
import io.manafold.gdma.message.ShaperValues;
import io.manafold.memory.DmaArena;
import io.manafold.memory.DmaPiece;
import io.manafold.testkit.PortSession;
import io.manafold.testkit.PortSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Runs in a virtual machine of its own, with a heap as the platform has: eight drivers make all that they are let, and
 * a ninth has 512 MiB and passes frames. Says how that went.
 */
final class Crowd {
    private static final int HOSTILE = 8;
    private static final int LIST = 1024;
    private static final long MIB = 1 << 20;

    private Crowd() {
    }

    public static void main(String[] arguments) {
        long before = used();
        List<AutoCloseable> open = new ArrayList<>();
        for (int i = 0; i < HOSTILE; i++) {
            Bench bench = new Bench("hostile" + i);
            DmaArena memory = bench.memory(8);
            EthernetSession session = bench.session(memory);
            open.addAll(List.of(bench, memory, session));
            DmaPiece piece = memory.allocate(LIST << 12);
            untilRefused(() -> session.function().createRegion(piece, LIST << 12));
            untilRefused(() -> session.function().createRegion(piece, 4096));
            untilRefused(() -> {
                long domain = session.call(new CreatePd(1)).handle();
                session.call(new CreateMr(domain, CreateMr.PHYSICAL, 0, 0, CreateMr.LOCAL_WRITE, 4096));
            });
            int[] next = {0};
            long vport = session.vports().getFirst().vport();
            untilRefused(() -> session.call(new GroupShapers(vport, new ShaperValues(1, 0, 0, 0, 0, 0, 0, 0, 0,
                    0), false, IntStream.range(0, 16).mapToObj(id -> new ShaperValues(3, next[0]++, 1, 0, 0, 0, 0, 0, 0,
                    0)).toList())));
            System.out.println("hostile " + i + " has " + bench.adapter.objectBytes() + " bytes, refused");
        }
        System.out.println("used " + (used() - before) / MIB + " MiB");
        System.out.println(ninth() ? "ninth passes frames" : "ninth is stuck");
        try {
            for (AutoCloseable each : open.reversed()) {
                each.close();
            }
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
        open.clear();
        System.out.println(used() - before < 16 * MIB ? "heap is back" : "heap is not back: " + (used() - before));
        System.out.println(ObjectBudget.OF_PLATFORM.share().most() == budget() ? "budget is back"
                : "budget is not back");
    }

    private static long budget() {
        return new ObjectBudget(Runtime.getRuntime().maxMemory() / 2).share().most();
    }

    private static void untilRefused(Runnable step) {
        try {
            while (true) {
                step.run();
            }
        } catch (CommandRefused refused) {
            return;
        }
    }

    private static boolean ninth() {
        int[] received = {0};
        try (TestSwitch net = new TestSwitch("ninth/1", "ninth/2"); Bench bench = new Bench("ninth", "ports", 2);
                DmaArena memory = bench.memory(512)) {
            bench.plug(net.link(), "ninth/1", "ninth/2");
            try (EthernetSession session = bench.session(memory);
                    PortSession left = new PortSession(session, 0, PortSettings.small(2),
                            (at, length, flags, hash) -> { });
                    PortSession right = new PortSession(session, 1, PortSettings.small(2),
                            (at, length, flags, hash) -> received[0]++)) {
                byte[] frame = DriverTest.frame(right.mac().value(), left.mac().value(), 300);
                for (int i = 0; i < 10; i++) {
                    left.send(i % 2).send(frame, frame.length);
                    left.send(i % 2).ring();
                }
                long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
                while (received[0] < 10 && System.nanoTime() < deadline) {
                    left.poll();
                    if (right.poll() == 0) {
                        right.await(50);
                    }
                }
            }
        }
        return received[0] == 10;
    }

    private static long used() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
