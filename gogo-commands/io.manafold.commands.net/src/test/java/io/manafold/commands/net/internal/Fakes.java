package io.manafold.commands.net.internal;

import io.manafold.api.inet.Host;
import io.manafold.api.inet.Hosts;
import io.manafold.api.net.PagePlan;
import io.manafold.api.net.PoolStatus;
import io.manafold.api.net.ReceiveMapping;
import io.manafold.api.net.ReceivePolicy;
import io.manafold.shell.Command;
import io.manafold.shell.host.CommandLine;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Small stand-ins for the services that the commands speak to. */
final class Fakes {
    private Fakes() {
    }

    /** What a command answered. */
    record Answer(int status, String out, String err) {
        /** The answer without white space. */
        String dense() {
            return out.replaceAll("\\s", "");
        }
    }

    static Answer run(Command command, String line) {
        return run(command, line.isEmpty() ? new String[0] : line.split(" "));
    }

    static Answer run(Command command, String... words) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int status = CommandLine.run(command, List.of(words), new ByteArrayInputStream(new byte[0]),
                new PrintStream(out, true, StandardCharsets.UTF_8), new PrintStream(err, true, StandardCharsets.UTF_8));
        return new Answer(status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    /** mana0 and mana1. */
    static Network network(FakeDevice... devices) {
        Network network = new Network();
        network.devices = List.of(devices);
        return network;
    }

    /** Has hosts above the devices. */
    static void hosts(Network network, FakeHost... hosts) {
        network.hosts = new Hosts() {
            @Override
            public List<Host> list() {
                return List.of(hosts);
            }

            @Override
            public Optional<Host> find(String device) {
                return list().stream().filter(host -> host.device().equals(device)).findFirst();
            }
        };
    }

    record Pool(String device, int queue, PagePlan plan, long pages, long free, long posted, Map<String, Long> held,
            Map<String, Long> statistics, boolean closing) implements PoolStatus {
        @Override
        public ReceiveMapping mapping() {
            return queue == 0 ? ReceiveMapping.ARENA : ReceiveMapping.WHOLE_PAGE;
        }
    }

    static PagePlan lean(int page, int perPage) {
        return new PagePlan(ReceivePolicy.LEAN, 1500, page, 0, 256, 1514, 1792, perPage);
    }
}
