package io.manafold.testpmd.internal;

import io.manafold.api.ethdev.EthDev;
import io.manafold.api.ethdev.EthDevEvent;
import io.manafold.api.ethdev.EthDevStatistics;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.testpmd.TestPmdRun;
import io.manafold.memory.PacketPool;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A program under way. */
final class Run implements TestPmdRun {
    private static final Logger LOG = LoggerFactory.getLogger(Run.class);
    static final String ODD = "Warning: with an odd number of ports the last one is paired with itself.\n";

    private final LastingEnvironment environment;
    private final PacketPool pool;
    private final ProgramOptions options;
    private final Settings settings;
    private final Consumer<Run> over;
    private final Ports ports;
    private final Forwarding forwarding;
    private final Lines lines;
    private final Arrivals arrivals;
    private final StringBuilder opening = new StringBuilder();
    /** What did not go as it should at the end. */
    private final List<RuntimeException> failures = new ArrayList<>();
    /** What programs are told of the end, {@code null} before it. */
    private Map<String, Object> last;
    /** Ends who looks at rates. */
    private final CountDownLatch end = new CountDownLatch(1);
    private boolean ended;
    private boolean closed;

    Run(LastingEnvironment environment, PacketPool pool, ProgramOptions options, Settings settings,
            Consumer<Run> over) {
        this.environment = environment;
        this.pool = pool;
        this.options = options;
        this.settings = settings;
        this.over = over;
        ports = new Ports(environment, settings, pool);
        forwarding = new Forwarding(environment, ports, settings);
        lines = new Lines(this, environment, ports, forwarding, settings);
        arrivals = new Arrivals(environment, ports, forwarding, settings);
        environment.listen(this::happened);
    }

    /** A driver has come, perhaps in place of the one that the ports were of. */
    synchronized void driverCame() {
        if (!closed && settings.hotPlug) {
            arrivals.comeBack();
        }
    }

    private synchronized void happened(EthDevEvent event) {
        if (!closed) {
            arrivals.happened(event);
        }
    }

    /** Starts ports and, if it is to, forwarding. */
    synchronized void open() {
        environment.now().notes().forEach(note -> opening.append(note).append('\n'));
        options.notes().forEach(note -> opening.append(note).append('\n'));
        opening.append("testpmd: create a new mbuf pool <%s>: n=%d, size=%d, socket=0\n".formatted(pool.name(),
                pool.packets(), pool.room() + PacketPool.HEADROOM));
        opening.append("testpmd: preferred mempool ops selected: packet_pool\n");
        // with a prompt, too: no line adds cores
        forwarding.checkCounts();
        for (int core : settings.measurement.cores()) {
            forwarding.checkCores(List.of(core));
        }
        ports.refuseStatistics();
        settings.chosenPorts.numbers().forEach(ports::get);
        List<EthDev> all = ports.all();
        if (settings.topology == Topology.PAIRED && ports.forwarding().size() % 2 == 1) {
            opening.append(ODD);
        }
        if (!options.has("disable-device-start")) {
            all.forEach(ports::refuseOffloads);
            // at a prompt there is time to mend what keeps a port from starting
            opening.append(ports.start(all, !isInteractive()));
        }
        if (settings.measurement.wantsRates()) {
            Thread.ofPlatform().daemon().name("testpmd rates").start(this::watchRates);
        }
        if (!isInteractive()) {
            opening.append("No prompt was asked for (-i), so packets are forwarded at once.\n");
            opening.append(begin(options.has("tx-first") ? 1 : 0));
            if (period() == 0) {
                opening.append("Enter ends it.\n");
            }
        } else if (options.has("auto-start")) {
            opening.append(begin(0));
        }
    }

    private void watchRates() {
        try {
            List<EthDev> all = looked(List.of());
            // not interrupted: a secondary whose question is leaves its primary
            while (!end.await(1, TimeUnit.SECONDS)) {
                all = looked(all.stream().map(Measurement::ask).toList());
            }
        } catch (InterruptedException e) {
            // nothing here does that
        } catch (RuntimeException | Error wrong) {
            LOG.error("Bits in a second are measured no more", wrong);
        }
    }

    /** Which ports are to be asked next. */
    private synchronized List<EthDev> looked(List<Measurement.Seen> seen) {
        if (closed || !forwarding.isRunning()) {
            return List.of();
        }
        List<EthDev> there = ports.all();
        // since they were asked ports may have gone
        seen.stream().filter(one -> there.contains(one.port())).forEach(settings.measurement::look);
        return there;
    }

    String begin(int bursts) {
        String before = forwarding.isUntold() ? ForwardText.counts(forwarding) + early(forwarding.failure()) : "";
        forwarding.start(bursts);
        arrivals.forget();
        return before + ForwardText.opening(forwarding, settings);
    }

    /** Takes ports of a function that is named as for the environment; they are not started. */
    String attach(String device) {
        StringBuilder text = new StringBuilder("Attaching a new port...\n");
        try {
            arrivals.renew();
            List<EthDev> left = ports.left(device);
            for (EthDev port : left.isEmpty() ? environment.now().attach(device) : left) {
                if (!port.owner().isEmpty()) {
                    text.append("Port %d is attached, and the port %s has it\n".formatted(port.number(), port.owner()));
                    continue;
                }
                text.append(arrivals.attached(port));
            }
        } catch (Refusal refused) {
            return text.append("Failed to attach port ").append(Words.shown(device)).append(": ")
                    .append(settings.outcome.told(refused)).toString();
        }
        return text.append("Done\n").toString();
    }

    String halt() {
        arrivals.forget();
        if (forwarding.isUntold()) {
            return "Packet forwarding not started: it ended when " + forwarding.interruption() + ".\n"
                    + forwarding.tell() + early(forwarding.failure()) + "\nDone.\n";
        }
        if (!forwarding.isRunning()) {
            throw new Refusal(Errno.EINVAL, "Packet forwarding not started: 'start' begins it.");
        }
        Throwable failure = forwarding.failure();
        StringBuilder used = new StringBuilder();
        if (settings.recordsCores) {
            forwarding.runs().keySet().stream().sorted().forEach(core -> used.append("\n  lcore ").append(core)
                    .append(forwarding.usage(core)).append('\n'));
        }
        try {
            forwarding.stop();
        } catch (Refusal stuck) {
            // what was counted is told in any case
            failure = failure == null ? stuck : failure;
        }
        return "Telling cores to stop...\nWaiting for lcores to finish...\n" + forwarding.tell() + used
                + early(failure) + "\nDone.\n";
    }

    private static String early(Throwable failure) {
        return failure == null ? "" : "A core has ended early: " + failure + "\n";
    }

    String quit() {
        ended = true;
        return "";
    }

    String cores() {
        int last = Runtime.getRuntime().availableProcessors() - 1;
        String all = last == 0 ? "0" : "0-" + last;
        StringBuilder text = new StringBuilder();
        for (int core : environment.now().cores()) {
            Set<Integer> bound = environment.now().processors(core);
            String processors = bound.isEmpty() ? all : bound.stream().sorted().map(String::valueOf)
                    .collect(Collectors.joining(","));
            text.append("lcore %d, socket 0, role RTE, cpuset %s%s\n".formatted(core, processors,
                    settings.recordsCores ? forwarding.usage(core) : ""));
        }
        return text.toString();
    }

    @Override
    public String opening() {
        return opening.toString();
    }

    @Override
    public boolean isInteractive() {
        return options.has("interactive");
    }

    @Override
    public int period() {
        return isInteractive() ? 0 : options.number("stats-period", 0, 0, 86_400);
    }

    @Override
    public synchronized String periodic() {
        StringBuilder text = new StringBuilder("\u001b[2J\u001b[1;1H\nPort statistics "
                + "====================================");
        ports.forwarding().forEach(port -> text.append(PortText.statistics(ports, port)));
        return text.toString();
    }

    @Override
    public synchronized String line(String line) {
        return lines.run(line);
    }

    @Override
    public synchronized Map<String, Object> outcome() {
        return settings.outcome.shown();
    }

    @Override
    public synchronized List<String> completions(String line) {
        return lines.completions(line);
    }

    @Override
    public String events() {
        return arrivals.told() + settings.printer.told();
    }

    @Override
    public synchronized boolean isEnded() {
        return ended;
    }

    @Override
    public synchronized Map<String, Object> figures() {
        return last == null ? present() : last;
    }

    private Map<String, Object> present() {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("mode", (forwarding.isRunning() ? forwarding.mode() : settings.mode).word());
        figures.put("forwarding", forwarding.isRunning());
        List<Map<String, Object>> shown = new ArrayList<>();
        for (EthDev port : ports.all()) {
            EthDevStatistics now = port.statistics();
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("port", port.number());
            one.put("name", port.name());
            one.put("driver", port.info().driver());
            one.put("mac", port.info().mac().toString());
            one.put("rx-packets", now.received());
            one.put("rx-bytes", now.receivedBytes());
            one.put("rx-missed", now.missed());
            one.put("rx-errors", now.receiveErrors());
            one.put("rx-nombuf", now.noBuffers());
            one.put("tx-packets", now.sent());
            one.put("tx-bytes", now.sentBytes());
            one.put("tx-errors", now.sendErrors());
            settings.measurement.of(port.number()).forEach((name, value) -> one.put(name.replace('_', '-'), value));
            shown.add(one);
        }
        figures.put("ports", shown);
        List<Map<String, Object>> streams = new ArrayList<>();
        forwarding.cores().forEach((core, lanes) -> lanes.forEach(lane -> {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("core", core);
            one.put("rx-port", lane.route.from().number());
            one.put("rx-queue", lane.route.fromQueue());
            one.put("tx-port", lane.route.to().number());
            one.put("tx-queue", lane.route.toQueue());
            one.put("rx-packets", lane.received());
            one.put("tx-packets", lane.sent());
            one.put("tx-dropped", lane.dropped());
            streams.add(one);
        }));
        figures.put("streams", streams);
        List<Map<String, Object>> cores = new ArrayList<>();
        forwarding.runs().forEach((core, run) -> {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("core", core);
            one.put("turns", run.turns());
            one.put("empty-turns", run.emptyTurns());
            cores.add(one);
        });
        figures.put("cores", cores);
        figures.put("totals", forwarding.totals().stream().map(ForwardTotals::shown).toList());
        return figures;
    }

    @Override
    public synchronized String finish() {
        if (closed) {
            return "";
        }
        closed = true;
        ended = true;
        end.countDown();
        StringBuilder text = new StringBuilder();
        try {
            if (forwarding.isRunning() || forwarding.isUntold()) {
                attempt(text, () -> text.append(halt()), "");
            }
            keepFigures();
            for (EthDev port : ports.all()) {
                text.append("\nStopping port %d...\nStopping ports...\n".formatted(port.number()));
                attempt(text, () -> ports.stop(port), "Done\n");
            }
            for (EthDev port : ports.all()) {
                text.append("\nShutting down port %d...\nClosing ports...\n".formatted(port.number()));
                attempt(text, () -> ports.remove(port), "Port %d is closed\nDone\n".formatted(port.number()));
            }
            text.append(events());
        } finally {
            attempt(text, forwarding::stop, "");
            try {
                attempt(text, environment::close, "");
            } finally {
                try {
                    attempt(text, pool::close, "");
                } finally {
                    over.accept(this);
                }
            }
        }
        return text.append("\nBye...\n").toString();
    }

    private void keepFigures() {
        try {
            last = present();
        } catch (RuntimeException wrong) {
            LOG.warn("Ports do not tell what they have counted at the end", wrong);
        }
    }

    /** A step of the end, which the next ones follow whatever comes of it; {@link #close} tells of it. */
    private void attempt(StringBuilder text, Runnable step, String done) {
        try {
            step.run();
            text.append(done);
        } catch (Refusal refused) {
            text.append(Words.told(refused));
            failures.add(refused);
        } catch (RuntimeException wrong) {
            failures.add(wrong);
        }
    }

    @Override
    public synchronized void close() {
        finish();
        if (!failures.isEmpty()) {
            RuntimeException all = Words.together(failures);
            failures.clear();
            throw all;
        }
    }
}
