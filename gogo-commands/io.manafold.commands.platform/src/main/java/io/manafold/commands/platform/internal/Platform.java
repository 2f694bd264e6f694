package io.manafold.commands.platform.internal;

import io.manafold.api.device.AuxiliaryDevice;
import io.manafold.api.device.DeviceStatus;
import io.manafold.api.device.DriverCore;
import io.manafold.api.device.DriverStatus;
import io.manafold.api.device.EventLog;
import io.manafold.api.device.Offer;
import io.manafold.api.device.PciFunction;
import io.manafold.api.lab.LabStatus;
import io.manafold.api.lab.Labs;
import io.manafold.api.log.PlatformLog;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.shell.Candidate;
import io.manafold.shell.Completer;
import io.manafold.shell.Missing;
import java.util.List;
import java.util.Optional;
import org.osgi.annotation.bundle.Requirement;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;

/** The services that the commands speak to, as far as they are there: a command outlives what it asks. */
@Requirement(namespace = "osgi.service", effective = "active",
        filter = "(objectClass=io.manafold.api.device.DriverCore)")
@Requirement(namespace = "osgi.service", effective = "active",
        filter = "(objectClass=io.manafold.api.lab.Labs)")
@Component(service = Platform.class)
public final class Platform {
    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile DriverCore core;

    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile EventLog events;

    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile Labs labs;

    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile PlatformLog log;

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    volatile List<Offer> offers = List.of();

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    volatile List<PciFunction> functions = List.of();

    DriverCore core() {
        return Missing.required(core, "driver core", "io.manafold.bus");
    }

    Optional<DriverCore> coreIfPresent() {
        return Optional.ofNullable(core);
    }

    EventLog events() {
        return Missing.required(events, "event log", "io.manafold.bus");
    }

    Labs labs() {
        return Missing.required(labs, "lab service", "io.manafold.lab");
    }

    PlatformLog log() {
        if (log instanceof PlatformLog present) {
            return present;
        }
        throw new Refusal(Errno.EOPNOTSUPP,
                "This platform does not keep its log within reach: look where the host that "
                + "runs it writes its own.");
    }

    List<Offer> offers() {
        return List.copyOf(offers);
    }

    List<PciFunction> functions() {
        return List.copyOf(functions);
    }

    /** Ids of devices with what each is. */
    Completer deviceIds() {
        return typed -> coreIfPresent().map(DriverCore::devices).orElse(List.of()).stream()
                .map(device -> new Candidate(device.id(), kind(device), true)).toList();
    }

    private static String kind(DeviceStatus device) {
        return switch (device.device()) {
            case PciFunction function -> PciNames.className(function.identity().classCode());
            case AuxiliaryDevice auxiliary -> "part of " + auxiliary.parent();
        };
    }

    /** Names of drivers. */
    Completer driverNames() {
        return Completer.names(() -> drivers().stream().map(DriverStatus::name).distinct().toList());
    }

    /** Versions of the driver that is typed before. */
    Completer driverVersions() {
        return typed -> drivers().stream()
                .filter(driver -> typed.argument(Words.DRIVER).filter(driver.name()::equals).isPresent())
                .map(driver -> new Candidate(driver.version(), driver.bundle(), true)).toList();
    }

    private List<DriverStatus> drivers() {
        return coreIfPresent().map(DriverCore::drivers).orElse(List.of());
    }

    /** Labs by name. */
    Completer labNames() {
        return typed -> labs instanceof Labs present
                ? present.list().stream().map(Platform::candidate).toList() : List.of();
    }

    /** Labs by name, and files once a path is begun. */
    Completer labPaths() {
        return typed -> typed.prefix().contains("/") || typed.prefix().startsWith(".")
                ? Completer.FILES.candidates(typed) : labNames().candidates(typed);
    }

    private static Candidate candidate(LabStatus lab) {
        return new Candidate(lab.name(), lab.title(), true);
    }
}
