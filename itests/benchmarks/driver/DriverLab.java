package io.manafold.benchmark;

import io.manafold.adapter.internal.LoopAdapter;
import io.manafold.agent.Agent;
import io.manafold.api.net.ReceivePolicy;
import io.manafold.ethernet.internal.function.LoopDriver;
import io.manafold.fabric.internal.LoopLink;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * A switch, an adapter with both ports on it, the driver on the adapter, and traffic from its first device to its
 * second.
 */
final class DriverLab implements AutoCloseable {
    /** As many as the peers have. */
    private static final int RING = 1024;
    /** Packets that one receive completion may stand for: as many as the device allows. */
    private static final int COALESCED = 4;
    /** What receive buffers are cut from: the peers take theirs from huge pages. */
    private static final int PAGE = 65536;

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final LoopAdapter adapter;
    private final DriverTraffic traffic;

    DriverLab(DriverCase what) {
        this(what, "loop", "off");
    }

    /** @param rdma which ports have it: if any, it is open and idle */
    DriverLab(DriverCase what, String name, String rdma) {
        LoopLink link = keep(new LoopLink(name, List.of("one/1", "one/2")));
        adapter = keep(new LoopAdapter("one", 2, 1, rdma));
        adapter.plug(link.link(), "one/1", "one/2");
        LoopDriver driver = keep(new LoopDriver(adapter.function(), what.oneThread() ? link.agent() : thread()));
        if (!rdma.equals("off")) {
            keep(driver.idleRdma());
        }
        for (int i = 0; i < 2; i++) {
            driver.device(i).setRings(RING, RING);
            driver.device(i).setCoalescing(COALESCED);
            driver.device(i).setPages(ReceivePolicy.LEAN, PAGE);
        }
        traffic = keep(new DriverTraffic(driver.device(0), driver.device(1), what));
        traffic.meet();
    }

    private <T extends AutoCloseable> T keep(T one) {
        open.push(one);
        return one;
    }

    /** A thread for all devices. */
    private Agent thread() {
        Agent agent = new Agent(DriverTraffic.THREAD, new Agent.Work() {
            @Override
            public int doWork() {
                // only its guests have something to do
                return 0;
            }

            @Override
            public void failed(Throwable mistake) {
                throw new IllegalStateException(mistake);
            }
        });
        agent.start();
        keep(() -> {
            agent.end(() -> { });
            agent.join(Duration.ofSeconds(10));
        });
        keep(new Awake(agent));
        return agent;
    }

    DriverTraffic traffic() {
        return traffic;
    }

    List<?> refused() {
        return adapter.refused();
    }

    @Override
    public void close() {
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Exception failed) {
                throw new IllegalStateException(failed);
            }
        }
    }
}
