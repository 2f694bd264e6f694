package io.manafold.commands.net.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.net.PagePlan;
import io.manafold.api.net.ReceiveMapping;
import io.manafold.api.net.ReceivePolicy;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(300)
class PagesCommandTest {
    private final FakeDevice device = new FakeDevice("mana0", 2);
    private final Network network = Fakes.network(device);
    private final PagesCommand command = new PagesCommand(network);

    @BeforeEach
    void planner() {
        network.planner = (policy, page, mtu, hooked) -> {
            if (hooked && mtu > 3506 && policy != ReceivePolicy.LEAN) {
                throw new Refusal(Errno.EOPNOTSUPP, "A receive hook cannot have an MTU of " + mtu + ".");
            }
            if (mtu > 9000) {
                throw new Refusal(Errno.EINVAL, "There is no MTU of " + mtu + ".");
            }
            int slot = switch (policy) {
                case PAGE -> page;
                case FRAGMENT -> 1856;
                case FRAGMENT_HEADROOM -> 2112;
                case LEAN -> 1792;
            };
            int perPage = hooked && policy != ReceivePolicy.LEAN ? 1 : page / slot;
            return new PagePlan(policy, mtu, page, 0, 256, mtu + 14, perPage == 1 ? page : slot, perPage);
        };
    }

    private Fakes.Answer pages(String line) {
        return Fakes.run(command, line);
    }

    @Test
    void policiesAreCompared() {
        assertThat(pages("compare --page 64k --mtu 1500").out()).isEqualTo("""
                POLICY             PER PAGE  BYTES/PACKET  SAVED
                page                      1         65536  –
                fragment                 35        1872.5  97.1 %
                fragment-headroom        31        2114.1  96.8 %
                lean                     36        1820.4  97.2 %
                """);
        assertThat(pages("compare --hook --json").dense()).startsWith("[{\"policy\":\"page\",\"mtu\":1500,"
                + "\"page\":4096,\"order\":0,\"headroom\":256,\"data\":1514,\"slot\":4096,\"per_page\":1,"
                + "\"bytes_per_packet\":4096.00,\"saved_percent\":0.00}");
    }

    @Test
    void withAHookPoliciesNeedAPageForEachPacketOrCannotBe() {
        assertThat(pages("compare --hook --page 64k").out()).isEqualTo("""
                POLICY             PER PAGE  BYTES/PACKET  SAVED
                page                      1         65536  –
                fragment                  1         65536  –
                fragment-headroom         1         65536  –
                lean                     36        1820.4  97.2 %
                """);
        assertThat(pages("compare --hook --mtu 4000").out()).isEqualTo("""
                POLICY             PER PAGE  BYTES/PACKET  SAVED
                page               –         –             impossible
                fragment           –         –             impossible
                fragment-headroom  –         –             impossible
                lean               2         2048          50.0 %
                """);
        assertThat(pages("compare --hook --mtu 4000 --json").dense()).startsWith("[{\"policy\":\"page\",\"mtu\":4000,"
                + "\"page\":4096,\"refused\":\"AreceivehookcannothaveanMTUof4000.\"},");
        assertThat(pages("plan --hook --mtu 4000 --policy page").err())
                .endsWith("A receive hook cannot have an MTU of 4000. (EOPNOTSUPP)\n");
    }

    @Test
    void onePlanIsReckoned() {
        assertThat(pages("plan --policy fragment --page 64k --mtu 1500 --json").dense()).contains("\"slot\":1856,"
                + "\"per_page\":35,\"bytes_per_packet\":1872.46,\"saved_percent\":97.14}");
        assertThat(pages("plan").out()).contains("policy            lean\n", "page              4096 bytes\n",
                "per page          2\n", "bytes per packet  2048.0\n", "saved             50.00 %\n");
        assertThat(pages("plan --page 16KiB").out()).contains("page              16384 bytes\n");
        assertThat(pages("plan --page 65536").out()).contains("page              65536 bytes\n");
    }

    @Test
    void theCensusSaysWhereEveryPageIs() {
        Map<String, Long> held = new LinkedHashMap<>();
        held.put("inet", 3L);
        held.put("test", 1L);
        device.pools.add(new Fakes.Pool("mana0", 0, Fakes.lean(4096, 2), 520, 6, 1024, held,
                Map.of("alloc-slow", 9L), false));
        device.pools.add(new Fakes.Pool("mana0", 1, Fakes.lean(65_536, 36), 30, 1, 0, Map.of(), Map.of(), true));
        String census = """
                DEVICE  QUEUE  POLICY  PAGE  MAPPED      PAGES  FREE  POSTED  HELD
                mana0       0  lean    4k    arena         520     6    1024  inet 3, test 1
                mana0       1  lean    64k   whole-page     30     1       0  closing
                """;
        assertThat(pages("").out()).isEqualTo(census);
        assertThat(pages("list mana0").out()).isEqualTo(census);
        assertThat(pages("--json").dense()).startsWith("[{\"device\":\"mana0\",\"queue\":0,\"policy\":\"lean\","
                + "\"page\":4096,\"slot\":1792,\"per_page\":2,\"mapping\":\"arena\",\"pages\":520,\"free\":6,"
                + "\"posted\":1024,\"held\":{\"inet\":3,\"test\":1},\"closing\":false,"
                + "\"statistics\":{\"alloc-slow\":9}},");
        assertThat(pages("list -s").out()).startsWith("pool        mana0 queue 0\nalloc-slow  9\n\n");
    }

    @Test
    void pagesAreSet() {
        assertThat(pages("set mana0 --policy fragment --page 64k")).isEqualTo(new Fakes.Answer(0, "", ""));
        assertThat(device.policy).isEqualTo(ReceivePolicy.FRAGMENT);
        assertThat(device.pageSize).isEqualTo(65_536);
        assertThat(pages("set mana0 --policy page").status()).isZero();
        assertThat(device.pageSize).isEqualTo(65_536);
        assertThat(pages("set mana0 --mapping whole-page").status()).isZero();
        assertThat(device.mapping).isEqualTo(ReceiveMapping.WHOLE_PAGE);
        assertThat(device.policy).isEqualTo(ReceivePolicy.PAGE);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            2 | set mana0                   | pages set needs to know what to set: --policy, --page or --mapping.
            2 | set mana0 --policy leen     | There is no policy 'leen'; did you mean 'lean'?
            2 | set mana0 --mapping pakket  | There is no mapping 'pakket'; did you mean 'packet'?
            2 | set mana0 --page 8k         | --page is 4k, 16k or 64k, not '8k'.
            1 | set mana9 --page 4k         | There is no network device 'mana9'
            2 | plan --mtu many             | --mtu takes a whole number
            1 | plan --mtu 9001             | There is no MTU of 9001. (EINVAL)
            2 | census                      | There is no verb of pages 'census'
            """)
    void whatIsRefusedChangesNothing(int status, String line, String sentence) {
        Fakes.Answer answer = pages(line);
        assertThat(answer.err()).contains(sentence);
        assertThat(answer.status()).isEqualTo(status);
        assertThat(device.pageSize).isEqualTo(4096);
    }

    @Test
    void withoutAPlannerThereIsASentence() {
        network.planner = null;
        assertThat(pages("plan").err()).contains("'lb' lists the bundles").endsWith("(EOPNOTSUPP)\n");
    }
}
