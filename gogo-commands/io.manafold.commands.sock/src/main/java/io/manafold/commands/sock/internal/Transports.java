package io.manafold.commands.sock.internal;

import io.manafold.api.memory.MemorySource;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.sockets.EndpointState;
import io.manafold.api.sockets.Knobs;
import io.manafold.api.sockets.ListenerState;
import io.manafold.api.sockets.SocketServers;
import io.manafold.api.sockets.Sockets;
import io.manafold.api.sockets.TransportChoice;
import io.manafold.shell.Candidate;
import io.manafold.shell.Completer;
import io.manafold.shell.Missing;
import io.manafold.shell.Nearest;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.osgi.annotation.bundle.Requirement;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;

/** Transports and what stands on them, as far as they are there. Commands outlive them all. */
@Requirement(namespace = "osgi.service", effective = "active",
        filter = "(objectClass=io.manafold.api.sockets.SocketServers)")
@Requirement(namespace = "osgi.service", effective = "active",
        filter = "(objectClass=io.manafold.api.sockets.Sockets)")
@Component(service = Transports.class)
public final class Transports {
    private static final String SOCKETS = "io.manafold.sockets";

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    volatile List<Sockets> transports = List.of();

    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile SocketServers servers;

    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile MemorySource memory;

    List<Sockets> all() {
        return List.copyOf(transports);
    }

    List<String> names() {
        return all().stream().map(Sockets::transport).sorted().toList();
    }

    /** All of them, and at least one. */
    List<Sockets> present() {
        List<Sockets> there = all();
        if (there.isEmpty()) {
            throw Missing.service("transport of connections", SOCKETS);
        }
        return there;
    }

    Sockets named(String name) {
        return present().stream().filter(one -> one.transport().equals(name)).findFirst()
                .orElseThrow(() -> Missing.named(Errno.EOPNOTSUPP, "transport", name, names(),
                "'lb' lists the bundles that bring them"));
    }

    /** The one of that name; if none is given the one that has the knobs that are asked for. */
    Sockets choose(Optional<String> name, Knobs knobs) {
        return name.isPresent() ? named(name.get()) : TransportChoice.choose(present(), knobs);
    }

    SocketServers servers() {
        return Missing.required(servers, "service that listens and serves", SOCKETS);
    }

    MemorySource memory() {
        return Missing.required(memory, "memory for messages", "io.manafold.memory");
    }

    Stream<ListenerState> listeners() {
        return all().stream().flatMap(one -> one.listeners().stream());
    }

    Stream<EndpointState> endpoints() {
        return all().stream().flatMap(one -> one.endpoints().stream());
    }

    /** Those that are closed as well. */
    EndpointState endpoint(String name) {
        return Stream.concat(endpoints(), all().stream().flatMap(one -> one.closed().stream()))
                .filter(one -> one.name().equals(name))
                .findFirst().orElseThrow(() -> missing(name));
    }

    Refusal missing(String name) {
        List<String> known = Stream.concat(endpoints().map(EndpointState::name), listeners().map(ListenerState::name))
                .toList();
        return new Refusal(Errno.ENOENT, "There is no endpoint or listener '" + name + "'" + Nearest.to(name, known)
                .map(near -> "; did you mean '" + near + "'?").orElse("; 'sock list' shows what there is."));
    }

    Completer completeNames() {
        return _ -> Stream.concat(endpoints()
                .map(one -> candidate(one, EndpointState::name, "to " + Words.text(one.remote()))), listeners()
                .map(one -> candidate(one, ListenerState::name, "listens at " + Words.text(one.local())))).toList();
    }

    private static <T> Candidate candidate(T one, Function<T, String> name, String about) {
        return new Candidate(name.apply(one), about, true);
    }
}
