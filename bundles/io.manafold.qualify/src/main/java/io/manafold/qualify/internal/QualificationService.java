package io.manafold.qualify.internal;

import io.manafold.api.adapter.Adapter;
import io.manafold.api.ethdev.Environments;
import io.manafold.api.inet.Hosts;
import io.manafold.api.inet.IpAddress;
import io.manafold.api.net.NetDevice;
import io.manafold.api.qualify.Difference;
import io.manafold.api.qualify.Qualification;
import io.manafold.api.qualify.QualificationPlan;
import io.manafold.api.qualify.QualificationReport;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.traffic.Traffic;
import io.manafold.memory.PacketPools;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;

/** The service; what it measures with may come and go. */
@Component
public final class QualificationService implements Qualification {
    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    volatile List<NetDevice> devices = List.of();

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    volatile List<Adapter> adapters = List.of();

    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile Hosts hosts;

    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile Traffic traffic;

    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile Environments environments;

    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile PacketPools pools;

    private final Semaphore one = new Semaphore(1);

    @Activate
    public QualificationService() {
        // services come by their fields
    }

    @Override
    public QualificationReport run(QualificationPlan plan, Consumer<String> progress) {
        PlanRules.check(plan);
        if (!one.tryAcquire()) {
            throw new Refusal(Errno.EBUSY, "Another qualification is under way; two at once would measure each other.");
        }
        try (Subject subject = subject(plan)) {
            return new Measuring(plan, subject, progress).run();
        } finally {
            one.release();
        }
    }

    private Subject subject(QualificationPlan plan) {
        Adapter adapter = plan.servicing().isEmpty() ? null : adapter(plan.servicing());
        return switch (plan.engine()) {
            case DRIVER -> devices(plan, adapter);
            case PMD -> ports(plan, adapter);
            case GUEST -> guest(plan, adapter(plan.guest()));
        };
    }

    private Subject ports(QualificationPlan plan, Adapter adapter) {
        Environments starter = MissingService.required(environments, "poll-mode driver", "io.manafold.pmd");
        PacketPools maker = MissingService.required(pools, "memory for packets", "io.manafold.memory");
        PollChoice choice = PollChoice.of(starter, plan.from(), plan.to(), devices());
        PollPorts ports = new PollPorts(starter, maker, choice, Collections.max(plan.queues()));
        try {
            return new PortSubject(plan, ports, choice, adapter);
        } catch (Refusal refused) {
            ports.close();
            throw refused;
        }
    }

    private Subject guest(QualificationPlan plan, Adapter adapter) {
        Hosts above = MissingService.required(hosts, RoundTrips.HOSTS, "io.manafold.inet");
        IpAddress guest;
        try {
            guest = IpAddress.parse(plan.to());
        } catch (IllegalArgumentException wrong) {
            throw new Refusal(Errno.EINVAL, "A guest is measured by its address: " + wrong.getMessage() + ".", wrong);
        }
        List<NetDevice> there = devices.stream().sorted(Comparator.comparingInt(NetDevice::index)).toList();
        NetDevice from = plan.from().isEmpty() ? there.stream().filter(device -> above.find(device.name()).stream()
                .flatMap(host -> host.routes().stream()).anyMatch(route -> route.destination().contains(guest)))
                .findFirst().orElseThrow(() -> new Refusal(Errno.ENETUNREACH, "No device has a route to " + guest
                + ": give one on the guest's link an address, 'ip addr add ADDRESS/LENGTH dev DEV'."))
                : device(there, plan.from());
        checkCarrier(from);
        return new GuestSubject(plan, from, above.find(from.name()).orElseThrow(() -> new Refusal(Errno.ENODEV,
                "No host is above " + from.name() + ".")), guest, adapter);
    }

    private Subject devices(QualificationPlan plan, Adapter adapter) {
        Traffic generator = MissingService.required(traffic, "traffic generator", "io.manafold.traffic");
        List<NetDevice> there = devices.stream().sorted(Comparator.comparingInt(NetDevice::index)).toList();
        NetDevice from = plan.from().isEmpty() ? other(there, plan.to(), "sends") : device(there, plan.from());
        NetDevice to = plan.to().isEmpty() ? other(there, from.name(), "receives") : device(there, plan.to());
        if (from.name().equals(to.name())) {
            throw new Refusal(Errno.EINVAL, "Packets go from one device to another, not from " + from.name()
                    + " to itself.");
        }
        checkCarrier(from);
        checkCarrier(to);
        return new DeviceSubject(plan, from, to, generator, hosts, adapter);
    }

    private static void checkCarrier(NetDevice device) {
        if (!device.hasCarrier()) {
            throw new Refusal(Errno.ENETDOWN, device.name() + (device.isUp() ? " has no carrier: 'link list' shows "
                    + "what its port is plugged into." : " is down: 'ip link set " + device.name()
                    + " up' changes that."));
        }
    }

    private static NetDevice device(List<NetDevice> there, String name) {
        return there.stream().filter(device -> device.name().equals(name)).findFirst()
                .orElseThrow(() -> new Refusal(Errno.ENODEV, "There is no network device " + name + "; there is "
                        + names(there.stream().map(NetDevice::name).toList()) + "."));
    }

    private static NetDevice other(List<NetDevice> there, String than, String does) {
        return there.stream().filter(device -> !device.name().equals(than)).findFirst()
                .orElseThrow(() -> new Refusal(Errno.ENODEV, "There is no network device that " + does
                        + ": two are needed, and there is " + names(there.stream().map(NetDevice::name).toList())
                        + "; 'lab up default' brings two."));
    }

    private Adapter adapter(String name) {
        return adapters.stream().filter(adapter -> adapter.name().equals(name)).findFirst()
                .orElseThrow(() -> new Refusal(Errno.ENODEV, "There is no adapter " + name + "; there is "
                        + names(adapters()) + "."));
    }

    private static String names(List<String> names) {
        return names.isEmpty() ? "none" : String.join(", ", names);
    }

    @Override
    public List<String> devices() {
        return devices.stream().sorted(Comparator.comparingInt(NetDevice::index)).map(NetDevice::name).toList();
    }

    @Override
    public List<String> adapters() {
        return adapters.stream().map(Adapter::name).sorted().toList();
    }

    @Override
    public QualificationReport read(Path file) {
        return ReportReader.read(file);
    }

    @Override
    public List<Difference> compare(QualificationReport before, QualificationReport after) {
        return Comparing.rows(before, after);
    }

    @Override
    public Map<String, Object> values(QualificationReport report) {
        return ReportValues.of(report);
    }

    @Override
    public String json(QualificationReport report) {
        return ReportValues.json(report);
    }

    @Override
    public String page(QualificationReport report) {
        return ReportPage.of(report);
    }
}
