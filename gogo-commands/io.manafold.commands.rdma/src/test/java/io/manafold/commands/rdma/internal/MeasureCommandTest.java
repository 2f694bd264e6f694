package io.manafold.commands.rdma.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.shell.Command;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is asked and cannot be; what is measured is tested with the product, where there is something to measure. */
class MeasureCommandTest {
    private final Devices devices = Fakes.devices(new FakeDevice("mana_0", 1), new FakeDevice("mana_1", 2));
    private final Command write = new MeasureCommand.WriteBandwidth(devices);
    private final Command send = new MeasureCommand.SendLatency(devices);

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            1 | --to mana_2                     | There is no RDMA device 'mana_2'; did you mean
            1 | -d mana_0 --to mana_1 -i 2      | mana_0 has one port, 1, and none with the number 2. (EINVAL)
            2 | --to mana_1 -s 0                | -s takes a number of bytes from 1 to 8388608
            2 | --to mana_1 -s 9m               | -s takes a number of bytes from 1 to 8388608
            2 | --to mana_1 -s 99999999999999m  | -s takes a number of bytes from 1 to 8388608
            2 | --to mana_1 -s -1               | -s
            2 | --to mana_1 -a -s 5             | -a is all sizes
            2 | --to mana_1 -D 2 -n 100         | -D says how long
            2 | --to mana_1 -n 4                | -n takes a whole number from 5
            2 | --to mana_1 -m 1000             | -m is 256, 512, 1024, 2048 or 4096
            1 | --to mana_1 -m 2048             | The ports allow packets of 1024 bytes of payload, not 2048
            2 | --to mana_1 -q 1025             | -q takes a whole number from 1 to 1024
            2 | --to mana_1 -l 200              | -l 200 is more than the 128 sends that may be under way
            2 | --to mana_1 -l 3                | -n is a multiple of -l, and 5000 is none of 3
            2 | --to mana_1 -l 8 -Q 3           | -l is a multiple of -Q, and 8 is none of 3
            1 | --to mana_1 -x 9                | mana_0 has no address 9; 'ibv_devinfo -v' shows those that it has. (EINVAL)
            2 | --to mana_1 -x -1               | -x
            2 | --to mana_1 -x one              | -x takes a whole number from 0
            2 | --to mana_1 -x 99999999999      | -x takes a whole number from 0
            1 | --to mana_1 -t 8000 -n 8000     | has at most 4096 requests under way
            1 | --to mana_1 -s 8m -q 1024       | one end has at most 1073741824
            """)
    void whatCannotBeIsASentence(int status, String line, String sentence) {
        Fakes.Answer answer = Fakes.run(write, line);
        assertThat(answer.err()).contains(sentence);
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.out()).isEmpty();
    }

    @Test
    void programsThatMeasureTimeHaveNoOptionsOfThroughput() {
        assertThat(Fakes.run(send, "--to mana_1 -q 2").status()).isEqualTo(2);
        assertThat(Fakes.run(send, "--to mana_1 --report_gbits").status()).isEqualTo(2);
        assertThat(Fakes.run(send, "--to mana_1 -n 1000001").err())
                .contains("-n takes a whole number from 5 to 1000000");
    }

    @Test
    void aPortThatIsDownIsNamed() {
        assertThat(Fakes.run(write, "-d mana_1 -i 2 --to mana_0").err()).contains("Port 2 of mana_1 is down",
                "ip link set dev mana1 up").endsWith("(ENETDOWN)\n");
    }
}
