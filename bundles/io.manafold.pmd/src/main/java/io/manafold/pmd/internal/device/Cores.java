package io.manafold.pmd.internal.device;

import io.manafold.api.agent.TurnHost;
import io.manafold.api.ethdev.CoreRun;
import io.manafold.api.ethdev.CoreWork;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.pmd.internal.words.EalOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The cores of an environment that are at work. */
final class Cores {
    private static final Logger LOG = LoggerFactory.getLogger(Cores.class);
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final EalOptions options;
    private final Directory directory;
    private final ThreadFactory threads;
    private final Map<Integer, Core> atWork = new TreeMap<>();
    private boolean ended;

    Cores(EalOptions options, Directory directory) {
        this(options, directory, Thread.ofPlatform().daemon().factory());
    }

    /** @param threads makes those that cores have of their own */
    Cores(EalOptions options, Directory directory, ThreadFactory threads) {
        this.threads = threads;
        this.options = options;
        this.directory = directory;
    }

    /** @param ports of the environment, which the core may take turns with */
    CoreRun launch(int core, CoreWork work, List<PollDevice> ports) {
        if (!options.cores().containsKey(core)) {
            throw new Refusal(Errno.EINVAL, "There is no core " + core + "; there are " + options.cores()
                    .keySet() + ".");
        }
        if (core == options.mainCore()) {
            throw new Refusal(Errno.EINVAL, "Core " + core
                    + " is the main one, which runs commands; give work to another, or name another by --main-lcore.");
        }
        Core run;
        synchronized (this) {
            if (ended) {
                throw new Refusal(Errno.ENODEV, "The environment " + options.prefix() + " has ended.");
            }
            if (atWork.containsKey(core)) {
                throw new Refusal(Errno.EBUSY, "Core " + core + " is at work already; stop that first.");
            }
            run = new Core(core, options.processors(core), work, () -> free(core), threads);
            atWork.put(core, run);
        }
        if (!options.runToCompletion() || !host(run, core, ports)) {
            run.start();
        }
        return run;
    }

    /** Processors that a core is bound to, if the host lets it; lines are carried out on threads of others. */
    synchronized Set<Integer> processors(int core) {
        Core run = atWork.get(core);
        boolean bound = core != options.mainCore() && (run == null || run.isBound());
        return bound ? options.processors(core) : Set.of();
    }

    private synchronized void free(int core) {
        atWork.remove(core);
    }

    /** Has a core take turns with one of the ports, the first core with the first port. False if none lets it. */
    private boolean host(Core run, int core, List<PollDevice> ports) {
        List<Integer> forwarding = new ArrayList<>(options.cores().keySet());
        forwarding.remove((Integer) options.mainCore());
        PollDevice port = ports.isEmpty() ? null : ports.get(forwarding.indexOf(core) % ports.size());
        TurnHost host = port == null ? null : directory.host(port.facts().address(), port.facts().port());
        try {
            if (host != null) {
                run.start(host);
                return true;
            }
        } catch (Refusal refused) {
            LOG.warn("Core {} of {} has a thread of its own: {}", core, options.prefix(), refused.getMessage());
        }
        return false;
    }

    private synchronized List<Core> all() {
        return List.copyOf(atWork.values());
    }

    /** A turn host is going: the work of its cores goes on with threads of their own. */
    void lose(TurnHost host) {
        all().forEach(core -> core.lose(host));
    }

    /** None is at work any more when this returns, but one that does not end its turn. */
    void end() {
        synchronized (this) {
            ended = true;
        }
        for (Core core : all()) {
            // a port's memory is safe from work that does not end, and the thread that ends the environment goes on
            if (!core.stop(PATIENCE)) {
                LOG.error("A core of {} does not end its turn", options.prefix());
            }
        }
    }
}
