package io.manafold.testpmd.internal;

import io.manafold.api.ethdev.Environment;
import io.manafold.api.ethdev.Environments;
import io.manafold.api.ethdev.ProbedPort;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.testpmd.TestPmd;
import io.manafold.api.testpmd.TestPmdRun;
import io.manafold.memory.PacketPlan;
import io.manafold.memory.PacketPool;
import io.manafold.memory.PacketPools;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.osgi.annotation.bundle.Requirement;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts testpmd over whatever ports environments have. */
@Requirement(namespace = "osgi.service", effective = "active",
        filter = "(objectClass=io.manafold.api.ethdev.Environments)")
@Component(service = TestPmd.class)
public final class Program implements TestPmd {
    private static final Logger LOG = LoggerFactory.getLogger(Program.class);
    private static final int RING = 2048;
    private static final int BURST = 512;

    private final PacketPools pools;
    /** Runs of this program, those that have ended left out. */
    private final Set<Run> runs = ConcurrentHashMap.newKeySet();
    private volatile Environments environments;

    @Activate
    public Program(@Reference PacketPools pools) {
        this.pools = pools;
    }

    /** A run outlives the driver of its ports. */
    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
    void addDriver(Environments driver) {
        environments = driver;
        if (!runs.isEmpty()) {
            // ports start meanwhile, and a thread that registers a driver does not wait for that
            Thread.ofPlatform().daemon().name("testpmd-again").start(() -> runs.forEach(Run::driverCame));
        }
    }

    void removeDriver(Environments driver) {
        if (environments == driver) {
            environments = null;
        }
    }

    private Environments driver() {
        return environments;
    }

    @Deactivate
    void end() {
        for (Run run : runs) {
            try {
                run.close();
            } catch (RuntimeException wrong) {
                LOG.error("A run of testpmd is not closed cleanly", wrong);
            }
        }
    }

    @Override
    public List<ProbedPort> look(List<String> words) {
        int dashes = words.indexOf("--");
        SettingsReader.read(new ProgramOptions(dashes < 0 ? List.of() : words.subList(dashes + 1, words.size())));
        try (LastingEnvironment environment = environment(words, dashes)) {
            return environment.now().probed();
        }
    }

    @Override
    public TestPmdRun start(List<String> words) {
        int dashes = words.indexOf("--");
        // the program's half is read first: what is wrong there needs no ports
        ProgramOptions options = new ProgramOptions(dashes < 0 ? List.of() : words.subList(dashes + 1, words.size()));
        Settings settings = SettingsReader.read(options);
        options.number("stats-period", 0, 0, 86_400);
        LastingEnvironment lasting = environment(words, dashes);
        Environment environment = lasting.now();
        PacketPool pool = null;
        Run run = null;
        try {
            checkProcess(settings, environment);
            checkPorts(environment);
            if (environment.pool() >= 0) {
                pool = PacketPool.numbered(environment.pool());
                SettingsReader.fit(settings, pool.room());
            } else {
                pool = pools.make(new PacketPlan("mb_pool_0", packets(settings, environment), settings.cache,
                        settings.room, environment.checks()));
            }
            run = new Run(lasting, pool, options, settings, runs::remove);
            runs.add(run);
            run.open();
            Run started = run;
            run = null;
            pool = null;
            lasting = null;
            return started;
        } finally {
            if (run != null) {
                run.close();
            } else if (lasting != null) {
                lasting.close();
                if (pool != null) {
                    pool.close();
                }
            }
        }
    }

    private LastingEnvironment environment(List<String> words, int dashes) {
        return new LastingEnvironment(this::driver, List.copyOf(dashes < 0 ? words : words.subList(0, dashes + 1)));
    }

    /** The primary has the first queues, and offers the others. */
    private static void checkProcess(Settings settings, Environment environment) {
        if (environment.isSecondary() == (settings.process == 0)) {
            throw Words.wrong(environment.isSecondary()
                    ? "A secondary polls the queues that its primary does not: give both --num-procs, and this one a "
                    + "--proc-id above 0."
                    : "A primary is process 0, and polls the first queues; give --proc-id " + settings.process
                    + " to a secondary.");
        }
    }

    private static void checkPorts(Environment environment) {
        if (environment.ports().stream().noneMatch(port -> port.owner().isEmpty())) {
            throw new Refusal(Errno.ENODEV, "No probed ethernet devices: the words before -- leave no port to poll. "
                    + "--dry-run among them shows which ports there are, and why they are not taken.");
        }
    }

    /** As many as the ports here can have under way, with what cores keep; longer rings make it more. */
    private static int packets(Settings settings, Environment environment) {
        if (settings.packets > 0) {
            return settings.packets;
        }
        int ports = Math.max(1, environment.ports().size());
        long queues = Math.max(settings.receiveQueues, settings.sendQueues);
        long rings = queues * Math.max(2 * RING, settings.receiveDescriptors + settings.sendDescriptors);
        return (int) Math.min(PacketPool.MOST_PACKETS,
                ports * (rings + (long) environment.cores().size() * settings.cache + BURST));
    }

    @Override
    public List<String> options() {
        return ProgramOptions.names();
    }

    @Override
    public String usage() {
        Environments there = environments;
        return (there == null ? "" : there.usage())
                + "Options of the program, behind --; 'help all' at the prompt shows lines:\n"
                + ProgramOptions.usage();
    }
}
