package io.manafold.commands.lab.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.adapter.ChannelMessage;
import io.manafold.api.adapter.Fault;
import io.manafold.api.adapter.Rejection;
import io.manafold.api.device.DriverChoice;
import io.manafold.api.net.MacAddress;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AdapterCommandTest {
    private final Workshop workshop = new Workshop();
    private final AdapterCommand command = new AdapterCommand(workshop.topology, workshop.entries);

    private Fakes.Answer adapter(String... words) {
        return Fakes.run(command, words);
    }

    private Map<String, Object> contents(String name) {
        return workshop.configurations.get("io.manafold.adapter~" + name);
    }

    @Test
    void nothingIsAHeaderOrAnEmptyArray() {
        assertThat(adapter("list").out()).isEqualTo("NAME  ADDRESS  ID  FIRMWARE  PORTS  QUEUES  STATE  LENT\n");
        assertThat(adapter("list", "--json").out()).isEqualTo("[]\n");
        assertThat(adapter("stats").out()).isEqualTo("PORT  TX PACKETS  TX BYTES  RX PACKETS  RX BYTES\n");
        assertThat(adapter("stats", "--all").out()).isEqualTo("PORT  QUEUE  COUNTER  VALUE\n");
        assertThat(adapter("stats", "--json").out()).isEqualTo("[]\n");
        assertThat(adapter("limits").out()).isEqualTo("ADAPTER  WHAT  LIMIT  USED\n");
        assertThat(adapter("limits", "--json").out()).isEqualTo("[]\n");
        assertThat(adapter("show", "one")).isEqualTo(new Fakes.Answer(1, "", "manafold: There is no adapter 'one', "
                + "nor any other: 'adapter add' makes one, 'lab up default' brings one. (ENODEV)\n"));
    }

    @Test
    void adaptersAreListed() {
        workshop.adapter("two", "7870:00:01.0", 1);
        workshop.adapter("one", "7870:00:00.0", 2);
        workshop.exports.add(Fakes.Export.of("one", "/run/one.sock").guest(9, 1L << 30));
        workshop.exports.add(Fakes.Export.of("two", "/run/two.sock"));
        assertThat(adapter("list").out()).isEqualTo("""
                NAME  ADDRESS       ID         FIRMWARE  PORTS  QUEUES  STATE    LENT
                one   7870:00:00.0  1414:00ba  2026-10       2      16  running  to a guest
                two   7870:00:01.0  1414:00ba  2026-10       1      16  running  waiting
                """);
        assertThat(adapter("list").out().lines()).allMatch(line -> line.length() <= 80);
        assertThat(adapter("list", "--json").dense()).startsWith("[{\"name\":\"one\",\"address\":\"7870:00:00.0\","
                + "\"id\":\"1414:00ba\",\"firmware\":\"2026-10\",\"ports\":2,\"queues\":16,\"state\":\"running\","
                + "\"lent\":true}");
        workshop.topology.exports = null;
        workshop.topology.functions = List.of();
        assertThat(adapter("list").out()).contains("one   7870:00:00.0  –   2026-10       2      16  running  no\n");
    }

    @Test
    void oneIsShownWithItsPortsAndItsGuest() {
        Fakes.OneAdapter one = workshop.adapter("one", "7870:00:00.0", 1);
        one.ports.add(new Fakes.Port("one/2", new MacAddress(2), "net", true, 200_000_000_000L, 500_000_000L,
                Map.of("tx_packets", 7L, "rx_packets", 8L), List.of(Map.of("queue", 0L), Map.of("queue", 1L))));
        one.limits.put("event_queues", 33L);
        one.limits.put("object_bytes", 64L << 20);
        one.limits.put("frame_bytes", 9014L);
        one.usage.put("event_queues", 4L);
        one.usage.put("channel_requests", 12L);
        one.usage.put("object_bytes", 2048L);
        one.usage.put("shapers", 2L);
        one.usage.put("rejections", 0L);
        assertThat(adapter("show", "one").out()).isEqualTo("""
                ADAPTER
                name      one
                address   7870:00:00.0
                id        1414:00ba
                firmware  2026-10
                shapers   full
                state     running
                serial    1

                DRIVER
                driven by     none
                vectors       5 of 65 armed
                messages      12
                last message  –
                rdma          first port, no driver

                PORTS
                PORT   STATE   MAC                LINK  SPEED    CLAMP    QUEUES  TX PACKETS  RX PACKETS
                one/1  closed  00:0d:3a:00:00:01  –     200gbit  –             0           0           0
                one/2  open    00:00:00:00:00:02  net   200gbit  500mbit       2           7           8

                OBJECTS
                WHAT           USED     ALLOWED
                event queues   4        33
                object memory  2.0 KiB  64.0 MiB
                shapers        2        –

                TROUBLE
                faults  –
                errors  none
                """);
        workshop.exports.add(Fakes.Export.of("one", "/run/one.sock").guest(9, 1L << 30));
        one.faults.add(new Fault("f", null, Fault.Effect.TWICE, 0, 0, true));
        one.rejections.add(rejection());
        assertThat(adapter("show", "one").out())
                .contains("driven by     to a guest, 9 memory ranges (1.0 GiB), /run/one.sock\n")
                .contains("faults  f\n").contains("errors  1, see 'adapter show one --errors'\n");
        assertThat(adapter("show", "one", "--json").dense()).contains("\"export\":{\"name\":\"one\"")
                .contains("{\"port\":\"one/2\",\"mac\":\"00:00:00:00:00:02\",\"link\":\"net\",\"open\":true,"
                        + "\"speed\":200000000000,\"clamp\":500000000,\"queues\":2}")
                .contains("\"rdma\":{\"mode\":\"first\",\"driven\":false,")
                .contains("\"usage\":{\"event_queues\":4,\"channel_requests\":12,")
                .endsWith("\"rejections\":0},\"faults\":[\"f\"],\"rejections\":1}");
    }

    @Test
    void whatDrivesItAndSaidLastIsShown() {
        Fakes.OneAdapter one = workshop.adapter("one", "7870:00:00.0", 1);
        one.message = new ChannelMessage(Instant.now().minusSeconds(3), "CREATE_DMA_REGION", 0xc0000001,
                "no resources");
        assertThat(adapter("show", "one").out()).containsPattern(
                "last message  CREATE_DMA_REGION: no resources \\(0xc0000001\\), 3\\.[0-9] s ago\n");
        ChannelMessage old = new ChannelMessage(Instant.EPOCH, "CREATE_DMA_REGION", 0, "success");
        assertThat(AdapterPage.sentence(old, Instant.EPOCH.plusSeconds(600)))
                .isEqualTo("CREATE_DMA_REGION: success, 10 min ago");
        workshop.topology.core = Fakes.core(new Fakes.Driven(workshop.topology.functions.getFirst(),
                Optional.of(new DriverChoice("ethernet", "1.0.0"))));
        assertThat(adapter("show", "one").out()).contains("driven by     ethernet 1.0.0\n");
    }

    private static Rejection rejection() {
        return new Rejection(Instant.EPOCH, "one/1 send queue 2", "0a0b0c0d", "the MSS is between 1 and 16383",
                "bits 16-29 of the second word", "the queue is disabled", 3);
    }

    @Test
    void whatItRefusedIsExplained() {
        Fakes.OneAdapter one = workshop.adapter("one", "7870:00:00.0", 1);
        assertThat(adapter("show", "one", "--errors").out())
                .isEqualTo("TIME  WHERE  BYTES  RULE  RIGHT  CONSEQUENCE  TIMES\n");
        assertThat(adapter("show", "one", "--errors", "--json").out()).isEqualTo("[]\n");
        one.rejections.add(rejection());
        assertThat(adapter("show", "one", "--errors").out().lines().skip(1)).containsExactly(
                "where        one/1 send queue 2", "bytes        0a0b0c0d",
                "rule         the MSS is between 1 and 16383", "right        bits 16-29 of the second word",
                "consequence  the queue is disabled", "times        3");
        assertThat(adapter("show", "one", "--errors", "--json").dense()).isEqualTo("[{\"time\":"
                + "\"1970-01-01T00:00:00Z\",\"where\":\"one/1sendqueue2\",\"bytes\":\"0a0b0c0d\",\"rule\":"
                + "\"theMSSisbetween1and16383\",\"right\":\"bits16-29ofthesecondword\",\"consequence\":"
                + "\"thequeueisdisabled\",\"times\":3}]");
        assertThat(adapter("show", "one", "--forget").status()).isEqualTo(2);
        assertThat(one.rejections).hasSize(1);
        assertThat(adapter("show", "one", "--errors", "--forget").out()).contains("0a0b0c0d");
        assertThat(one.rejections).isEmpty();
    }

    @Test
    void limitsStandBesideWhatIsUsed() {
        Fakes.OneAdapter one = workshop.adapter("one", "7870:00:00.0", 1);
        one.limits.put("max_num_eqs", 33L);
        one.usage.put("max_num_eqs", 17L);
        one.usage.put("mapped bytes", 4096L);
        assertThat(adapter("limits", "one").out()).isEqualTo("""
                ADAPTER  WHAT          LIMIT  USED
                one      max_num_eqs   33       17
                one      mapped bytes  –      4096
                """);
        assertThat(adapter("limits", "--json").dense()).isEqualTo("[{\"adapter\":\"one\",\"what\":\"max_num_eqs\","
                + "\"limit\":33,\"used\":17},{\"adapter\":\"one\",\"what\":\"mappedbytes\",\"limit\":null,"
                + "\"used\":4096}]");
        assertThat(adapter("limits", "oen").err())
                .isEqualTo("manafold: There is no adapter 'oen'; did you mean 'one'? (ENODEV)\n");
    }

    @Test
    void countersAreShownByPortAndByQueue() {
        Map<String, Long> counters = new LinkedHashMap<>();
        counters.put("rx_bytes", 480L);
        counters.put("tx_packets", 7L);
        counters.put("tx_vport_drops", 1L);
        Map<String, Long> queue = new LinkedHashMap<>();
        queue.put("queue", 0L);
        queue.put("tx_packets", 7L);
        workshop.adapter("one", "7870:00:00.0", 0).ports.add(new Fakes.Port("one/1", new MacAddress(1), "net", true,
                1, 0, counters, List.of(queue)));
        assertThat(adapter("stats").out()).isEqualTo("""
                PORT   TX PACKETS  TX BYTES  RX PACKETS  RX BYTES
                one/1           7         0           0       480
                """);
        assertThat(adapter("stats", "one", "--all").out()).isEqualTo("""
                PORT   QUEUE  COUNTER         VALUE
                one/1  –      tx_packets          7
                one/1  –      tx_bytes            0
                one/1  –      rx_packets          0
                one/1  –      rx_bytes          480
                one/1  –      tx_vport_drops      1
                one/1  0      tx_packets          7
                """);
        assertThat(adapter("stats", "--json").dense()).isEqualTo("[{\"adapter\":\"one\",\"port\":\"one/1\",\"mac\":"
                + "\"00:00:00:00:00:01\",\"link\":\"net\",\"open\":true,\"tx_packets\":7,\"tx_bytes\":0,"
                + "\"rx_packets\":0,\"rx_bytes\":480,\"tx_vport_drops\":1,\"queues\":[{\"queue\":0,"
                + "\"tx_packets\":7}]}]");
    }

    @Test
    void addMakesWhatALabWouldMake() {
        workshop.adapter("one", "7870:00:00.0", 1);
        assertThat(adapter("add", "two")).isEqualTo(new Fakes.Answer(0, "", ""));
        assertThat(contents("two")).containsOnlyKeys("name", "address", "ports", "macs", "queues", "speed", "mtu")
                .containsEntry("address", "7870:00:01.0").containsEntry("ports", 1).containsEntry("queues", 16)
                .containsEntry("speed", 200_000_000_000L).containsEntry("mtu", 9014)
                .containsEntry("macs", new String[] {"00:0d:3a:00:01:01"});
        assertThat(adapter("add", "three", "--address", "1:00:1f.7", "--ports", "3", "--macs",
                "00:0D:3A:00:00:0A,00-0d-3a-00-00-0b", "--queues", "4", "--speed", "100gbit", "--mtu", "1514",
                "--firmware", "2026-09", "--shapers", "parity", "--rdma", "all").err()).isEmpty();
        assertThat(contents("three")).containsEntry("address", "0001:00:1f.7").containsEntry("ports", 3)
                .containsEntry("macs", new String[] {"00:0d:3a:00:00:0a", "00:0d:3a:00:00:0b", "00:0d:3a:00:1f:73"})
                .containsEntry("queues", 4).containsEntry("speed", 100_000_000_000L).containsEntry("mtu", 1514)
                .containsEntry("firmware", "2026-09").containsEntry("shapers", "parity").containsEntry("rdma", "all");
        assertThat(workshop.topology.adapterNames()).containsExactly("one", "three", "two");
        assertThat(adapter("remove", "two")).isEqualTo(new Fakes.Answer(0, "", ""));
        assertThat(contents("two")).isNull();
        assertThat(workshop.topology.adapterNames()).containsExactly("one", "three");
    }

    @Test
    void anAddressThatTwoWouldHaveIsRefusedOrAvoided() {
        workshop.adapter("one", "7870:00:00.0", 1);
        assertThat(adapter("add", "two", "--address", "7870:00:00.0").err())
                .contains("The address 7870:00:00.0 is held by", "the adapter two cannot be there")
                .endsWith("(EBUSY)\n");
        assertThat(adapter("add", "two", "--macs", "00:0d:3a:00:00:01").err())
                .contains("is taken").endsWith("(EEXIST)\n");
        assertThat(adapter("add", "one")).isEqualTo(new Fakes.Answer(1, "", "manafold: There is an adapter 'one' "
                + "already; choose another name, or remove that one first. (EEXIST)\n"));
        assertThat(adapter("add", "two", "--address", "7871:00:00.0").status()).isZero();
        assertThat(contents("two")).containsEntry("macs", new String[] {"00:0d:3a:ff:ff:ff"});
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            bad/name                      | is not a name: letters
            two --ports 9                 | --ports takes a whole number from 1 to 8, not '9'.
            two --queues 0                | --queues takes a whole number from 1 to 64
            two --mtu 9015                | --mtu takes a whole number from 1514 to 9014
            two --speed 1tbit             | --speed is between 10mbit and 400gbit
            two --speed fast              | --speed takes a rate, as in 100gbit, not 'fast'
            two --firmware 2026-13        | --firmware takes a year and month
            two --shapers parrity         | There is no kind of limits 'parrity'; did you mean 'parity'?
            two --rdma frist              | There is no choice of RDMA's ports 'frist'; did you mean 'first'?
            two --address 7870:00:20.0    | --address takes a PCI address
            two --macs 00:0d              | --macs takes MAC addresses
            two --macs 01:00:5e:00:00:01  | is not the address of one station
            two --macs 00:0d:3a:00:00:0a,00:0d:3a:00:00:0b | --macs has 2 addresses for 1 port
            two --json                    | shows nothing
            two three                     | is one word too many
            """)
    void wrongWordsChangeNothing(String words, String sentence) {
        Fakes.Answer answer = adapter(("add " + words).split(" "));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(2);
        assertThat(answer.err()).contains(sentence);
        assertThat(workshop.configurations).isEmpty();
    }

    @Test
    void whatDoesNotComeIsTakenBackAndExplained() {
        workshop.atWork = false;
        assertThat(adapter("add", "two").err()).isEqualTo("manafold: Adapter 'two' was not ready after 2 s and was "
                + "taken back: nothing says why, but 'log' may. (ETIMEDOUT)\n");
        workshop.obstacle = new ConfigurationConsumers.Obstacle("it waits for memory", false);
        assertThat(adapter("add", "two").err()).contains("taken back: it waits for memory. (ETIMEDOUT)");
        workshop.obstacle = new ConfigurationConsumers.Obstacle("firmware 2020-01 is unknown", true);
        assertThat(adapter("add", "two")).isEqualTo(new Fakes.Answer(1, "", "manafold: Adapter 'two' could not be "
                + "made: firmware 2020-01 is unknown. Nothing was changed. (EIO)\n"));
        workshop.obstacle = null;
        assertThat(adapter("add", "two").err()).as("the earlier failure is forgotten").contains("(ETIMEDOUT)");
        workshop.unserved.add("io.manafold.adapter");
        assertThat(adapter("add", "two").err()).contains("bundle io.manafold.adapter is missing or stopped")
                .contains("(EOPNOTSUPP)");
        workshop.unserved.clear();
        workshop.diskFull = true;
        assertThat(adapter("add", "two").err()).contains("cannot be written: the disk is full. (EIO)");
        assertThat(workshop.configurations).isEmpty();
    }

    @Test
    void onlyWhatAConfigurationMadeCanBeRemoved() {
        assertThat(adapter("remove", "one").err()).contains("There is no adapter 'one'").endsWith("(ENODEV)\n");
        workshop.adapter("one", "7870:00:00.0", 1);
        assertThat(adapter("remove", "oen").err()).contains("did you mean 'one'?");
        workshop.configurations.clear();
        assertThat(adapter("remove", "one").err()).contains("was not made by a configuration").endsWith("(EPERM)\n");
        workshop.adapter("two", "7870:00:01.0", 1);
        workshop.atWork = false;
        assertThat(adapter("remove", "two").err()).contains("Adapter 'two' is still there").endsWith("(ETIMEDOUT)\n");
    }

    @Test
    void namesAreCompleted() {
        workshop.adapter("two", "7870:00:01.0", 1);
        workshop.adapter("one", "7870:00:00.0", 1);
        for (String verb : List.of("show", "limits", "stats", "dcqcn", "remove")) {
            assertThat(Fakes.completed(command, verb, "ADAPTER", Map.of())).as(verb).containsExactly("one", "two");
        }
    }
}
