package io.manafold.testpmd.internal;

import io.manafold.api.ethdev.CoreRun;
import io.manafold.api.ethdev.CoreWork;
import io.manafold.api.ethdev.EthDev;
import io.manafold.api.ethdev.EthDevPlan;
import io.manafold.api.ethdev.EthDevStatistics;
import io.manafold.api.ethdev.Offload;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Lanes on cores: begins and ends forwarding. */
final class Forwarding {
    private final LastingEnvironment environment;
    private final Ports ports;
    private final Settings settings;
    /** What cores are at, by their numbers. */
    private final Map<Integer, CoreRun> runs = new TreeMap<>();
    private Map<Integer, List<ForwardStream>> cores = Map.of();
    /** Those of cores that were in a turn when they were stopped, which has not been seen to end. */
    private final List<LateCore> late = new ArrayList<>();
    /** What has ended a core's work first, since a line has started it; {@code null} for nothing. */
    private Throwable failure;
    /** None before the first start. */
    private Map<EthDev, EthDevStatistics> before = new LinkedHashMap<>();
    /** What it has moved until it has ended last, since a line has started it. */
    private List<ForwardTotals> totals = List.of();
    /** Whether it has ended and these have not been told. */
    private boolean untold;
    /** What has ended it last without a line. */
    private String interruption = "";
    private Mode mode = Mode.IO;
    private boolean running;

    /** A core that has not stopped, with its lanes: what they have of packets is given back when it has. */
    private record LateCore(CoreRun run, List<ForwardStream> lanes) {
    }

    Forwarding(LastingEnvironment environment, Ports ports, Settings settings) {
        this.environment = environment;
        this.ports = ports;
        this.settings = settings;
        mode = settings.mode;
    }

    boolean isRunning() {
        return running;
    }

    /** Whether packets are being forwarded from a port or to it. */
    boolean uses(EthDev port) {
        return running && lanes().stream().anyMatch(lane -> lane.route.from() == port || lane.route.to() == port);
    }

    /** The mode that runs, or ran last. */
    Mode mode() {
        return mode;
    }

    /** Lanes by core. */
    Map<Integer, List<ForwardStream>> cores() {
        return cores;
    }

    List<ForwardStream> lanes() {
        return cores.values().stream().flatMap(List::stream).toList();
    }

    /** Ports that take part, with what they had counted before; those that would, if none ever did. */
    Map<EthDev, EthDevStatistics> before() {
        if (!before.isEmpty()) {
            return before;
        }
        Map<EthDev, EthDevStatistics> would = new LinkedHashMap<>();
        ports.forwarding().forEach(port -> would.put(port, port.statistics()));
        return would;
    }

    /** @param bursts of made packets that each lane's port sends before anything is forwarded; they count already */
    void start(int bursts) {
        begin(ports.forwarding(), bursts);
        totals = List.of();
        untold = false;
        failure = null;
    }

    /**
     * Starts it again after ports have gone or come, which have ended it: what it has moved before counts on.
     *
     * @param started those of its ports that go on
     */
    void goOn(List<EthDev> started) {
        begin(started, 0);
    }

    private void begin(List<EthDev> chosen, int bursts) {
        if (running) {
            throw new Refusal(Errno.EBUSY, "Packet forwarding already started: 'stop' ends it.");
        }
        if (chosen.isEmpty()) {
            throw new Refusal(Errno.ENODEV, "There is no port to forward packets of.");
        }
        for (EthDev port : chosen) {
            if (!port.isStarted()) {
                throw new Refusal(Errno.EINVAL, "Not all ports were started: port " + port.number()
                        + " is not; 'port start " + port.number() + "' does it.");
            }
        }
        if (settings.mode == Mode.TXONLY || bursts > 0
                || settings.mode == Mode.CSUM && settings.split != Split.OFF) {
            chosen.forEach(this::checkSegments);
        }
        endLate();
        Map<Integer, List<ForwardStream>> spread = new LinkedHashMap<>();
        Map<Integer, List<Route>> plan = plan(chosen);
        settings.measurement.begin(plan.keySet(), chosen);
        plan.forEach((core, routes) -> spread.put(core, routes.stream().map(settings.mode::lane).toList()));
        mode = settings.mode;
        cores = spread;
        before = new LinkedHashMap<>();
        chosen.forEach(port -> before.put(port, port.statistics()));
        sendFirst(chosen, bursts);
        try {
            spread.forEach((core, lanes) -> runs.put(core, environment.now().launch(core, work(lanes))));
            running = true;
        } finally {
            if (!running) {
                end();
            }
        }
    }

    private void checkSegments(EthDev port) {
        EthDevPlan plan = port.plan();
        if (settings.segments.length > 1 && plan != null && (plan.sendOffloads() & Offload.SEND_SEGMENTS) == 0) {
            if (environment.now().isSecondary()) {
                throw new Refusal(Errno.EINVAL, "A secondary sends packets of one segment on port " + port.number()
                        + ", and those of 'set txpkts' have " + settings.segments.length
                        + ": leave out --txpkts, or 'set txpkts' with one length.");
            }
            throw new Refusal(Errno.EINVAL, "Port " + port.number()
                    + " was started to send packets of one segment, and those of 'set txpkts' have "
                    + settings.segments.length + ": 'port stop " + port.number() + "' and 'port start " + port.number()
                    + "' have it take them.");
        }
    }

    /** What would go where if it were started now: routes by core. */
    Map<Integer, List<Route>> plan() {
        return plan(ports.forwarding());
    }

    private Map<Integer, List<Route>> plan(List<EthDev> chosen) {
        List<Integer> working = workers();
        List<Route> routes = routes(chosen);
        Map<Integer, List<Route>> spread = new LinkedHashMap<>();
        int used = Math.min(working.size(), routes.size());
        for (int core = 0; core < used; core++) {
            int first = core * routes.size() / used;
            int end = (core + 1) * routes.size() / used;
            spread.put(working.get(core), routes.subList(first, end));
        }
        return spread;
    }

    /** Cores that can forward: all but the one that carries out lines. */
    List<Integer> able() {
        List<Integer> there = new ArrayList<>(environment.now().cores());
        there.remove((Integer) environment.now().mainCore());
        return there;
    }

    /** @throws Refusal {@code EINVAL} if one of them cannot forward */
    void checkCores(List<Integer> chosen) {
        for (int core : chosen) {
            if (!able().contains(core)) {
                throw Words.wrong("Core " + core + " cannot forward: those that can are " + able() + "; core "
                        + environment.now().mainCore() + " carries out lines.");
            }
        }
    }

    /** @throws Refusal {@code EINVAL} if there are not as many cores or ports as are to forward */
    void checkCounts() {
        workers();
        int there = ports.all().size();
        if (settings.ports > there) {
            throw Words.wrong("There are " + there + " ports and not " + settings.ports
                    + ": have more of them taken by the words before --, or give a lower --nb-ports.");
        }
    }

    private List<Integer> workers() {
        checkCores(settings.coreList);
        List<Integer> there = settings.coreList.isEmpty() ? able() : settings.coreList;
        if (settings.cores > there.size()) {
            throw Words.wrong("There are " + there.size() + " forwarding cores and not " + settings.cores
                    + ": one of the cores of -l, " + environment.now().mainCore()
                    + ", carries out lines. Name more cores with -l, or fewer with --nb-cores.");
        }
        return there.subList(0, settings.cores);
    }

    private List<Route> routes(List<EthDev> chosen) {
        List<Route> routes = new ArrayList<>();
        int first = settings.firstQueue(settings.process);
        int end = settings.firstQueue(settings.process + 1);
        if (settings.mode == Mode.ICMPECHO) {
            // answers go back where they were asked for, and queues of a port stay together
            for (EthDev port : chosen) {
                for (int queue = first; queue < end; queue++) {
                    routes.add(new Route(routes.size(), port, queue, port, queue, ports.pool(), settings));
                }
            }
            return routes;
        }
        for (int queue = first; queue < end; queue++) {
            for (int place = 0; place < chosen.size(); place++) {
                EthDev to = chosen.get(settings.topology.target(place, chosen.size()));
                routes.add(new Route(routes.size(), chosen.get(place), queue, to, queue, ports.pool(), settings));
            }
        }
        return routes;
    }

    private static CoreWork work(List<ForwardStream> lanes) {
        if (lanes.size() == 1) {
            return lanes.getFirst();
        }
        ForwardStream[] array = lanes.toArray(ForwardStream[]::new);
        return () -> {
            int moved = 0;
            for (ForwardStream lane : array) {
                moved += lane.turn();
            }
            return moved;
        };
    }

    private void sendFirst(List<EthDev> chosen, int bursts) {
        if (bursts == 0) {
            return;
        }
        List<ForwardStream> first = routes(chosen).stream().map(Mode.TXONLY::lane).toList();
        // nothing takes packets from a full port yet, and retries could take days in which no line is heard
        first.forEach(ForwardStream::leave);
        for (int i = 0; i < bursts; i++) {
            first.forEach(ForwardStream::turn);
        }
        lanes().forEach(lane -> lane.add(first.get(lane.route.number())));
    }

    /**
     * A second time does no more than to give back what cores had that have ended their turns since.
     *
     * @throws Refusal of cores that may still be in a turn, after all others have ended
     */
    void stop() {
        endLate();
        if (running) {
            running = false;
            untold = true;
            settings.measurement.end();
            try {
                end();
            } finally {
                // now, as all ports that take part are still there
                totals = ForwardTotals.sum(totals, ForwardTotals.of(this));
            }
        }
    }

    /**
     * As {@link #stop}, without a line that says so.
     *
     * @param what has happened, as in "port 1 went"
     */
    void interrupt(String what) {
        if (running) {
            interruption = what;
        }
        stop();
    }

    /** What has ended it last without a line. */
    String interruption() {
        return interruption;
    }

    /** What it has moved until it has ended last, since a line has started it; none while it goes on. */
    List<ForwardTotals> totals() {
        return running ? List.of() : totals;
    }

    /** Whether it has ended, by what happened to ports, and {@link #tell} has not been asked since. */
    boolean isUntold() {
        return untold && !running;
    }

    /** What it has moved, as it has ended. */
    String tell() {
        untold = false;
        return ForwardText.counts(this, totals);
    }

    /** What it has moved until now, or until it has ended. */
    List<ForwardTotals> counted() {
        return isCounting() ? ForwardTotals.sum(totals, ForwardTotals.of(this)) : totals;
    }

    /** Whether ports are asked what has gone through them. */
    private boolean isCounting() {
        return running || totals.isEmpty();
    }

    private void end() {
        lanes().forEach(ForwardStream::leave);
        List<Refusal> stuck = new ArrayList<>();
        cores.forEach((core, lanes) -> {
            CoreRun run = runs.get(core);
            // what a turn may still have is not released beside it
            if (hasStopped(run, stuck)) {
                lanes.forEach(ForwardStream::end);
            } else {
                late.add(new LateCore(run, lanes));
            }
        });
        failure = failure();
        runs.clear();
        if (!stuck.isEmpty()) {
            throw Words.together(stuck);
        }
    }

    /** Asks cores again that did not stop; those that still do not have been told of, and are asked later. */
    private void endLate() {
        List<Refusal> told = new ArrayList<>();
        List<LateCore> over = late.stream().filter(one -> hasStopped(one.run, told)).toList();
        late.removeAll(over);
        over.forEach(one -> one.lanes.forEach(ForwardStream::end));
    }

    /** @param run {@code null} for a core that was not launched */
    private static boolean hasStopped(CoreRun run, List<Refusal> stuck) {
        try {
            if (run != null) {
                run.stop();
            }
            return true;
        } catch (Refusal refused) {
            stuck.add(refused);
            return false;
        }
    }

    /** What cores are at, by their numbers. */
    Map<Integer, CoreRun> runs() {
        return Map.copyOf(runs);
    }

    /** How many turns of a core found something to do, of how many; empty if it is at nothing. */
    String usage(int core) {
        CoreRun run = runs.get(core);
        if (run == null) {
            return "";
        }
        long turns = run.turns();
        long busy = turns - Math.min(turns, run.emptyTurns());
        return String.format(Locale.ROOT, ", busy turns %d/%d (ratio %.2f%%)", busy, turns,
                turns == 0 ? 0 : 100.0 * busy / turns);
    }

    /** What has ended a core's work first, since a line has started it, or {@code null}. */
    Throwable failure() {
        return failure != null ? failure
                : runs.values().stream().map(CoreRun::failure).filter(Objects::nonNull).findFirst().orElse(null);
    }

    /** A port counts anew, so what went through is counted from there, also after the end; lanes go on, as in DPDK. */
    void cleared(EthDev port) {
        totals = totals.stream().map(one -> one.port().name().equals(port.name()) ? one.countedAnew() : one).toList();
        if (isCounting()) {
            before.computeIfPresent(port, (_, _) -> port.statistics());
        }
    }

    /** @throws Refusal of ports that do not tell what they have counted, after all else has been cleared */
    void clear() {
        totals = totals.stream().map(ForwardTotals::cleared).toList();
        lanes().forEach(ForwardStream::clear);
        if (!isCounting()) {
            // ports may have gone since it ended, and are not asked
            return;
        }
        List<Refusal> refused = new ArrayList<>();
        before.replaceAll((port, then) -> {
            try {
                return port.statistics();
            } catch (Refusal untold) {
                refused.add(untold);
                return then;
            }
        });
        if (!refused.isEmpty()) {
            throw Words.together(refused);
        }
    }
}
