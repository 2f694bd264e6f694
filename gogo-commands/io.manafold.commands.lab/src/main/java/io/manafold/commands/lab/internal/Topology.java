package io.manafold.commands.lab.internal;

import io.manafold.api.adapter.Adapter;
import io.manafold.api.adapter.FirmwareHistory;
import io.manafold.api.adapter.MessageStatus;
import io.manafold.api.device.DeviceStatus;
import io.manafold.api.device.DriverChoice;
import io.manafold.api.device.DriverCore;
import io.manafold.api.device.PciAddress;
import io.manafold.api.device.PciAddresses;
import io.manafold.api.device.PciFunction;
import io.manafold.api.fabric.Link;
import io.manafold.api.fabric.LinkStatus;
import io.manafold.api.inet.DeviceCaptures;
import io.manafold.api.net.NetDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.vfio.BorrowStatus;
import io.manafold.api.vfio.Borrowings;
import io.manafold.api.vfio.ExportStatus;
import io.manafold.api.vfio.Exports;
import io.manafold.shell.Candidate;
import io.manafold.shell.Completer;
import io.manafold.shell.Missing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.osgi.annotation.bundle.Requirement;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;

/** What is there to be looked at: adapters, links, exports, what is borrowed. Commands outlive them all. */
@Requirement(namespace = "osgi.service", effective = "active",
        filter = "(objectClass=io.manafold.api.adapter.Adapter)")
@Requirement(namespace = "osgi.service", effective = "active",
        filter = "(objectClass=io.manafold.api.fabric.Link)")
@Requirement(namespace = "osgi.service", effective = "active",
        filter = "(objectClass=io.manafold.api.vfio.Exports)")
@Component(service = Topology.class)
public final class Topology {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    volatile List<Adapter> adapters = List.of();

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    volatile List<Link> links = List.of();

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    volatile List<PciFunction> functions = List.of();

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    volatile List<NetDevice> devices = List.of();

    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile DeviceCaptures deviceCaptures;

    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile Exports exports;

    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile Borrowings borrowings;

    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile DriverCore core;

    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile PciAddresses addresses;

    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile FirmwareHistory firmware;

    /** Devices that are free because of a {@link BrokenState}, and not because an administrator has unbound them. */
    final Set<String> freed = ConcurrentHashMap.newKeySet();

    /** Who holds an address of the bus, whether its function is there or not. */
    Optional<String> holder(PciAddress address) {
        if (addresses instanceof PciAddresses present) {
            return present.holder(address);
        }
        return functions().stream().filter(function -> function.address().equals(address)).findFirst()
                .map(_ -> "a function");
    }

    /** Refuses an address that has a holder already. */
    PciAddress free(PciAddress address, String wanted) {
        holder(address).ifPresent(other -> {
            throw new Refusal(Errno.EBUSY, "The address " + address + " is held by " + other + ", so " + wanted
                    + " cannot be there. Choose another, or leave it out for the first that is free.");
        });
        return address;
    }

    /** Whether the driver core knows of the function at an address; as well if there is no core to ask. */
    boolean isDevice(PciAddress address) {
        return !(core instanceof DriverCore present) || present.devices().stream()
                .anyMatch(device -> device.id().equals(address.toString()));
    }

    /** Whether the driver core has not yet let go of the function at an address. */
    boolean lingers(PciAddress address) {
        return core != null && isDevice(address);
    }

    /** The driver core, which must be there. */
    DriverCore core() {
        if (core instanceof DriverCore present) {
            return present;
        }
        throw Missing.service("driver core", "io.manafold.bus");
    }

    /** Waits, with a limit, until a function that was put on the bus is known there and bound to its driver. */
    void awaitDriven(PciAddress address) throws InterruptedException {
        if (core instanceof DriverCore present) {
            long end = System.nanoTime() + PATIENCE.toNanos();
            while (!isDevice(address) && System.nanoTime() < end) {
                TimeUnit.MILLISECONDS.sleep(5);
            }
            present.settle(PATIENCE);
        }
    }

    /** All adapters by name. */
    List<Adapter> adapters() {
        return sorted(adapters, Adapter::name);
    }

    /** All links by name. */
    List<Link> links() {
        return sorted(links, Link::name);
    }

    /** All functions by address. */
    List<PciFunction> functions() {
        return functions.stream().sorted(Comparator.comparing(PciFunction::address)).toList();
    }

    /** The function that an adapter is on the bus. */
    Optional<PciFunction> function(Adapter adapter) {
        return functions().stream().filter(function -> function.address().equals(adapter.address())).findFirst();
    }

    /** The network devices that come and go with an adapter's function. */
    List<NetDevice> devicesOf(Adapter adapter) {
        return devices.stream().filter(one -> one.address().equals(adapter.address()) && !isPair(one)).toList();
    }

    /** Whether it is the device above a function's, which outlives that. */
    static boolean isPair(NetDevice device) {
        return device.driverInfo().getOrDefault("driver", "").equals("hv_netvsc");
    }

    /** The driver that an adapter's function is bound to, with its version. */
    Optional<String> driver(Adapter adapter) {
        return core instanceof DriverCore present ? present.devices().stream()
                .filter(device -> device.id().equals(adapter.address().toString())).findFirst()
                .flatMap(DeviceStatus::driver).map(DriverChoice::toString) : Optional.empty();
    }

    /** All exports by name; refused if no bundle lends functions. */
    List<ExportStatus> exports() {
        if (exports instanceof Exports present) {
            return sorted(present.list(), ExportStatus::name);
        }
        throw Missing.service("service that lends functions to virtual machines", "io.manafold.vfio");
    }

    /** All exports, none if no bundle lends functions. */
    List<ExportStatus> exportsIfAny() {
        return exports == null ? List.of() : exports();
    }

    /** All that is borrowed by name, nothing if no bundle borrows functions. */
    List<BorrowStatus> borrowings() {
        return borrowings instanceof Borrowings present ? sorted(present.list(), BorrowStatus::name) : List.of();
    }

    Optional<BorrowStatus> findBorrowing(String name) {
        return borrowings().stream().filter(borrowing -> borrowing.name().equals(name)).findFirst();
    }

    private static <T> List<T> sorted(List<T> things, Function<T, String> name) {
        return things.stream().sorted(Comparator.comparing(name)).toList();
    }

    Optional<Adapter> findAdapter(String name) {
        return adapters().stream().filter(adapter -> adapter.name().equals(name)).findFirst();
    }

    Optional<Link> findLink(String name) {
        return links().stream().filter(link -> link.name().equals(name)).findFirst();
    }

    /** Whether no port that a link is meant for is free any more. */
    boolean isJoined(String link) {
        List<String> ports = findLink(link)
                .map(found -> found.status().ports().stream().map(LinkStatus.PortStatus::name).toList())
                .orElse(List.of());
        return adapters.stream().flatMap(adapter -> adapter.ports().stream())
                .noneMatch(port -> port.link() == null && ports.contains(port.name()));
    }

    Optional<ExportStatus> findExport(String name) {
        return exportsIfAny().stream().filter(export -> export.name().equals(name)).findFirst();
    }

    Adapter adapter(String name) {
        return findAdapter(name).orElseThrow(() -> absent(Errno.ENODEV, "adapter", name, adapterNames(),
                "'adapter add' makes one, 'lab up default' brings one"));
    }

    Link link(String name) {
        return findLink(name).orElseThrow(() -> absent(Errno.ENODEV, "link", name, linkNames(),
                "'link add' makes one, 'lab up default' brings one"));
    }

    /** Where frames can be captured: all links, then all network devices and those that are captured at while away. */
    List<CapturePlace> capturePlaces() {
        List<CapturePlace> places = new ArrayList<>();
        links().forEach(link -> places.add(CapturePlace.of(link)));
        if (deviceCaptures instanceof DeviceCaptures present) {
            TreeSet<String> names = new TreeSet<>();
            devices.forEach(device -> names.add(device.name()));
            present.captures().forEach(capture -> names.add(capture.link()));
            names.forEach(name -> places.add(CapturePlace.of(name, present)));
        }
        return places;
    }

    Optional<CapturePlace> findCapturePlace(String name) {
        return capturePlaces().stream().filter(place -> place.name().equals(name)).findFirst();
    }

    CapturePlace capturePlace(String name) {
        return findCapturePlace(name).orElseThrow(() -> absent(Errno.ENODEV, "link or network device", name,
                capturePlaces().stream().map(CapturePlace::name).toList(),
                "'link add' makes a link, 'lab up default' brings one"));
    }

    /** Links and network devices by name. */
    Completer completeCapturePlaces() {
        return typed -> capturePlaces().stream().map(place -> new Candidate(place.name(), place.kind(), true)).toList();
    }

    /** The refusal for a name that nothing has. */
    static Refusal absent(Errno errno, String what, String name, Collection<String> known, String ifNone) {
        return Missing.named(errno, what, name, known, ifNone);
    }

    List<String> adapterNames() {
        return adapters().stream().map(Adapter::name).toList();
    }

    List<String> linkNames() {
        return links().stream().map(Link::name).toList();
    }

    List<String> exportNames() {
        return exportsIfAny().stream().map(ExportStatus::name).toList();
    }

    /** Adapters by name. */
    Completer completeAdapters() {
        return typed -> adapters().stream()
                .map(adapter -> new Candidate(adapter.name(), adapter.address() + " " + adapter.state(), true))
                .toList();
    }

    /** What the firmware of each month has brought. */
    FirmwareHistory firmware() {
        FirmwareHistory present = firmware;
        if (present == null) {
            throw new Refusal(Errno.ENODEV,
                    "No bundle knows firmware: start io.manafold.adapter, which makes adapters.");
        }
        return present;
    }

    /** Months whose firmware has brought something. */
    Completer completeFirmware() {
        return typed -> firmware instanceof FirmwareHistory present ? FirmwareCommand.candidates(present) : List.of();
    }

    /** Messages of the hardware channel by name. */
    Completer completeMessages() {
        return typed -> {
            if (!(firmware instanceof FirmwareHistory present)) {
                return List.of();
            }
            Map<String, String> since = new HashMap<>();
            present.months().forEach(month -> month.messages()
                    .forEach(message -> since.put(message.name(), ", since " + month.month())));
            return present.messages().stream().map(message -> new Candidate(message.name(),
                    "0x%05x".formatted(message.code()) + since.getOrDefault(message.name(), ""), true)).toList();
        };
    }

    /** Statuses of answers, in hexadecimal. */
    Completer completeStatuses() {
        return typed -> statuses().stream().filter(status -> status.code() != 0)
                .map(status -> new Candidate(Quantity.showStatus(status.code()), status.name(), true)).toList();
    }

    /** The name of a status, if it has one. */
    Optional<String> statusName(int status) {
        return statuses().stream().filter(one -> one.code() == status).map(MessageStatus::name).findFirst();
    }

    private List<MessageStatus> statuses() {
        return firmware instanceof FirmwareHistory present ? present.statuses() : List.of();
    }

    /** Links by name. */
    Completer completeLinks() {
        return typed -> links().stream()
                .map(link -> new Candidate(link.name(), link.status().kind(), true)).toList();
    }

    /** Exports by name. */
    Completer completeExports() {
        return typed -> exportsIfAny().stream()
                .map(export -> new Candidate(export.name(), "adapter " + export.adapter(), true)).toList();
    }

    /** Borrowed functions by name. */
    Completer completeBorrowings() {
        return typed -> borrowings().stream()
                .map(borrowing -> new Candidate(borrowing.name(), borrowing.address().toString(), true)).toList();
    }

    /** Ports of all adapters by name. */
    Completer completePorts() {
        return typed -> adapters().stream().flatMap(adapter -> adapter.ports().stream())
                .map(port -> new Candidate(port.name(), port.link() == null ? "free" : "on link " + port.link(), true))
                .toList();
    }
}
