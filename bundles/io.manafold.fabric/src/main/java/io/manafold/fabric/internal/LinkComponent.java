package io.manafold.fabric.internal;

import io.manafold.api.fabric.CaptureStatus;
import io.manafold.api.fabric.CompanionWire;
import io.manafold.api.fabric.Impairments;
import io.manafold.api.fabric.Link;
import io.manafold.api.fabric.LinkStatus;
import io.manafold.api.fabric.PacketRule;
import io.manafold.api.fabric.Plug;
import io.manafold.api.fabric.Queueing;
import io.manafold.api.fabric.Wire;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.osgi.annotation.bundle.Requirement;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.Designate;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A link for each configuration. Its properties are the service's, so that ports and the lab find it. */
@Requirement(namespace = "osgi.service", effective = "active",
        filter = "(objectClass=org.osgi.service.cm.ConfigurationAdmin)")
@Component(service = Link.class, immediate = true, configurationPid = LinkComponent.PID,
        configurationPolicy = ConfigurationPolicy.REQUIRE)
@Designate(ocd = LinkComponent.Config.class, factory = true)
public final class LinkComponent implements Link {
    static final String PID = "io.manafold.link";
    private static final Logger LOG = LoggerFactory.getLogger(LinkComponent.class);
    private static final int WHOLE_FRAMES = 262_144;

    /** What a configuration says. */
    @ObjectClassDefinition(name = "Manafold link", description = "What ports of adapters are plugged into.")
    @interface Config {
        @AttributeDefinition(description = "What commands call it.")
        String name();

        @AttributeDefinition(description = "switch, direct, tap or packet.")
        String kind() default "switch";

        @AttributeDefinition(description = "The ports it joins, adapter/port, counted from 1.")
        String[] ports();

        @AttributeDefinition(required = false, description = "The host's interface, for tap and packet.")
        String interface$();

        @AttributeDefinition(required = false, description = "Percent of the frames that are lost.")
        double loss() default 0;

        @AttributeDefinition(required = false, description = "Percent of the frames that arrive twice.")
        double duplicate() default 0;

        @AttributeDefinition(required = false, description = "Percent of the frames that arrive after their successor.")
        double reorder() default 0;

        @AttributeDefinition(required = false, description = "How many nanoseconds later every frame arrives.")
        long delay() default 0;

        @AttributeDefinition(required = false, description = "Start of the random numbers.")
        long seed() default 1;

        @AttributeDefinition(required = false, description = "Bit/s at which frames leave, 0 for at once.")
        long rate() default 0;

        @AttributeDefinition(required = false, description = "How many bytes wait in front of a port at most.")
        long buffer() default 0;

        @AttributeDefinition(required = false, description = "Up to how many waiting bytes no packet is marked.")
        long ecn$_$min() default 0;

        @AttributeDefinition(required = false, description = "From how many waiting bytes on every packet is marked.")
        long ecn$_$max() default 0;

        @AttributeDefinition(required = false, description = "Percent of the packets marked just below that.")
        double ecn$_$probability() default LinkPlan.PROBABILITY;

        @AttributeDefinition(required = false, description = "Classes of frames that senders are asked to stop.")
        String[] pfc();

        @AttributeDefinition(required = false, description = "With more bytes waiting a port is asked to stop.")
        long pfc$_$xoff() default 0;

        @AttributeDefinition(required = false, description = "With no more bytes waiting it may go on.")
        long pfc$_$xon() default -1;

        @AttributeDefinition(required = false, description = "The pcapng file that everything is written to.")
        String capture();
    }

    private final FabricLink link;
    private final String captureProblem;

    @Activate
    public LinkComponent(Config config) {
        link = FabricLink.open(plan(config));
        captureProblem = capture(config.capture());
    }

    private static LinkPlan plan(Config config) {
        String name = config.name();
        if (name == null || name.isBlank()) {
            throw new Refusal(Errno.EINVAL, "A link needs a name.");
        }
        Impairments impairments;
        Queueing queueing;
        try {
            impairments = new Impairments(config.loss(), config.duplicate(), config.reorder(), config.delay(),
                    config.seed());
            queueing = queueing(config);
        } catch (IllegalArgumentException wrong) {
            throw new Refusal(Errno.EINVAL, "Link " + name + ": " + wrong.getMessage() + ".", wrong);
        }
        String[] ports = config.ports() == null ? new String[0] : config.ports();
        return new LinkPlan(name, LinkPlan.Kind.of(name, config.kind()), List.of(ports), config.interface$(),
                impairments, queueing);
    }

    private static Queueing queueing(Config config) {
        String[] classes = config.pfc() == null ? new String[0] : config.pfc();
        if (config.rate() == 0) {
            if (config.buffer() != 0 || config.ecn$_$max() != 0 || classes.length > 0) {
                throw new IllegalArgumentException("buffer, ecn and pfc need a rate, without which no frame waits");
            }
            return null;
        }
        int mask = 0;
        for (String one : classes) {
            if (!one.matches("[0-7]")) {
                throw new IllegalArgumentException("pfc names classes from 0 to 7, not '" + one + "'");
            }
            mask |= 1 << Integer.parseInt(one);
        }
        long buffer = config.buffer() == 0 ? LinkPlan.BUFFER : config.buffer();
        long xoff = mask != 0 && config.pfc$_$xoff() == 0 ? buffer / 4 : config.pfc$_$xoff();
        return new Queueing(config.rate(), buffer, config.ecn$_$min(), config.ecn$_$max(),
                config.ecn$_$probability(), mask, xoff, config.pfc$_$xon() < 0 ? xoff / 2 : config.pfc$_$xon());
    }

    /** A link is worth having without its capture: what is wrong with that is told in the status. */
    private String capture(String file) {
        if (file == null || file.isBlank()) {
            return null;
        }
        try {
            link.startCapture(Path.of(file), WHOLE_FRAMES);
            return null;
        } catch (Refusal | InvalidPathException refused) {
            LOG.warn("link {} runs without its capture: {}", link.name(), refused.getMessage());
            return "Link " + link.name() + " runs without its capture: " + refused.getMessage();
        }
    }

    @Deactivate
    void stop() {
        link.close();
    }

    @Override
    public String name() {
        return link.name();
    }

    @Override
    public Wire plug(Plug plug) {
        return link.plug(plug);
    }

    @Override
    public CompanionWire plugBeside(String port, Plug companion) {
        return link.plugBeside(port, companion);
    }

    @Override
    public LinkStatus status() {
        LinkStatus status = link.status();
        if (captureProblem == null) {
            return status;
        }
        List<String> problems = new ArrayList<>(status.problems());
        problems.add(captureProblem);
        return new Snapshot(status.name(), status.kind(), status.ports(), status.impairments(), status.rules(),
                status.queueing(), status.queues(), status.counters(), status.stations(), problems);
    }

    @Override
    public void impair(Impairments impairments) {
        link.impair(impairments);
    }

    @Override
    public void impair(PacketRule rule) {
        link.impair(rule);
    }

    @Override
    public void clearRules() {
        link.clearRules();
    }

    @Override
    public CaptureStatus startCapture(Path file, int snap, long count) {
        return link.startCapture(file, snap, count);
    }

    @Override
    public CaptureStatus stopCapture(Path file) {
        return link.stopCapture(file);
    }

    @Override
    public List<CaptureStatus> captures() {
        return link.captures();
    }
}
