package io.manafold.testpmd.internal;

import io.manafold.api.ethdev.CoreRun;
import io.manafold.api.ethdev.CoreWork;
import io.manafold.api.ethdev.Environment;
import io.manafold.api.ethdev.Environments;
import io.manafold.api.ethdev.EthDev;
import io.manafold.api.ethdev.EthDevEvent;
import io.manafold.api.ethdev.EthDevListener;
import io.manafold.api.ethdev.ProbedPort;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.memory.PacketPool;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Ports that are arrays of packets, and cores that are threads. */
final class LoopEnvironment implements Environments, Environment {
    /** A function that no program has at its start: it has one port, which gets the lowest number that is free. */
    static final String OTHER = "7870:00:01.0";
    private static final int PLACE_OF_OTHER = 9;

    final List<LoopPort> ports;
    private volatile EthDevListener listener = _ -> { };
    /** Events that are told later, {@code null} for at once. */
    private List<EthDevEvent> waiting;
    private final int cores;
    private final int made;
    private List<String> words = List.of();
    boolean closed;
    /** What was to be logged. */
    final List<String> levels = new ArrayList<>();
    /** The packets of its primary, if it is a secondary. */
    int pool = -1;
    int closings;
    /** What a program that stops a core gets. */
    Refusal refusesToStop;
    /** What is done when a program closes it. */
    Runnable atClose = () -> { };
    /** What a program that closes it gets. */
    RuntimeException refusesToClose;

    LoopEnvironment(int ports, int cores, int room) {
        this.ports = new ArrayList<>(IntStream.range(0, ports).mapToObj(number -> new LoopPort(number, room)).toList());
        this.cores = cores;
        made = ports;
    }

    @Override
    public Environment start(List<String> given) {
        words = given;
        return this;
    }

    List<String> words() {
        return words;
    }

    @Override
    public String usage() {
        return "Words of the environment.\n";
    }

    @Override
    public List<Environment> running() {
        return List.of(this);
    }

    @Override
    public String prefix() {
        return "rte";
    }

    @Override
    public int consumed() {
        return words.size();
    }

    @Override
    public List<Integer> cores() {
        return IntStream.range(0, cores).boxed().toList();
    }

    @Override
    public int mainCore() {
        return 0;
    }

    @Override
    public List<EthDev> ports() {
        return new ArrayList<>(ports);
    }

    private EthDev attachOther() {
        ports.removeIf(port -> port.closed);
        int free = 0;
        for (LoopPort port : ports) {
            free += port.number() == free ? 1 : 0;
        }
        LoopPort other = new LoopPort(free, PLACE_OF_OTHER, 256);
        ports.add(free, other);
        return other;
    }

    @Override
    public List<EthDev> attach(String device) {
        if (device.equals(OTHER)) {
            return List.of(attachOther());
        }
        if (!device.equals("7870:00:00.0")) {
            throw new Refusal(Errno.EINVAL, "'" + device + "' is no function.");
        }
        List<EthDev> left = new ArrayList<>();
        for (int number = 0; number < made; number++) {
            int place = number;
            if (ports.stream().noneMatch(port -> port.place() == place && !port.closed)) {
                ports.removeIf(port -> port.place() == place);
                left.add(new LoopPort(number, 256));
                ports.add((LoopPort) left.getLast());
            }
        }
        if (left.isEmpty()) {
            throw new Refusal(Errno.ENODEV, "All are taken.");
        }
        return left;
    }

    @Override
    public List<ProbedPort> probed() {
        return List.of();
    }

    @Override
    public List<String> notes() {
        return List.of();
    }

    @Override
    public CoreRun launch(int core, CoreWork work) {
        LoopRun run = new LoopRun(work);
        run.thread.start();
        return run;
    }

    @Override
    public AutoCloseable listen(EthDevListener heard) {
        listener = heard;
        return () -> { };
    }

    @Override
    public void logLevel(String types, int level) {
        if (types.contains("[")) {
            throw new Refusal(Errno.EINVAL, "No type '" + types + "'.");
        }
        levels.add(types + " " + level);
    }

    /** Events wait, as they do while a line is carried out. */
    void hold() {
        waiting = new ArrayList<>();
    }

    /** Those that have waited are told, as later ones are at once. */
    void deliver() {
        List<EthDevEvent> all = waiting;
        waiting = null;
        all.forEach(this::tell);
    }

    private void tell(EthDevEvent event) {
        if (waiting == null) {
            listener.happened(event);
        } else {
            waiting.add(event);
        }
    }

    /** A port's device goes, as it does when a driver is replaced. */
    void remove(LoopPort port) {
        port.stop();
        ports.remove(port);
        tell(new EthDevEvent(EthDevEvent.Kind.INTR_RMV, port.number(), "It has gone."));
    }

    /** It comes back as another port. */
    LoopPort comeBack(LoopPort port, int number) {
        LoopPort again = new LoopPort(number, port.place(), 256);
        come(again);
        return again;
    }

    void come(LoopPort port) {
        ports.add(port);
        tell(new EthDevEvent(EthDevEvent.Kind.NEW, port.number(), "It has come."));
    }

    @Override
    public void close() {
        closed = true;
        closings++;
        atClose.run();
        if (refusesToClose != null) {
            throw refusesToClose;
        }
    }

    @Override
    public boolean isSecondary() {
        return pool >= 0;
    }

    @Override
    public int pool() {
        return pool;
    }

    private final class LoopRun implements CoreRun {
        private final Thread thread;
        private volatile boolean ends;
        private volatile Throwable failure;
        private volatile long turns;
        private volatile long empty;

        LoopRun(CoreWork work) {
            thread = Thread.ofPlatform().daemon().unstarted(() -> {
                PacketPool.enter();
                try {
                    while (!ends) {
                        if (work.turn() == 0) {
                            empty = empty + 1;
                            Thread.yield();
                        }
                        turns = turns + 1;
                    }
                } catch (Throwable e) {
                    failure = e;
                } finally {
                    PacketPool.leave();
                }
            });
        }

        @Override
        public long turns() {
            return turns;
        }

        @Override
        public long emptyTurns() {
            return empty;
        }

        @Override
        public Throwable failure() {
            return failure;
        }

        @Override
        public void stop() {
            ends = true;
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            if (refusesToStop != null) {
                throw refusesToStop;
            }
        }
    }
}
