package io.manafold.pmd.internal.telemetry;

import io.manafold.api.ethdev.Environment;
import io.manafold.api.ethdev.EthDev;
import io.manafold.api.ethdev.EthDevInfo;
import io.manafold.api.ethdev.EthDevPlan;
import io.manafold.api.ethdev.EthDevStatistics;
import io.manafold.api.ethdev.LinkState;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonBuilderFactory;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonValue;
import jakarta.json.spi.JsonProvider;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** What is answered to commands about an environment, by the names that readers of DPDK's telemetry know. */
public final class Answers {
    /** Bytes of an answer at most, as clients are told. */
    static final int LONGEST = 16 * 1024;
    private static final int MOST_DIGITS = 9;
    /** Asked for once: each call of {@code Json} looks through all JARs for an implementation. */
    private static final JsonBuilderFactory JSON = JsonProvider.provider().createBuilderFactory(Map.of());

    private final Environment environment;
    private final Map<String, Function<String, JsonValue>> commands = new TreeMap<>();
    private final Map<String, String> help = new TreeMap<>();

    public Answers(Environment environment) {
        this.environment = environment;
        add("/", "Lists the commands", _ -> names());
        add("/help", "Tells what a command does: /help,/info", this::help);
        add("/info", "Version and process", _ -> info().build());
        add("/eal/lcore/list", "Numbers of the cores", _ -> cores());
        add("/ethdev/list", "Numbers of the ports", _ -> ports());
        add("/ethdev/info", "What a port is: /ethdev/info,0", port(Answers::portInfo));
        add("/ethdev/link_status", "How the link of a port is: /ethdev/link_status,0", port(Answers::link));
        add("/ethdev/stats", "What a port has counted: /ethdev/stats,0", port(Answers::statistics));
        add("/ethdev/xstats", "All that a port has counted: /ethdev/xstats,0", port(Answers::extended));
    }

    private void add(String command, String what, Function<String, JsonValue> answer) {
        commands.put(command, answer);
        help.put(command, what);
    }

    /** What a client is told first. */
    String greeting() {
        return info().build().toString();
    }

    /** The answer to a command, which is {@code null} for what cannot be answered. */
    String of(String line) {
        int comma = line.indexOf(',');
        String command = comma < 0 ? line : line.substring(0, comma);
        Function<String, JsonValue> answer = commands.get(command);
        JsonValue value = answer == null ? JsonValue.NULL : answer.apply(comma < 0 ? "" : line.substring(comma + 1));
        // what is not known is said back no longer than a name can be
        String name = answer == null ? command.substring(0, Math.min(command.length(), 128)) : command;
        String text = JSON.createObjectBuilder().add(name, value).build().toString();
        return text.length() <= LONGEST ? text : JSON.createObjectBuilder().add(name, JsonValue.NULL).build()
                .toString();
    }

    private static JsonObjectBuilder info() {
        return JSON.createObjectBuilder().add("version", "Manafold").add("pid", ProcessHandle.current().pid())
                .add("max_output_len", LONGEST);
    }

    private JsonValue names() {
        JsonArrayBuilder all = JSON.createArrayBuilder();
        commands.keySet().forEach(all::add);
        return all.build();
    }

    private JsonValue help(String command) {
        String what = help.get(command.isEmpty() ? "/help" : command);
        return what == null ? JsonValue.NULL : JSON.createObjectBuilder().add(command.isEmpty() ? "/help" : command,
                what).build();
    }

    private JsonValue cores() {
        JsonArrayBuilder all = JSON.createArrayBuilder();
        environment.cores().forEach(all::add);
        return all.build();
    }

    private JsonValue ports() {
        JsonArrayBuilder all = JSON.createArrayBuilder();
        environment.ports().forEach(port -> all.add(port.number()));
        return all.build();
    }

    private Function<String, JsonValue> port(Function<EthDev, JsonObjectBuilder> answer) {
        return number -> {
            if (number.isEmpty() || number.length() > MOST_DIGITS || !number.chars()
                    .allMatch(c -> c >= '0' && c <= '9')) {
                return JsonValue.NULL;
            }
            int wanted = Integer.parseInt(number);
            return environment.ports().stream().filter(port -> port.number() == wanted).findFirst()
                    .<JsonValue>map(port -> answer.apply(port).build()).orElse(JsonValue.NULL);
        };
    }

    private static JsonObjectBuilder portInfo(EthDev port) {
        EthDevInfo info = port.info();
        EthDevPlan plan = port.plan();
        return JSON.createObjectBuilder().add("name", port.name()).add("state", 1).add("driver", info.driver())
                .add("nb_rx_queues", plan == null ? 0 : plan.receiveQueues()).add("nb_tx_queues", plan == null ? 0
                : plan.sendQueues())
                .add("port_id", port.number()).add("mtu", port.mtu()).add("mac_addr", info.mac().toString())
                .add("dev_started", port.isStarted() ? 1 : 0).add("promiscuous", port.isPromiscuous() ? 1 : 0)
                .add("min_rx_buf_size", info.minRoom());
    }

    private static JsonObjectBuilder link(EthDev port) {
        LinkState link = port.link();
        JsonObjectBuilder answer = JSON.createObjectBuilder().add("status", link.isUp() ? "UP" : "DOWN");
        return link.isUp() ? answer.add("speed", link.speed()).add("duplex", "full-duplex") : answer;
    }

    private static JsonObjectBuilder statistics(EthDev port) {
        EthDevStatistics count = port.statistics();
        JsonObjectBuilder answer = JSON.createObjectBuilder().add("ipackets", count.received()).add("opackets",
                count.sent())
                .add("ibytes", count.receivedBytes()).add("obytes", count.sentBytes()).add("imissed", count.missed())
                .add("ierrors", count.receiveErrors()).add("oerrors", count.sendErrors()).add("rx_nombuf",
                count.noBuffers());
        Map<String, Long> all = port.extendedStatistics();
        queues(answer, all, "q_ipackets", "rx_q%d_packets");
        queues(answer, all, "q_opackets", "tx_q%d_packets");
        queues(answer, all, "q_ibytes", "rx_q%d_bytes");
        queues(answer, all, "q_obytes", "tx_q%d_bytes");
        queues(answer, all, "q_errors", "rx_q%d_errors");
        return answer;
    }

    private static void queues(JsonObjectBuilder answer, Map<String, Long> all, String name, String each) {
        JsonArrayBuilder values = JSON.createArrayBuilder();
        for (int i = 0; all.containsKey(each.formatted(i)); i++) {
            values.add(all.get(each.formatted(i)));
        }
        answer.add(name, values);
    }

    private static JsonObjectBuilder extended(EthDev port) {
        JsonObjectBuilder answer = JSON.createObjectBuilder();
        port.extendedStatistics().forEach(answer::add);
        return answer;
    }
}
