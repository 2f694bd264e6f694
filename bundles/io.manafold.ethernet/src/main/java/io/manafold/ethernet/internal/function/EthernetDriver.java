package io.manafold.ethernet.internal.function;

import io.manafold.api.device.Binding;
import io.manafold.api.device.DeviceMatch;
import io.manafold.api.device.Driver;
import io.manafold.api.device.KeptCounters;
import io.manafold.api.device.PciFunction;
import io.manafold.api.device.Probe;
import io.manafold.api.device.Removal;
import io.manafold.api.device.SavedSettings;
import io.manafold.api.net.DevicePlan;
import io.manafold.api.net.ReceiveMapping;
import io.manafold.ethernet.internal.port.DriverInfo;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.Designate;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;
import org.osgi.service.metatype.annotations.Option;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drives the adapter's functions as network devices. While one version of it makes room for another no device is there:
 * on the way to the first packet plain loops stand where each lambda would be one more class to make.
 */
@Component(service = Driver.class, immediate = true, configurationPid = "io.manafold.ethernet")
@Designate(ocd = EthernetDriver.Config.class)
public final class EthernetDriver implements Driver {
    private static final String PARITY = "parity";
    private static final Logger LOG = LoggerFactory.getLogger(EthernetDriver.class);
    private static final int VENDOR = 0x1414;
    private static final int VIRTUAL = 0x00ba;
    private static final int PHYSICAL = 0x00b9;

    private final Services services;
    private final DriverContext context;

    /** How patient the driver is. */
    @ObjectClassDefinition(name = "Manafold Ethernet driver")
    public @interface Config {
        @AttributeDefinition(description = "How often counters of the host are asked for, in milliseconds.")
        long statistics_interval() default 2_000;

        @AttributeDefinition(description = "After how long a send that was not completed has its port reset, in "
                + "milliseconds.")
        long send_limit() default 15_000;

        @AttributeDefinition(description = "How long a function that has been reset is left alone before it is brought "
                + "up again, in milliseconds.")
        long revival_pause() default 100;

        @AttributeDefinition(description = "When receive pages are made reachable, unless a device was told "
                + "otherwise: arena (once, with all memory), page (once each), packet (for each packet as far as it "
                + "reaches), whole-page (for each packet, all of its page).",
                options = {@Option("arena"), @Option("page"), @Option("packet"), @Option("whole-page")})
        String mapping() default "arena";

        @AttributeDefinition(description = "What limits on sending can be: full (trees of shapers, where the adapter "
                + "has them) or parity (one clamp of a port, as the Linux driver has it).",
                options = {@Option("full"), @Option("parity")})
        String shapers() default "full";
    }

    @Activate
    public EthernetDriver(BundleContext context, Config config, @Reference SavedSettings settings,
            @Reference KeptCounters counters) {
        services = new Services(context);
        services.open();
        this.context = new DriverContext(new Devices(services), settings, counters, services,
                new Timeouts(Duration.ofMillis(config.statistics_interval()), Duration.ofMillis(config.send_limit()),
                Duration.ofMillis(config.revival_pause())), mapping(config), !PARITY.equals(config.shapers()));
    }

    @Deactivate
    void end() {
        services.close();
    }

    private static ReceiveMapping mapping(Config config) {
        for (ReceiveMapping one : ReceiveMapping.values()) {
            if (one.word().equals(config.mapping())) {
                return one;
            }
        }
        LOG.warn("Receive pages cannot be mapped as '{}': choose arena, page, packet or whole-page. They are mapped "
                + "with the arena.", config.mapping());
        return ReceiveMapping.ARENA;
    }

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    void addPlan(DevicePlan plan) {
        services.add(plan);
    }

    void removePlan(DevicePlan plan) {
        services.remove(plan);
    }

    @Override
    public String name() {
        return DriverInfo.NAME;
    }

    @Override
    public List<DeviceMatch> idTable() {
        return List.of(new DeviceMatch.Pci(VENDOR, VIRTUAL), new DeviceMatch.Pci(VENDOR, PHYSICAL));
    }

    @Override
    public Binding probe(Probe probe) {
        PciFunction function = probe.device(PciFunction.class);
        context.devices().naming().begin(function.address());
        FunctionDrive drive;
        try {
            drive = FunctionDrive.begin(function, context);
        } finally {
            context.devices().naming().end(function.address());
        }
        services.add(drive);
        return new Binding() {
            @Override
            public void remove(Removal why) {
                services.remove(drive);
                drive.remove(why);
            }

            @Override
            public void suspend() throws InterruptedException {
                drive.suspend();
            }

            @Override
            public void resume() throws InterruptedException {
                drive.resume();
            }

            @Override
            public OptionalLong buffersOut() {
                return drive.buffersOut();
            }
        };
    }
}
