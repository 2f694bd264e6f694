package io.manafold.commands.net.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.inet.IpAddress;
import io.manafold.api.inet.PingEvent;
import io.manafold.api.inet.PingEvent.Kind;
import io.manafold.api.inet.PingPlan;
import io.manafold.api.inet.PingSummary;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(300)
class PingCommandTest {
    private static final IpAddress TARGET = IpAddress.parse("10.77.0.2");

    private final FakeHost zero = new FakeHost("mana0", "10.77.0.1/24");
    private final FakeHost one = new FakeHost("mana1", "10.77.0.2/24", "fd77::2/64");
    private final Network network = Fakes.network(new FakeDevice("mana0", 2), new FakeDevice("mana1", 3));
    private final PingCommand command = new PingCommand(network);

    @BeforeEach
    void answers() {
        Fakes.hosts(network, zero, one);
        zero.events.add(new PingEvent(Kind.REPLY, 1, TARGET, 64, 64, 123_456));
        zero.events.add(new PingEvent(Kind.DUPLICATE, 1, TARGET, 64, 64, 1_234_567));
        zero.events.add(new PingEvent(Kind.TIMEOUT, 2, null, 0, 0, 0));
        zero.events.add(new PingEvent(Kind.HOST_UNREACHABLE, 3, IpAddress.parse("10.77.0.1"), 0, 0, 0));
        zero.summary = new PingSummary(3, 1, 1, 0, 1, 2_003_456_789L, 123_456, 123_456, 123_456, 0);
    }

    private Fakes.Answer ping(String line) {
        return Fakes.run(command, line);
    }

    @Test
    void linesAndSummaryHaveTheShapeThatPeopleKnow() {
        Fakes.Answer answer = ping("-c 3 -I mana0 10.77.0.2");
        assertThat(answer).isEqualTo(new Fakes.Answer(0, """
                PING 10.77.0.2 (10.77.0.2) from 10.77.0.1 mana0: 56(84) bytes of data.
                64 bytes from 10.77.0.2: icmp_seq=1 ttl=64 time=0.123 ms
                64 bytes from 10.77.0.2: icmp_seq=1 ttl=64 time=1.23 ms (DUP!)
                From 10.77.0.1 icmp_seq=3 Destination Host Unreachable

                --- 10.77.0.2 ping statistics ---
                3 packets transmitted, 1 received, +1 duplicates, +1 errors, 66.6667% packet loss, time 2003ms
                rtt min/avg/max/mdev = 0.123/0.123/0.123/0.000 ms
                """, ""));
        assertThat(zero.closed).isTrue();
        assertThat(zero.asked).isEqualTo(PingPlan.to(TARGET, 3));
    }

    @Test
    void theTimeHasThreeDigits() {
        assertThat(PingText.time(12_345)).isEqualTo("0.012");
        assertThat(PingText.time(999_600)).isEqualTo("1.00");
        assertThat(PingText.time(12_345_678)).isEqualTo("12.3");
        assertThat(PingText.time(123_456_789)).isEqualTo("123");
    }

    @Test
    void whatIsAskedIsSaid() {
        ping("-c 1 -i 0.2 -W .5 -s 1400 -t 1 -q -I 10.77.0.1 10.77.0.2");
        assertThat(zero.asked).isEqualTo(new PingPlan(TARGET, IpAddress.parse("10.77.0.1"), 1, 200_000_000L,
                500_000_000L, 1400, 1));
        // the host that owns the address is not the one that asks for it
        assertThat(ping("-q 10.77.0.2").out()).startsWith("PING 10.77.0.2 (10.77.0.2) 56(84) bytes of data.\n\n---");
        assertThat(one.asked).isNull();
    }

    @Test
    void programsGetAnObject() {
        assertThat(ping("-c 3 10.77.0.2 -I mana0 --json").dense()).startsWith("{\"target\":\"10.77.0.2\","
                + "\"source\":\"10.77.0.1\",\"device\":\"mana0\",\"size\":56,\"transmitted\":3,\"received\":1,")
                .contains("\"time_ms\":2003,\"rtt_min_ms\":0.123456");
    }

    @Test
    void interruptedItSaysHowItWent() {
        zero.endless = true;
        Fakes.Answer answer = ping("-I mana0 10.77.0.2");
        assertThat(answer.out()).contains("--- 10.77.0.2 ping statistics ---\n3 packets transmitted, ");
        assertThat(answer.status()).isEqualTo(1);
        assertThat(zero.closed).isTrue();
    }

    @Test
    void nothingAnsweredIsAFailure() {
        zero.events.clear();
        zero.summary = new PingSummary(2, 0, 0, 0, 2, 1_000_000_000L, 0, 0, 0, 0);
        Fakes.Answer answer = ping("-c 2 -I mana0 10.77.0.9");
        assertThat(answer.out()).endsWith("2 packets transmitted, 0 received, +2 errors, 100% packet loss, time "
                + "1000ms\n");
        assertThat(answer.err()).contains("Nothing has answered at 10.77.0.9").endsWith("(EHOSTUNREACH)\n");
        assertThat(answer.status()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            2 |                        | ping needs ADDRESS
            2 | mana0                  | is not an IP address
            2 | -6 10.77.0.2           | is an address of IPv4; leave out -6.
            2 | -c 0 10.77.0.2         | -c takes a whole number from 1
            2 | -i often 10.77.0.2     | -i takes seconds from 0.001 to 86400, as in 0.2, not 'often'.
            2 | -i 0.0001 10.77.0.2    | -i takes seconds from 0.001 to 86400, as in 0.2, not '0.0001'.
            2 | -W 90000 10.77.0.2     | -W takes seconds from 0.000001 to 86400
            2 | -s 70000 10.77.0.2     | -s takes a whole number from 0 to 65507
            1 | -I mana9 10.77.0.2     | There is no network device 'mana9'
            1 | -I 10.77.0.9 10.77.0.2 | No device has the address 10.77.0.9
            1 | 203.0.113.1            | No device has a route to 203.0.113.1
            """)
    void whatCannotBeAskedIsASentence(int status, String line, String sentence) {
        Fakes.Answer answer = ping(line == null ? "" : line);
        assertThat(answer.err()).contains(sentence);
        assertThat(answer.status()).isEqualTo(status);
        assertThat(zero.asked).isNull();
    }
}
