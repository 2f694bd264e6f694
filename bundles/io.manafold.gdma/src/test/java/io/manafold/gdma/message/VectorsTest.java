package io.manafold.gdma.message;

import static io.manafold.gdma.Vectors.hex;
import static io.manafold.gdma.Vectors.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.gdma.Command;
import io.manafold.gdma.DeviceId;
import io.manafold.gdma.Limits;
import io.manafold.gdma.Status;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Messages as a running driver has sent them, read and written. */
class VectorsTest {
    private static final String TEST_EVENT = "000000000a000000010000002c000000" + "000000000a0000000100000020000000"
            + "0100000000000000" + "00000000";
    private static final String TEST_EVENT_DONE =
            "000000000a0000000100000020000000" + "01000000000000000000000000000000";

    private static long[] filled(int count, long first, long step) {
        long[] list = new long[count];
        for (int i = 0; i < count; i++) {
            list[i] = first + i * step;
        }
        return list;
    }

    static Stream<Arguments> bodies() {
        byte[] key = new byte[40];
        for (int i = 0; i < key.length; i++) {
            key[i] = (byte) (i + 1);
        }
        String keyHex = hex(key);
        return Stream.of(
                Arguments.of(new QueryDeviceConfig(0, 0, 0, 0, 0, 1, 1), 0x58, 0x50, 1, 3,
                        "00".repeat(32) + "00000000010000000100000000000000"),
                Arguments.of(new ConfigureVportTx(0x900, 0x11, 4), 0x38, 0x24, 1, 1,
                        "0009000000000000" + "1100000004000000"),
                Arguments.of(new CreateDmaRegion(0x8000, 0, 0, 8, filled(8, 0x10000, 0x1000)), 0x80, 0x28, 1, 1,
                        "0080000000000000" + "000000000000000008000000" + "08000000" + "0000010000000000"
                        + "0010010000000000"
                        + "0020010000000000" + "0030010000000000" + "0040010000000000" + "0050010000000000"
                        + "0060010000000000" + "0070010000000000"),
                Arguments.of(new CreateQueue(4, 0x11, 4, 0x1000, 0x8000, 3, 1, 0, 0, false, false, false, false), 0x60,
                        0x24, 1, 1, "0400000000000000" + "1100000004000000" + "0010000000000000"
                        + "0000000000800000" + "0300000001000000"
                        + "00".repeat(16)),
                Arguments.of(new CreateWqObject(0x900, 1, 0x1001, 0x1002, 0x2000, 0x4000, 0, 1), 0x60, 0x38, 3, 2,
                        "0009000000000000" + "0100000000000000" + "0110000000000000" + "0210000000000000"
                        + "0020000000400000" + "0000000001000000" + "0000000000000000"),
                Arguments.of(new CreateWqObject(0x900, 2, 0x1003, 0x1004, 0x8000, 0x20000, 0, 1,
                        new CreateWqObject.EventHolding(true, 1023, 255)), 0x60, 0x38, 3, 2,
                        "0009000000000000" + "0200000000000000" + "0310000000000000" + "0410000000000000"
                        + "0080000000000200" + "0000000001000000" + "0001ff00ff030000"),
                Arguments.of(new ConfigureVportRx(0x900, 1, 0, true, true, true, 0x5001, key, 1,
                        filled(64, 0x5001, 0)), 0x278, 0x28, 5, 2, "0009000000000000" + "40007800" + "01000000"
                        + "00000000" + "01010100" + "0150000000000000" + keyHex + "00" + "000000" + "3f00" + "00" + "00"
                        + "0150000000000000".repeat(64)),
                Arguments.of(new ConfigureVportRx(0x900, 1, 0, false, false, false, 0x5001, key, 8, new long[0]),
                        0x78, 0x28, 5, 2, "0009000000000000" + "00007800" + "01000000" + "00000000" + "00000000"
                        + "0150000000000000" + keyHex + "01" + "000000" + "3f00" + "01" + "00"),
                Arguments.of(new SetShaper(0x900, new ShaperValues(2, 5, 3, 7, 1, 9, 10, 11, 12, 13)), 0x68, 0x20, 1, 1,
                        "0009000000000000" + "0200000005000000" + "0300000007000000" + "0100000009000000"
                        + "0a00000000000000" + "0b00000000000000" + "0c00000000000000" + "0d00000000000000"),
                Arguments.of(new GroupShapers(0x900, new ShaperValues(3, 7, 1, 0, 0, 0, 0, 0, 0, 0), true,
                        List.of(new ShaperValues(2, 5, 0, 0, 0, 0, 3, 0, 0, 0))), 0xa8, 0x20, 1, 1,
                        "0009000000000000" + "0300000007000000" + "0100000000000000" + "00".repeat(40)
                        + "0100000001000000" + "0200000005000000" + "00".repeat(16) + "03000000" + "00".repeat(28)),
                Arguments.of(new NameShaperQueues(0x900, List.of(0x5001L, 0x5002L)), 0x48, 0x20, 1, 1,
                        "0009000000000000" + "0200000000000000" + "0150000000000000" + "0250000000000000"),
                Arguments.of(new QueryPortStatistics(0x900, 1), 0x38, 0x100, 1, 1,
                        "0009000000000000" + "0100000000000000"),
                Arguments.of(new FenceRq(0x5001), 0x30, 0x20, 1, 1, "0150000000000000"));
    }

    @ParameterizedTest
    @MethodSource("bodies")
    void requests(Request<?> request, int length, int expected, int version, int responseVersion, String body) {
        DeviceId device = request.command().isEthernet() ? DeviceId.ETHERNET : DeviceId.NONE;
        Message written = request.write(new Message(), 0, device, 1);
        assertThat(written.length()).isEqualTo(length);
        assertThat(hex(written).substring(80)).isEqualTo(body);
        RequestHead head = RequestHead.decode(written);
        assertThat(head.command()).isEqualTo(request.command().code());
        assertThat(head.version()).isEqualTo(version);
        assertThat(head.responseVersion()).isEqualTo(responseVersion);
        assertThat(head.length()).isEqualTo(length);
        assertThat(head.responseLength()).isEqualTo(expected);
        assertThat(Requests.decode(request.command(), message(hex(written).substring(0, 80) + body)))
                .isEqualTo(request);
    }

    @Test
    void firstRoundTrip() {
        GenerateTestEvent request = new GenerateTestEvent(0);
        assertThat(hex(request.write(new Message(), 0, DeviceId.CHANNEL, 0))).isEqualTo(TEST_EVENT);
        RequestHead head = RequestHead.decode(message(TEST_EVENT));
        assertThat(head).isEqualTo(RequestHead.of(Command.GENERATE_TEST_EVENT, 44, 0, DeviceId.CHANNEL, 0));
        assertThat(GenerateTestEvent.decode(message(TEST_EVENT))).isEqualTo(request);
        assertThat(hex(Response.write(new Message(), head, Status.SUCCESS, null))).isEqualTo(TEST_EVENT_DONE);
        assertThat(ResponseHead.decode(message(TEST_EVENT_DONE)).status()).isZero();
    }

    @Test
    void refusalsAreHeadsOfTheExpectedLength() {
        RequestHead head = RequestHead.of(Command.QUERY_PHY_STATISTICS, 48, 3, DeviceId.ETHERNET, 77);
        Message refused = Response.write(new Message(), head, Status.UNSUPPORTED,
                new QueryPhyStatistics.Result(1, new long[QueryPhyStatistics.COUNTERS]));
        assertThat(refused.length()).isEqualTo(440);
        assertThat(refused.i64(0x20)).as("nothing of the body").isZero();
        ResponseHead answer = ResponseHead.decode(refused);
        assertThat(answer).isEqualTo(new ResponseHead(0x2000c, 1, 3, 440, DeviceId.ETHERNET, 77, -1));
    }

    @Test
    void anOlderDriverAsksForFourFramesWhateverLiesBehind() {
        Message asked = new ConfigureVportRx(0x900, 1, 0, false, false, false, 0, new byte[40], 8, new long[0])
                .write(new Message(), 0, DeviceId.ETHERNET, 0);
        assertThat(ConfigureVportRx.decode(asked).frames()).isEqualTo(8);
        assertThat(ConfigureVportRx.decode(asked.put16(0x08, 4)).frames()).isEqualTo(4);
        assertThat(ConfigureVportRx.decode(asked.put16(0x08, 5).put8(0x70, 0)).frames()).isEqualTo(1);
    }

    @Test
    void anOlderDriverGetsWhatItHasRoomFor() {
        RequestHead head = new RequestHead(Command.QUERY_DEVICE_CONFIG.code(), 1, 0, 88,
                Command.QUERY_DEVICE_CONFIG.code(), 1, 0, 70, DeviceId.ETHERNET, 1);
        Message answer = Response.write(new Message(), head, Status.SUCCESS,
                new QueryDeviceConfig.Result(0, 0, 0, 0, 2, 0, 64, 9014));
        assertThat(answer.length()).isEqualTo(70);
        assertThat(answer.u16(0x40)).isEqualTo(2);
        assertThat(ResponseHead.decode(answer).version()).isEqualTo(1);
        for (int strange : new int[] {0, 31, 5000, -1, Integer.MIN_VALUE}) {
            RequestHead odd = new RequestHead(Command.QUERY_DEVICE_CONFIG.code(), 1, 0, 88, 0, 0, 0, strange,
                    DeviceId.ETHERNET, 1);
            assertThat(Response.write(new Message(), odd, 0, null).length())
                    .isBetween(ResponseHead.SIZE, Limits.MESSAGE);
        }
    }

    @Test
    void everyResponseHasItsLengthAndComesBackAsItWas() {
        long[] counters = filled(Counter.values().length, 1000, 7);
        for (Response response : new Response[] {
            new VerifyVersion.Result(1, 8, 2, 3, 4), new QueryMaxResources.Result(1, 2, 3, 4, 5, 6, 7, 8, 9),
            new RegisterDevice.Result(0x11, 0x222, 4), new CreateQueue.Result(1),
            new QueryDeviceConfig.Result(1, 2, 3, 4, 3, 1, 9, 9014), new ConfigureVportTx.Result(300, true),
            new CreateWqObject.Result(0x400, 0x10, 0x5001,
                    new CreateWqObject.EventHolding(true, 64, 32)), new QueryStatistics.Result(Counter.ALL, counters),
            new QueryPhyStatistics.Result(0, filled(50, 1, 1)), new QueryChannelTimeout.Result(1000),
            new QueryLinkConfig.Result(200_000, true, 100), new ConfigureVportRx.Result(2048),
            new QueryShaperLimits.Result(0xff, 16, 1000, 1, 2, 3), new QueryShaperStatistics.Result(List.of(
                    new QueryShaperStatistics.Entry(1, 0, 1, 2, 3, 4, 5),
                    new QueryShaperStatistics.Entry(3, 9, 6, 7, 8, 9, 10)))}) {
            Message message = new Message();
            Command command = command(response);
            Response.write(message, RequestHead.of(command, 40, 0, DeviceId.ETHERNET, 1), 0, response);
            assertThat(message.length()).isEqualTo(command.responseSize());
            assertThat(requestFor(command).answer(message)).isEqualTo(response);
        }
    }

    private static Command command(Response response) {
        return Arrays.stream(Command.values()).filter(one -> requestFor(one).getClass()
                == response.getClass().getEnclosingClass()).findFirst().orElseThrow();
    }

    private static Request<?> requestFor(Command command) {
        return Requests.decode(command, new Message().clear(command.requestSize()));
    }

    @Test
    void countersAreWhereTheDriverLooks() {
        assertThat(Counter.RX_BCAST_PKTS.offset()).isEqualTo(0x50);
        assertThat(Counter.RX_BCAST_PKTS.mask()).isEqualTo(1 << 7);
        assertThat(Counter.TX_ERR_GDMA.offset()).isEqualTo(0xf8);
        assertThat(Counter.TX_MCAST_BYTES.offset()).isEqualTo(0xf0);
        assertThat(Arrays.stream(Counter.values()).mapToLong(Counter::mask).sum()).isEqualTo(Counter.ALL);
        assertThat(QueryPhyStatistics.label(QueryPhyStatistics.packets(0, false))).isEqualTo("hc_tc0_rx_pkt_phy");
        assertThat(QueryPhyStatistics.label(QueryPhyStatistics.bytes(7, true))).isEqualTo("hc_tc7_tx_byte_phy");
        assertThat(QueryPhyStatistics.label(QueryPhyStatistics.pauses(3, false))).isEqualTo("hc_tc3_rx_pause_phy");
        assertThat(QueryPhyStatistics.bytes(0, false) * 8 + 0x28).isEqualTo(0xb8);
        assertThat(QueryPhyStatistics.pauses(0, false) * 8 + 0x28).isEqualTo(0x138);
        assertThat(QueryPhyStatistics.label(1)).isEqualTo("hc_tx_pkt_drop_phy");
    }

    @Test
    void listsOfDevicesMayHaveHoles() {
        Message message = new Message().clear(296);
        message.put32(0x20, 2).put32(0x28, 0x1).put32(0x2c, 0).put32(0x30, 0x2);
        assertThat(ListDevices.Result.decode(message).devices())
                .containsExactly(DeviceId.CHANNEL, DeviceId.ETHERNET);
        assertThat(ListDevices.Result.decode(message.put32(0x20, -1)).devices()).hasSize(2);
    }

    @Test
    void versionHasItsTextsWhereTheyBelong() {
        VerifyVersion linux = new VerifyVersion(1, 1, 0x27e686d, 0, 0, 0, 0, VerifyVersion.LINUX, 7, 2, 12, 0, "Linux",
                "7.2.12", "#1 SMP", "");
        Message message = linux.write(new Message(), 0, DeviceId.NONE, 0);
        assertThat(message.length()).isEqualTo(640);
        assertThat(message.i64(0x38)).isEqualTo(0x27e686d);
        assertThat(message.text(0x80, 128)).isEqualTo("Linux");
        assertThat(VerifyVersion.decode(message)).isEqualTo(linux);
        assertThat(message.put8(0x80, 0x1b).text(0x80, 128)).as("what would move a cursor").isEqualTo(".inux");
    }

    @Test
    void zeroBasedRegionsAreShorter() {
        CreateMr zeroBased = new CreateMr(5, CreateMr.ZERO_BASED, 6, 0, 0x1f, 0);
        Message message = zeroBased.write(new Message(), 0, DeviceId.NONE, 0);
        assertThat(message.i32(0x40)).isEqualTo(0x1f);
        assertThat(RequestHead.decode(message).version()).isEqualTo(2);
        assertThat(CreateMr.decode(message)).isEqualTo(zeroBased);
        CreateMr memory = new CreateMr(5, CreateMr.DEVICE_MEMORY, 6, 0x1000, 3, 0x2000);
        assertThat(CreateMr.decode(memory.write(message, 0, DeviceId.NONE, 0))).isEqualTo(memory);
    }
}
