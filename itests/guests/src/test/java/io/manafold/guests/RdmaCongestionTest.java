package io.manafold.guests;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Two machines send to a third at once, over a link that carries less: with a short queue packets are lost, with marks
 * the senders are told to send slower, with pause frames nothing is lost. What arrives is what was sent in every case.
 */
@Tag("guest")
@Isolated
class RdmaCongestionTest {
    private static final String LAB = """
            adapters:
              - {name: a, queues: 2, macs: ["00:0d:3a:00:00:0a"]}
              - {name: b, queues: 2, macs: ["00:0d:3a:00:00:0b"]}
              - {name: c, queues: 2, macs: ["00:0d:3a:00:00:0c"]}
            links:
              - {name: net, ports: [a/1, b/1, c/1]}
            exports:
              - {adapter: a, socket: %s/a.sock}
              - {adapter: b, socket: %s/b.sock}
              - {adapter: c, socket: %s/c.sock}
            """;
    private static final String PINGPONG = " ibv_rc_pingpong -c -d mana_0 -g 1 -s 60000 -n " + Kit.times(30, 2000);
    private static final String STREAM = " ib_write_bw -d mana_0 -x 1 -F -n " + Kit.times(200, 5000);
    private static final String MARKS = "infiniband.bth.opcode == 0x81";
    private static final String PAUSES = "macc.opcode == 0x0101";

    @TempDir
    static Path folder;
    private static Platform platform;
    private static Adapters adapters;
    private static final List<Guest> GUESTS = new ArrayList<>();
    private static int captures;

    @BeforeAll
    static void boot() {
        platform = Platform.with(folder, LAB);
        adapters = new Adapters(platform);
        GUESTS.addAll(Guest.boot(Stream.of("a", "b", "c").map(name -> Guest.named("congested-" + name)
                .on(platform.socket(name)).limit(Kit.times(600, 3600))).toArray(Guest.Plan[]::new)));
        List<CompletableFuture<Answer>> answers = new ArrayList<>();
        for (Guest guest : GUESTS) {
            answers.add(guest.begin("begin; rdma_at " + (answers.size() + 1)));
        }
        answers.forEach(answer -> answer.join().done());
    }

    @AfterAll
    static void end() {
        GUESTS.forEach(Guest::close);
        GUESTS.clear();
        if (platform != null) {
            platform.close();
        }
    }

    @AfterEach
    void nobodyComplains() {
        for (Guest guest : GUESTS) {
            assertThat(guest.complaints()).as("complaints of a guest's kernel").isEmpty();
        }
        List.of("a", "b", "c").forEach(adapters::refusedNothing);
        assertThat(platform.complained()).isEmpty();
    }

    /** The two machines and the third verify what they send each other; gives back the capture. */
    private static Frames over(String link) {
        platform.run("link remove net").done();
        platform.run("link add --rate 200mbit " + link + " net a/1 b/1 c/1").done();
        Path file = platform.file("congested-" + ++captures + ".pcapng");
        Guest a = GUESTS.get(0);
        Guest b = GUESTS.get(1);
        Guest c = GUESTS.get(2);
        for (Guest asking : List.of(a, c)) {
            asking.run("until_true 100 ping -c 1 -W 1 10.1.0.2").done();
        }
        platform.run("capture start net " + file).done();
        b.run("serve_at 9001" + PINGPONG + " && serve_at 9002" + PINGPONG + " && serve_at 9003" + STREAM
                + " && serve_at 9004" + STREAM).done();
        CompletableFuture<Answer> one = a.begin(asking(9001, 9003));
        CompletableFuture<Answer> other = c.begin(asking(9002, 9004));
        one.join().done();
        other.join().done();
        b.run("served_at 9001 && served_at 9002 && served_at 9003 && served_at 9004").done();
        platform.run("capture stop net " + file).done();
        Frames frames = new Frames(file);
        assertThat(frames.count("_ws.malformed")).isZero();
        return frames;
    }

    /** Messages that are verified, beside a stream that fills the queue. */
    private static String asking(int verified, int stream) {
        return "timeout 300" + STREAM + " -p " + stream + " 10.1.0.2 & timeout 300" + PINGPONG + " -p " + verified
                + " 10.1.0.2 && wait $!";
    }

    /** Over all ports' queues. */
    private static long sum(String counter) {
        return platform.one("link show net --json", "net").getJsonArray("queues").getValuesAs(JsonObject.class).stream()
                .mapToLong(queue -> queue.getJsonNumber(counter).longValue()).sum();
    }

    private static long toldToSlowDown() {
        return all("received_cnps");
    }

    /** Of all adapters. */
    private static long all(String counter) {
        return adapters.rdma("a").get(counter) + adapters.rdma("b").get(counter) + adapters.rdma("c").get(counter);
    }

    @Test
    void aShortQueueLosesWhatIsThenSentAgain() {
        Frames frames = over("--buffer 32kib");
        assertThat(sum("dropped")).isPositive();
        assertThat(frames.count(MARKS)).isZero();
        assertThat(frames.count(PAUSES)).isZero();
    }

    @Test
    void marksMakeSendersSlower() {
        long before = toldToSlowDown();
        long lateBefore = all("rdma_unknown_qp");
        // more than the windows of all senders: what is lost is lost for no other reason than a queue that counts wrong
        Frames frames = over("--buffer 2mib --ecn-min 2kib --ecn-max 32kib --ecn-probability 100%");
        assertThat(sum("marked")).isPositive();
        assertThat(sum("dropped")).isZero();
        // the last of them may find that the program has ended whom it is for
        long late = all("rdma_unknown_qp") - lateBefore;
        long marks = frames.count(MARKS);
        assertThat(toldToSlowDown() - before).isPositive().isBetween(marks - late, marks);
        assertThat(frames.count(PAUSES)).isZero();
    }

    @Test
    void pausesLoseNothing() {
        Frames frames = over("--buffer 256kib --pfc 0 --pfc-xoff 8kib --pfc-xon 4kib");
        assertThat(sum("dropped")).isZero();
        assertThat(sum("pauses")).isPositive();
        assertThat(frames.count(PAUSES)).isPositive();
    }
}
