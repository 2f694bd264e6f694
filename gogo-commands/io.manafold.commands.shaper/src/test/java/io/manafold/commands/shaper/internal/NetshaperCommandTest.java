package io.manafold.commands.shaper.internal;

import static io.manafold.commands.shaper.internal.FakeShapers.map;
import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.shaper.Shaper;
import io.manafold.api.shaper.ShaperAttribute;
import io.manafold.api.shaper.ShaperCall;
import io.manafold.api.shaper.ShaperCall.Kind;
import io.manafold.api.shaper.ShaperEvent;
import io.manafold.api.shaper.ShaperEvent.Cause;
import io.manafold.api.shaper.ShaperHandle;
import io.manafold.api.shaper.ShaperMetric;
import io.manafold.api.shaper.ShaperScope;
import io.manafold.api.shaper.ShaperStatus;
import io.manafold.netshaper.internal.family.Family;
import io.manafold.shell.Syntax;
import io.manafold.shell.Typed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(300)
class NetshaperCommandTest {
    private final FakeShapers platform = new FakeShapers("platform", "mana0");
    private final FakeShapers host = new FakeShapers("host", "eth0");
    private final Places places = new Places();
    private final NetshaperCommand command = new NetshaperCommand(places);

    @BeforeEach
    void places() {
        places.shapers = List.of(host, platform);
    }

    private FakeShapers.Answer run(String line) {
        return FakeShapers.run(command, line);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            set dev mana0 handle scope netdev bw-max 10gbit | set {ifindex=2, handle={scope=netdev}, metric=bps, bw-max=10000000000}
            set bw-max 1mbit handle scope queue id 1 dev mana0 | set {ifindex=2, handle={scope=queue, id=1}, metric=bps, bw-max=1000000}
            set dev mana0 handle id 1 scope queue weight 3 | set {ifindex=2, handle={scope=queue, id=1}, weight=3}
            set dev mana0 handle scope netdev bw-max 0 | set {ifindex=2, handle={scope=netdev}, metric=bps, bw-max=0}
            set dev mana0 handle scope netdev bw-max 5kpps metric pps burst 32 | set {ifindex=2, handle={scope=netdev}, metric=pps, bw-max=5000, burst=32}
            set dev mana0 handle scope node id 0 priority 2 bw-min 1000 | set {ifindex=2, handle={scope=node, id=0}, metric=bps, priority=2, bw-min=1000}
            delete dev mana0 handle scope node id 67108862 | delete {ifindex=2, handle={scope=node, id=67108862}}
            group dev mana0 handle scope node bw-max 5gbit leaves scope queue id 0 weight 3 scope queue id 1 priority 1 weight 2 | group {ifindex=2, handle={scope=node}, metric=bps, bw-max=5000000000, leaves=[{handle={scope=queue, id=0}, weight=3}, {handle={scope=queue, id=1}, priority=1, weight=2}]}
            group leaves scope queue id 0 dev mana0 parent scope node id 3 handle scope node | group {ifindex=2, parent={scope=node, id=3}, handle={scope=node}, leaves=[{handle={scope=queue, id=0}}]}
            """)
    void wordsBecomeRequests(String line, String asked) {
        assertThat(run(line)).isEqualTo(new FakeShapers.Answer(0, "", ""));
        assertThat(platform.asked).containsExactly(asked);
        assertThat(host.asked).isEmpty();
    }

    @Test
    void aNameOfTheHostGoesThere() {
        assertThat(run("set dev eth0 handle scope netdev bw-max 1gbit").status()).isZero();
        assertThat(host.asked).hasSize(1);
        assertThat(platform.asked).isEmpty();
    }

    @Test
    void aSocketLeadsElsewhere() {
        FakeShapers elsewhere = new FakeShapers("/run/kernel.sock", "eth1");
        assertThat(run("dump --at /run/kernel.sock eth1").err()).contains("io.manafold.netshaper");
        places.sockets = socket -> {
            assertThat(socket).hasToString("/run/kernel.sock");
            return elsewhere;
        };
        assertThat(run("set dev eth1 handle scope netdev bw-max 1gbit --at /run/kernel.sock").status()).isZero();
        assertThat(run("caps --at /run/kernel.sock eth1").status()).isZero();
        assertThat(elsewhere.asked).hasSize(2);
        assertThat(platform.asked).isEmpty();
        assertThat(host.asked).isEmpty();
    }

    @Test
    void shapersAreShownAsALine() {
        Map<String, Object> netdev = map("scope", "netdev");
        platform.replies.add(map("ifindex", 2L, "handle", netdev, "metric", "bps", "bw-max", 10_000_000_000L));
        assertThat(run("show dev mana0 handle scope netdev").out())
                .isEqualTo("dev: mana0 scope netdev bw-max 10Gbit \n");
        platform.replies.set(0, map("ifindex", 2L, "parent", netdev, "handle", map("scope", "queue", "id", 1L),
                "metric", "bps", "bw-min", 1_000_000L, "bw-max", 2_500_000_000L, "burst", 7L, "priority", 8L, "weight",
                10L));
        assertThat(run("show dev mana0 handle scope queue id 1").out())
                .isEqualTo("dev: mana0 scope queue id 1 parent scope netdev bw-max 2500Mbit bw-min 1Mbit weight 10 \n");
        assertThat(run("show dev mana0 handle scope queue id 1 --json").dense()).isEqualTo("{\"ifindex\":2,\"parent\":{"
                + "\"scope\":\"netdev\"},\"handle\":{\"scope\":\"queue\",\"id\":1},\"metric\":\"bps\","
                + "\"bw-min\":1000000,\"bw-max\":2500000000,\"burst\":7,\"priority\":8,\"weight\":10}");
        assertThat(platform.asked.getLast()).isEqualTo("get {ifindex=2, handle={scope=queue, id=1}}");
        platform.replies.set(0, map("ifindex", 2L, "parent", map("scope", "node", "id", 0L), "handle",
                map("scope", "queue", "id", 0L), "weight", 3L));
        assertThat(run("show dev mana0 handle scope queue id 0").out())
                .isEqualTo("dev: mana0 scope queue id 0 parent scope node id 0 weight 3 \n");
        platform.replies.set(0, map("ifindex", 2L, "handle", map("scope", "node", "id", 0L)));
        assertThat(run("group dev mana0 handle scope node leaves scope queue id 0").out())
                .isEqualTo("dev: mana0 scope node id 0 \n");
    }

    @Test
    void doneIsNullInJson() {
        assertThat(run("delete dev mana0 handle scope netdev --json").out()).isEqualTo("null\n");
    }

    @Test
    void allAreListed() {
        platform.replies.add(map("ifindex", 2L, "handle", map("scope", "netdev"), "metric", "bps", "bw-max",
                1_000_000L));
        platform.replies.add(map("ifindex", 2L, "parent", map("scope", "netdev"), "handle",
                map("scope", "queue", "id", 3L), "metric", "pps", "bw-max", 1000L, "weight", 2L));
        assertThat(run("dump mana0").out()).isEqualTo("""
                SHAPER   BELOW   BW-MIN  BW-MAX   BURST  PRIORITY  WEIGHT
                netdev   –       –       1Mbit    –      –         –
                queue 3  netdev  –       1000pps  –      –         2
                """);
        assertThat(run("dump mana0 --json").dense()).startsWith("[{\"ifindex\":2,\"handle\":{\"scope\":\"netdev\"},");
        platform.replies.clear();
        platform.replies.add(map("ifindex", 2L, "scope", "netdev", "support-metric-bps", true, "support-bw-max", true));
        assertThat(run("caps mana0").out()).isEqualTo("""
                SCOPE   SUPPORTS
                netdev  metric-bps bw-max
                """);
    }

    @Test
    void aPlanIsShownAndNothingDone() {
        Shaper node = new Shaper(ShaperHandle.node(0), ShaperHandle.NETDEV, ShaperMetric.PPS, 0, 5_000, 0, 0, 0);
        Shaper queue = new Shaper(ShaperHandle.queue(1), ShaperHandle.node(0), ShaperMetric.BPS, 0, 0, 0, 0, 3);
        platform.calls.add(new ShaperCall(Kind.GROUP, node, List.of(queue, Shaper.of(ShaperHandle.queue(2)))));
        platform.calls.add(new ShaperCall(Kind.SET, new Shaper(ShaperHandle.NETDEV, null, ShaperMetric.BPS, 8_000,
                1_000_000, 9, 0, 0), List.of()));
        platform.calls.add(new ShaperCall(Kind.DELETE, Shaper.of(ShaperHandle.node(1)), List.of()));
        assertThat(run("plan delete dev mana0 handle scope node id 1").out()).isEqualTo("""
                group node 0 bw-max 5000pps below netdev: queue 1 weight 3, queue 2
                set netdev bw-min 8Kbit bw-max 1Mbit burst 9
                delete node 1
                """);
        assertThat(run("plan delete dev mana0 handle scope node id 1 --json").dense()).isEqualTo("[{\"call\":\"group\","
                + "\"parent\":{\"scope\":\"netdev\"},\"handle\":{\"scope\":\"node\",\"id\":0},\"metric\":\"pps\","
                + "\"bw-max\":5000,\"leaves\":[{\"parent\":{\"scope\":\"node\",\"id\":0},\"handle\":{\"scope\":"
                + "\"queue\",\"id\":1},\"weight\":3},{\"parent\":{\"scope\":\"netdev\"},"
                + "\"handle\":{\"scope\":\"queue\",\"id\":2}}]},{\"call\":\"set\",\"handle\":{\"scope\":\"netdev\"},"
                + "\"metric\":\"bps\",\"bw-min\":8000,\"bw-max\":1000000,\"burst\":9},{\"call\":\"delete\","
                + "\"handle\":{\"scope\":\"node\",\"id\":1}}]");
        assertThat(platform.asked).allMatch(asked -> asked.startsWith("plan delete"));
        assertThat(run("plan show dev mana0").status()).isEqualTo(2);
    }

    @Test
    void whatPassesIsWatched() {
        platform.replies.add(map("ifindex", 2L, "handle", map("scope", "netdev"), "metric", "bps", "bw-max", 800L));
        for (int i = 0; i < 3; i++) {
            platform.readings.add(List.of(new ShaperStatus(ShaperHandle.NETDEV, i, 100_000_000L * i, 9_000_000_000L * i,
                    3, 2L * i)));
        }
        FakeShapers.Answer answer = run("watch mana0 --count 2 --every 10");
        assertThat(answer.err()).isEmpty();
        assertThat(answer.out().lines().toList()).hasSize(7)
                .satisfies(lines -> assertThat(lines.get(0)).matches("SHAPER +TARGET +MEASURED +USED +HELD +QUEUED +"
                        + "DROPPED"))
                .satisfies(lines -> assertThat(lines.get(1)).matches(" +bit/s +bit/s +% +% +32 B +frames"))
                .satisfies(lines -> assertThat(lines.get(2)).matches("netdev +800 +[0-9]+ +[0-9]+ +100 +3 +2  █"))
                .satisfies(lines -> assertThat(lines.get(6)).endsWith("██"));
        assertThat(run("watch mana0 --count 1 --every 10 --json").out())
                .startsWith(
                        "{\"dev\":\"mana0\",\"handle\":{\"scope\":\"netdev\"},\"metric\":\"bps\",\"asked\":800,"
                        + "\"measured\":0,\"held\":0.0,\"queued\":3,\"dropped\":0}");
    }

    @Test
    void whereNobodyCountsNothingIsMadeUp() {
        platform.replies.add(map("ifindex", 2L, "handle", map("scope", "netdev"), "metric", "bps", "bw-max", 800L));
        assertThat(run("watch mana0 --count 1 --every 10").out().lines().skip(1))
                .anyMatch(line -> line.matches("netdev +800( +–){5}"));
        assertThat(run("watch mana0 --count 1 --every 10 --json").out())
                .isEqualTo("{\"dev\":\"mana0\",\"handle\":{\"scope\":\"netdev\"},\"metric\":\"bps\",\"asked\":800}\n");
    }

    @Test
    void aTerminalShowsEachLookInPlace() {
        platform.replies.add(map("ifindex", 2L, "handle", map("scope", "netdev"), "metric", "bps", "bw-max",
                1_500_000L));
        platform.replies.add(map("ifindex", 2L, "handle", map("scope", "queue", "id", 1L), "metric", "pps", "bw-max",
                2_000L));
        platform.events.add(new ShaperEvent("mana0", ShaperHandle.node(0), null, Cause.EMPTIED));
        FakeShapers.Answer answer = FakeShapers.run(command, "watch mana0 --count 2 --every 100", 100);
        assertThat(answer.out()).startsWith("\u001b[H\u001b[2JSHAPER").endsWith("\u001b[J");
        String[] looks = answer.out().split("\u001b\\[J");
        assertThat(looks).hasSize(2);
        assertThat(looks[1]).startsWith("\u001b[HSHAPER").contains("Mbit/s", "kpps",
                "mana0 node 0 is gone: nothing was below it any more\u001b[K\n");
        assertThat(looks[1].lines()).allMatch(line -> line.endsWith("\u001b[K"));
    }

    @Test
    void aPlotIsAsWideAsTheLine() {
        List<Long> history = new ArrayList<>(Collections.nCopies(600, 5L));
        Watched one = new Watched(ShaperHandle.NETDEV, false, 10L, new Watched.Reading(5, 0.25, 3L, 0), history);
        for (int columns : new int[] {80, 100, 200}) {
            assertThat(WatchText.of(List.of(one), columns).lines().toList().get(2)).hasSize(columns).endsWith("▄▄")
                    .matches("netdev +10 +5 +50 +25 +3 +0  ▄+");
        }
        assertThat(WatchText.of(List.of(one), 0).lines().toList().get(2)).endsWith("  " + "▄".repeat(24));
    }

    @Test
    void aDeviceWithoutShapersIsShownAsAWhole() {
        AtomicLong bytes = new AtomicLong();
        places.devices = List.of(FakeShapers.device("mana0", () -> Map.of("tx_packets", bytes.get() / 1000,
                "tx_bytes", bytes.addAndGet(1_000_000), "tx_dropped", 0L)));
        FakeShapers.Answer answer = run("watch mana0 --count 2 --every 50");
        assertThat(answer.err()).isEmpty();
        assertThat(answer.out().lines().toList().get(2)).matches("netdev +– +[0-9.]+ +– +– +– +0  █");
        assertThat(run("watch mana0 --count 1 --every 50 --json").out()).matches("\\{\"dev\":\"mana0\",\"handle\":"
                + "\\{\"scope\":\"netdev\"},\"metric\":\"bps\",\"asked\":null,\"measured\":[1-9][0-9]+,\"held\":null,"
                + "\"queued\":null,\"dropped\":0}\n");
    }

    @Test
    void whatSomebodyElseChangesIsALine() {
        Shaper queue = new Shaper(ShaperHandle.queue(1), ShaperHandle.node(0), ShaperMetric.BPS, 0, 500_000_000, 9, 2,
                3);
        platform.events.add(new ShaperEvent("mana0", ShaperHandle.queue(1), queue, Cause.ASKED));
        platform.events.add(new ShaperEvent("mana1", ShaperHandle.queue(1), queue, Cause.ASKED));
        platform.events.add(new ShaperEvent("mana0", ShaperHandle.queue(1), null, Cause.QUEUE_GONE));
        platform.events.add(new ShaperEvent("mana0", ShaperHandle.node(0), null, Cause.EMPTIED));
        platform.events.add(new ShaperEvent("mana0", ShaperHandle.NETDEV, Shaper.of(ShaperHandle.NETDEV),
                Cause.REPLAYED));
        List<ShaperEvent> events = List.copyOf(platform.events);
        assertThat(run("watch mana0 --count 1 --every 100").out()).startsWith("""
                mana0 queue 1 is now below node 0 bw-max 500Mbit burst 9 priority 2 weight 3
                mana0 queue 1 is gone: its queue went
                mana0 node 0 is gone: nothing was below it any more
                mana0 netdev is without values: the device was told again

                SHAPER""");
        assertThat(platform.events).as("no command listens any more").isEmpty();
        platform.events.addAll(events);
        assertThat(run("watch mana0 --count 1 --every 100 --json").out().lines()).hasSize(4)
                .startsWith(
                        "{\"dev\":\"mana0\",\"event\":\"set\",\"cause\":\"asked\",\"parent\":{\"scope\":\"node\","
                        + "\"id\":0},\"handle\":{\"scope\":"
                + "\"queue\",\"id\":1},\"metric\":\"bps\",\"bw-max\":500000000,\"burst\":9,\"priority\":2,"
                + "\"weight\":3}",
                "{\"dev\":\"mana0\",\"event\":\"gone\",\"cause\":\"queue-gone\",\"handle\":{\"scope\":\"queue\","
                + "\"id\":1}}");
    }

    @Test
    void changesThatComeFasterThanTheyAreReadAreCounted() {
        platform.events.addAll(Collections.nCopies(5000, new ShaperEvent("mana0", ShaperHandle.node(0), null,
                Cause.EMPTIED)));
        FakeShapers.Answer answer = run("watch mana0 --count 1 --every 2000");
        assertThat(answer.out().lines().filter(line -> line.startsWith("mana0 node 0 is gone")))
                .hasSizeBetween(1, 4096);
        assertThat(answer.err()).isEqualTo("manafold: 904 left out: they came faster than they were read\n");
    }

    @Test
    void aTerminalTellsOfChangesThatWereLeftOutBelowItsTable() {
        platform.events.addAll(Collections.nCopies(4098, new ShaperEvent("mana0", ShaperHandle.node(0), null,
                Cause.EMPTIED)));
        FakeShapers.Answer answer = FakeShapers.run(command, "watch mana0 --count 1 --every 500", 100);
        assertThat(answer.out()).endsWith("nothing was below it any more\u001b[K\n"
                + "2 left out: they came faster than they were read\u001b[K\n\u001b[J");
        assertThat(answer.err()).isEmpty();
    }

    @Test
    void wordsAreThoseOfTheFamily() {
        Syntax set = command.syntax().verbs().stream().filter(one -> one.name().equals("set")).findFirst()
                .orElseThrow();
        assertThat(set.forms()).containsExactly("[--at SOCKET] dev DEV handle scope {netdev|queue|node} [id ID] "
                + "[metric {bps|pps}] [bw-min RATE] [bw-max RATE] [burst N] [priority N] [weight N]");
        assertThat(Family.NET_SHAPER.named("set").takes()).filteredOn(one -> one.kind() != ShaperAttribute.Kind.NEST)
                .allSatisfy(one -> assertThat(one.name().equals("ifindex") || set.about().contains(one.about()))
                        .isTrue());
        assertThat(set.summary()).isEqualToIgnoringCase(Family.NET_SHAPER.named("set").about());
        assertThat(Family.NET_SHAPER.set("handle").of("scope").words()).isEqualTo(
                Arrays.stream(ShaperScope.values()).map(ShaperScope::word).toList());
        assertThat(Family.NET_SHAPER.set("shaper").of("metric").words()).isEqualTo(
                Arrays.stream(ShaperMetric.values()).map(ShaperMetric::word).toList());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            2 | set handle scope netdev bw-max 1mbit             | needs to know the device: dev DEV.
            2 | set dev mana0 bw-max 1mbit                       | needs to know which shaper: handle scope netdev, queue or node.
            2 | set dev mana0 handle scope netdev                | needs to know what to set: bw-min, bw-max, burst, priority or weight.
            2 | set dev mana0 handle scope queue bw-max 1mbit    | A queue needs its number
            2 | set dev mana0 handle scope port bw-max 1mbit     | There is no scope 'port'
            2 | set dev mana0 handle bw-max 1mbit                | 'handle' needs a scope
            2 | set dev mana0 handle scope netdev bw-max 7       | no limit at all
            2 | set dev mana0 handle scope netdev metric bps     | needs to know what to set
            2 | set dev mana0 handle scope netdev metric bbs bw-max 1mbit | There is no metric 'bbs'; did you mean 'bps'?
            2 | set dev mana0 handle scope netdev burst 18446744073709551616 | from 0 to 18446744073709551615
            2 | set dev mana0 handle scope netdev bw-max         | A value is missing behind 'bw-max'.
            2 | set dev mana0 dev mana0 handle scope netdev      | 'dev' is there twice
            2 | set dev mana0 handle scope netdev bw-mx 1mbit    | did you mean 'bw-max'?
            2 | show dev mana0 handle scope netdev weight 1      | There is no word of netshaper show 'weight'
            2 | set dev mana0 handle scope queue id 67108863 weight 1 | id takes a whole number from 0 to 67108862
            2 | set dev mana0 handle scope netdev weight -1      | weight takes a whole number
            2 | group dev mana0 handle scope node                | A group needs queues
            2 | group dev mana0 handle scope queue id 1 leaves scope queue id 0 | A group is for a node or the netdev
            2 | group dev mana0 handle scope node leaves scope node id 0 | A leaf is a queue
            2 | group dev mana0 handle scope node parent scope node leaves scope queue id 0 | needs its number to be a parent
            1 | set dev man0 handle scope netdev bw-max 1mbit    | did you mean 'mana0'?
            2 | get dev mana0 handle scope netdev                | There is no verb of netshaper 'get'
            2 | watch mana0 --count 0                            | --count takes a whole number
            """)
    void whatIsWrongIsSaid(int status, String line, String sentence) {
        FakeShapers.Answer answer = run(line);
        assertThat(answer.err()).contains(sentence);
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.out()).isEmpty();
        assertThat(platform.asked).isEmpty();
    }

    @Test
    void withoutABundleThereIsASentence() {
        places.shapers = List.of();
        assertThat(run("dump mana0").err()).contains("'lb' lists the bundles").endsWith("(EOPNOTSUPP)\n");
    }

    private List<String> completed(String verb, String words) {
        Syntax syntax = command.syntax().verbs().stream().filter(one -> one.name().equals(verb)).findFirst()
                .orElseThrow();
        return syntax.arguments().getFirst().completer().candidates(new Typed() {
            @Override
            public String prefix() {
                return "";
            }

            @Override
            public List<String> words() {
                return List.of((verb + " " + words).strip().split(" "));
            }

            @Override
            public Optional<String> argument(String name) {
                return Optional.empty();
            }
        }).stream().map(candidate -> candidate.value()).toList();
    }

    @Test
    void wordsAreCompleted() {
        assertThat(completed("set", "")).containsExactly("dev");
        assertThat(completed("set", "dev")).containsExactly("mana0", "eth0");
        assertThat(completed("set", "dev mana0 handle")).containsExactly("scope");
        assertThat(completed("set", "dev mana0 handle scope")).containsExactly("netdev", "queue", "node");
        assertThat(completed("set", "dev mana0 handle scope netdev")).contains("bw-max")
                .doesNotContain("leaves", "dev");
        assertThat(completed("group", "dev mana0 handle scope node leaves")).containsExactly("scope");
        assertThat(completed("plan", "")).containsExactly("set", "delete", "group");
        assertThat(completed("plan", "set dev")).containsExactly("mana0", "eth0");
    }
}
