package io.manafold.commands.sock.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.manafold.api.memory.MemorySource;
import io.manafold.api.sockets.Knob;
import io.manafold.memory.SharedBlocks;
import io.manafold.shell.host.CommandLine;
import io.manafold.sockets.internal.nio.NioTransport;
import io.manafold.sockets.internal.server.OpenServers;
import io.manafold.sockets.internal.uring.UringTransport;
import io.manafold.streams.Context;
import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonObject;
import jakarta.json.JsonReader;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.StringReader;
import java.lang.annotation.Annotation;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command over real connections of Java's channels. */
@Timeout(120)
class SockCommandTest {
    private static final List<String> KNOB_KEYS = List.of("knob", "asked", "got", "why");
    private static final List<String> SHOW_KEYS = List.of("name", "transport", "local", "remote", "state", "napi",
            "cpu", "queue", "knobs");

    private final MemorySource memory = new SharedBlocks(new SharedBlocks.Config() {
        @Override
        public int blocks() {
            return 64;
        }

        @Override
        public long bytes() {
            return 1L << 28;
        }

        @Override
        public Class<? extends Annotation> annotationType() {
            return SharedBlocks.Config.class;
        }
    });
    private final Context context = new Context(new NioTransport(), "test", memory);
    private final Context rings = new Context(new UringTransport(), "test", memory);
    private final OpenServers servers = new OpenServers(memory, context, rings);
    private final Transports transports = new Transports();

    SockCommandTest() {
        transports.transports = List.of(context);
        transports.servers = servers.servers();
        transports.memory = memory;
    }

    @AfterEach
    void everythingComesHome() {
        servers.close();
        context.close();
        rings.close();
        assertThat(memory.blocks()).isEmpty();
    }

    private record Said(int status, String out, String err) {
        JsonValue json() {
            assertThat(status).as(err).isZero();
            try (JsonReader reader = Json.createReader(new StringReader(out))) {
                return reader.readValue();
            }
        }

        JsonObject first() {
            return json().asJsonArray().getJsonObject(0);
        }
    }

    private Said say(String line) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int status = CommandLine.run(new SockCommand(transports), List.of(line.split(" ")),
                InputStream.nullInputStream(), new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
        return new Said(status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    private String listener(String more) {
        return say("listen 127.0.0.1:0 --json" + more).json().asJsonObject().getString("local");
    }

    @Test
    void whatIsMissingIsNamedWithTheBundleThatBringsIt() {
        transports.servers = null;
        assertThat(say("listen 127.0.0.1:0").err()).contains(
                "There is no service that listens and serves on this platform: its bundle io.manafold.sockets is "
                + "missing or stopped.").endsWith("(EOPNOTSUPP)\n");
        transports.transports = List.of();
        assertThat(say("connect 127.0.0.1:1 --text a").err()).contains(
                "There is no transport of connections on this platform: its bundle io.manafold.sockets is missing or "
                + "stopped.").endsWith("(EOPNOTSUPP)\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {"listen 127.0.0.1; is no address with a port",
            "listen localhost:1; is no address with a port",
        "listen ::1:1; is no address with a port", "listen 127.0.0.1:0 --do fly; --do takes echo, sink, source, file, "
        + "not 'fly'", "listen 127.0.0.1:0 --do file; needs --file PATH",
        "listen 127.0.0.1:0 --file x; needs --file PATH", "connect 127.0.0.1:1 --text a --bytes 1; Either --text or "
        + "--bytes", "connect 127.0.0.1:1 --bytes 1x; takes a number of bytes", "ping 127.0.0.1:1 --count 0; --count",
        "compare --message 0; from 1 to 16777216", "compare --message 17m; from 1 to 16777216",
        "compare --message 4k,; takes a number of bytes", "compare --connections 20000; from 1 to 10000",
        "compare --connections 1,x; Each of --connections, with commas between, takes a whole number from 1 to 10000",
        "compare --connections 1k; whole number",
        "connect 127.0.0.1:1 --bytes 1152921504606846977; to 1152921504606846976",
        "compare --time 1; --time", "compare --at nio=here --time 10; takes an address"})
    void wordsThatCannotBeAreRefused(String line, String words) {
        Said said = say(line);
        assertThat(said.status()).as(said.out()).isEqualTo(2);
        assertThat(said.err()).contains(words).doesNotContain("\tat ");
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';',
            value = {"listen 127.0.0.1:0 --knob memory=registered; The knob memory cannot be 'registered'",
        "listen 127.0.0.1:0 --knob speed=high; There is no knob 'speed'",
        "listen 127.0.0.1:0 --knob memory; has no value",
        "listen 127.0.0.1:0 --transport pigeon; There is no transport 'pigeon'; there is nio",
        "show nio-77; There is no endpoint", "listen 127.0.0.1:0 --do file --file /nowhere/at/all; There is no file",
        "close nio-77; 'sock list' shows what there is", "listen 127.0.0.1:0 --do file --file /dev/zero; is no regular "
        + "file", "compare --transport rdma; There is no transport 'rdma'", "connect 127.0.0.1:1 --text a; refused"})
    void whatCannotBeHadIsRefused(String line, String words) {
        Said said = say(line);
        assertThat(said.status()).as(said.out()).isEqualTo(1);
        assertThat(said.err()).contains(words).doesNotContain("\tat ");
    }

    @Test
    void programsReadTheKeysThatAreDocumented() {
        String address = listener(" --prefer memory=registered");
        JsonObject exchanged = say("connect " + address + " --bytes 300k --json").json().asJsonObject();
        assertThat(exchanged.getJsonNumber("rx_bytes").longValue()).isEqualTo(300 << 10);
        assertThat(exchanged.getString("rx_sha256")).isEqualTo(exchanged.getString("tx_sha256"));
        assertThat(say("probe --json").first().keySet()).containsExactly("transport", "knob", "value", "available",
                "why", "errno");
        JsonObject listed = say("list --json").first();
        assertThat(listed.keySet()).containsExactlyElementsOf(SHOW_KEYS);
        assertThat(listed.getJsonArray("knobs").getJsonObject(0).keySet()).containsExactlyElementsOf(KNOB_KEYS);
        JsonObject shown = say("show " + exchanged.getString("name") + " --json").first();
        assertThat(shown.keySet()).containsAll(SHOW_KEYS);
        assertThat(shown.getString("state")).isEqualTo("closed");
        assertThat(say("stats " + exchanged.getString("name") + " --json").first().keySet()).containsExactly("name",
                "tx_bytes", "rx_bytes", "tx_transfers", "rx_transfers", "syscalls", "tx_zerocopy", "tx_copied",
                "tx_unreported", "rx_pool", "rx_area", "in_flight", "pinned_bytes", "errors");
        JsonObject transfer = say("explain " + exchanged.getString("name") + " --last 1 --json").first();
        assertThat(transfer.keySet()).containsExactly("transfer", "operation", "bytes", "path", "kernel", "because",
                "inferred", "gathered", "syscalls", "pinned_bytes", "posted_ns", "accepted_ns", "free_ns", "status");
        assertThat(transfer.get("kernel")).as("a plain send says nothing").isEqualTo(JsonValue.NULL);
        assertThat(say("explain " + exchanged.getString("name") + " --json").json().asJsonArray()
                .getValuesAs(JsonObject.class)).filteredOn(one -> one.getString("operation").equals("send"))
                .isNotEmpty().allSatisfy(one -> assertThat(one.getInt("pinned_bytes")).isPositive()
                .isEqualTo(one.getInt("bytes")));
        JsonObject region = say("regions --json").first();
        assertThat(region.keySet()).containsExactly("block", "bytes", "holders");
        assertThat(region.getJsonArray("holders").getJsonObject(0).keySet()).containsExactly("who", "key", "bytes",
                "in_flight", "rights");
    }

    @Test
    void aKnobThatWasPreferredSaysWhatItGot() {
        listener(" --prefer memory=registered");
        JsonArray knobs = say("list --json").first().getJsonArray("knobs");
        JsonObject registered = knobs.stream().map(JsonValue::asJsonObject).filter(knob -> knob.getString("knob")
                .equals("memory")).findFirst()
                .orElseThrow();
        assertThat(registered.getString("asked")).isEqualTo("registered");
        assertThat(registered.getString("got")).isEqualTo("plain");
        assertThat(registered.getString("why")).startsWith("not registered: ");
    }

    @Test
    void whoNamesNoTransportHasTheOneWithTheKnobs() {
        transports.transports = List.of(rings, context);
        assertThat(listening("").getString("transport")).isEqualTo("nio");
        assertThat(listening(" --knob gather=off").getString("transport")).isEqualTo("nio");
        JsonObject ring = listening(" --prefer queues=ring");
        boolean isThere = rings.offer(Knob.QUEUES, "ring").available();
        assertThat(ring.getString("transport")).isEqualTo(isThere ? "uring" : "nio");
        if (isThere) {
            assertThat(listening(" --knob queues=ring").getString("transport")).isEqualTo("uring");
            assertThat(say("connect " + ring.getString("local") + " --text hello --knob queues=ring --json").json()
                    .asJsonObject()).containsEntry("transport", Json.createValue("uring"))
                    .containsEntry("text", Json.createValue("hello"));
            assertThat(say("ping " + ring.getString("local") + " --count 3 --knob send=copy --knob queues=ring --json")
                    .json().asJsonObject().getString("transport")).isEqualTo("uring");
        }
        Said none = say("connect 127.0.0.1:1 --knob memory=registered --knob congestion=nothing");
        assertThat(none.status()).isEqualTo(1);
        assertThat(none.err()).contains("nio has no memory=registered (Java's channels register no memory", "; uring "
                + "has no ").doesNotContain("\tat ");
    }

    private JsonObject listening(String more) {
        return say("listen 127.0.0.1:0 --json" + more).json().asJsonObject();
    }

    @Test
    void aPingIsCountedAndTimed() {
        JsonObject pinged = say("ping " + listener("") + " --count 20 --size 1000 --json").json().asJsonObject();
        assertThat(pinged.getInt("count")).isEqualTo(20);
        assertThat(pinged.getJsonNumber("p50_us").doubleValue()).isPositive();
        Said sink = say("ping " + listener(" --do file --file /proc/self/../../etc/hostname") + " --size 100000");
        assertThat(sink.status()).isEqualTo(1);
        assertThat(sink.err()).contains("does not send back");
    }

    @Test
    void aComparisonGoesKnobByKnob() {
        Said said = say("compare --message 4k,256k --connections 1,10 --time 100 --json");
        JsonArray rows = said.json().asJsonArray();
        assertThat(rows.size()).isGreaterThanOrEqualTo(4 * 4);
        for (JsonObject row : rows.getValuesAs(JsonObject.class)) {
            assertThat(row.keySet()).containsExactly("transport", "knobs", "message", "connections", "gb_per_s",
                    "cpu_s_per_gb", "syscalls_per_mb_tx", "syscalls_per_mb_rx", "copies", "allocated_bytes", "p50_us",
                    "p99_us");
            assertThat(row.getJsonNumber("gb_per_s").doubleValue()).isPositive();
            assertThat(row.getJsonNumber("copies").doubleValue()).as("the kernel copies twice").isEqualTo(2.0);
        }
        assertThat(rows.getJsonObject(0).getJsonArray("knobs")).as("the classic socket").isEmpty();
        assertThat(rows.getJsonObject(1).getJsonArray("knobs").getString(0)).isEqualTo("gather=on");
        assertThat(rows.getJsonObject(0).getJsonNumber("syscalls_per_mb_tx").doubleValue())
                .as("each message is a call, then 64 are")
                .isGreaterThan(2 * rows.getJsonObject(1).getJsonNumber("syscalls_per_mb_tx").doubleValue());
        assertThat(said.err()).contains("nio has no queues=ring, memory=registered, ", "1 of " + rows.size()
                + ": nio, classic, 4096 bytes, 1 connection");
        assertThat(context.endpoints()).as("connections that are left").isEmpty();
        assertThat(context.regions()).isEmpty();
    }

    @Test
    void aComparisonOfRingsGoesKnobByKnobToo() {
        assumeTrue(rings.offer(Knob.QUEUES, "ring").available(), () -> rings.offer(Knob.QUEUES, "ring").why());
        transports.transports = List.of(rings);
        Said said = say("compare --message 4k --time 200 --json");
        List<JsonObject> rows = said.json().asJsonArray().getValuesAs(JsonObject.class);
        List<String> steps = new ArrayList<>();
        for (int i = 0; i < rows.size() - 1; i++) {
            List<String> knobs = rows.get(i).getJsonArray("knobs").getValuesAs(JsonString.class).stream()
                    .map(JsonString::getString).filter(knob -> !knob.startsWith("wait=")).toList();
            assertThat(knobs).as("row %s", i).containsAll(steps);
            steps.clear();
            steps.addAll(knobs);
            assertThat(rows.get(i).getString("transport")).isEqualTo("uring");
            assertThat(rows.get(i).getJsonNumber("gb_per_s").doubleValue()).as("row %s", i).isPositive();
        }
        assertThat(rows.getFirst().getJsonArray("knobs")).as("the classic socket").isEmpty();
        assertThat(steps).contains("queues=ring", "gather=on", "receive=pool", "accept=multishot", "nodelay=on");
        JsonObject gathered = rows.stream().filter(row -> row.getJsonArray("knobs").toString().contains("gather=on"))
                .findFirst().orElseThrow();
        assertThat(rows.getFirst().getJsonNumber("syscalls_per_mb_tx").doubleValue())
                .as("each message is a call, then 64 are")
                .isGreaterThan(8 * gathered.getJsonNumber("syscalls_per_mb_tx").doubleValue());
        assertThat(said.err()).contains("uring, classic, 4096 bytes, 1 connection", "uring, + queues=ring, ",
                "uring, as it comes, ");
        assertThat(rings.endpoints()).as("connections that are left").isEmpty();
        assertThat(rings.regions()).isEmpty();
    }

    @Test
    void aComparisonEndsWhenItIsInterrupted() throws InterruptedException {
        Thread asking = Thread.ofPlatform().start(() -> say("compare --connections 20 --time 600000"));
        while (context.endpoints().size() < 40) {
            Thread.sleep(10);
        }
        asking.interrupt();
        asking.join();
        assertThat(context.endpoints()).isEmpty();
        assertThat(context.listeners()).isEmpty();
        assertThat(memory.blocks()).isEmpty();
        assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName)
                .noneMatch(name -> name.contains("sock-compare"));
    }
}
