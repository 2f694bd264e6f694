package io.manafold.gdma.message;

import static io.manafold.gdma.Vectors.hex;
import static io.manafold.gdma.Vectors.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.net.MacAddress;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.Command;
import io.manafold.gdma.DeviceId;
import io.manafold.gdma.Gid;
import io.manafold.gdma.QpAttribute;
import io.manafold.gdma.QpState;
import io.manafold.gdma.Vectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Commands of the RDMA device against bytes written down field by field. */
class RdmaMessagesTest {
    private static final String ADAPTER = "0807060504030201";
    private static final long A = 0x0102030405060708L;
    private static final Gid IPV6 = Gid.of(Vectors.bytes("fe80 0000 0000 0000 020d 3aff fe01 0203"));
    private static final MacAddress MAC = MacAddress.parse("00:0d:3a:01:02:03");
    private static final MacAddress PEER_MAC = MacAddress.parse("02:11:22:33:44:55");

    static Stream<Arguments> requests() {
        return Stream.of(
                Arguments.of(new QueryRdmaCapabilities(), 1, 4, 40, 112, ""),
                Arguments.of(new CreateRdmaAdapter(0x21, CreateRdmaAdapter.ERROR_COMPLETIONS), 2, 1, 56, 40,
                        "21000000 00000000 0200000000000000"),
                Arguments.of(new DestroyRdmaAdapter(A), 1, 1, 48, 32, ADAPTER),
                Arguments.of(new ConfigureRdmaGid(A, ConfigureRdmaGid.ADD, Gid.IPV6, IPV6), 1, 1, 72, 32,
                        ADAPTER + "01000000 02000000 030201fe ff3a0d02 00000000 000080fe"),
                Arguments.of(new ConfigureRdmaGid(A, ConfigureRdmaGid.REMOVE, Gid.IPV4, Gid.ofIpv4(0x0a000102)), 1, 1,
                        72, 32, ADAPTER + "02000000 01000000 0201000a ffff0000 00000000 00000000"),
                Arguments.of(new ConfigureRdmaMac(A, ConfigureRdmaMac.ADD, MAC), 1, 1, 64, 32,
                        ADAPTER + "01000000 030201 3a0d00 000000000000"),
                Arguments.of(new CreateRdmaCq(A, 0x1001, 0x22, 5), 1, 1, 64, 48,
                        ADAPTER + "0110000000000000 22000000 05000000"),
                Arguments.of(new DestroyRdmaCq(A, 0x2002), 1, 1, 56, 32, ADAPTER + "0220000000000000"),
                Arguments.of(new CreateUdQp(A, 0x11, 0x12, 0x13, 0x14, 0x15, CreateUdQp.MANAGEMENT, 3, 128, 512, 2, 1),
                        1, 1, 112, 48, ADAPTER + "1100000000000000 1200000000000000 1300000000000000"
                        + "1400000000000000 1500000000000000 01000000 03000000 80000000 00020000 02000000 01000000"),
                Arguments.of(new DestroyUdQp(A, 0x2003), 1, 1, 56, 32, ADAPTER + "0320000000000000"),
                Arguments.of(new CreateRcQp(A, 0x11, 0x12, 0x13, 0x14, 0x15, 0, 0x17, 0x18,
                        CreateRcQp.NO_MEMORY_MANAGEMENT, 3, 64, 32, 4, 2), 1, 1, 160, 64,
                        ADAPTER + "1100000000000000 1200000000000000 1300000000000000 1400000000000000"
                        + "1500000000000000 0000000000000000 1700000000000000 1800000000000000"
                        + "00000000000000000000000000000000 0200000000000000"
                        + "03000000 40000000 20000000 04000000 02000000 00000000"),
                Arguments.of(new DestroyRcQp(A, 0x2004), 1, 1, 56, 32, ADAPTER + "0420000000000000"),
                Arguments.of(new SetQpState(A, 0x2004, 0x129181, QpState.READY_TO_RECEIVE.ordinal(), 3, 0xabcdef,
                        0xfffffe, 0x1000, 16, 7, 6, 12, 9, new SetQpState.Path(IPV6, Gid.ofIpv4(0x0a000102), MAC,
                        PEER_MAC, 2, 1, 64, 26, 0xc123, 4791, 0xabcde), 0x80010000, SetQpState.REMOTE_WRITE
                        | SetQpState.REMOTE_READ, 14, 8), 3, 1, 184, 32,
                        ADAPTER + "0420000000000000 8191120000000000 02000000 03000000 efcdab00 feffff00 00100000"
                        + "10000000 07000000 06000000 0c000000 09000000"
                        + "030201fe ff3a0d02 00000000 000080fe" + "0201000a ffff0000 00000000 00000000"
                        + "0302013a0d00" + "554433221102" + "02 01 40 1a 23c1 b712 debc0a00"
                        + "0000000000000000 00000180 06000000 0e 08 0000 00000000"),
                Arguments.of(new QueryVfCounters(A), 1, 2, 48, 304, ADAPTER),
                Arguments.of(new QueryRdmaCounters(A), 1, 1, 48, 64, ADAPTER));
    }

    @ParameterizedTest
    @MethodSource("requests")
    void requests(Request<?> request, int version, int responseVersion, int length, int responseLength, String body) {
        String bytes = body.replace(" ", "");
        assertThat(request.command().isRdma()).isTrue();
        Message written = request.write(new Message(), 7, DeviceId.RDMA, 0);
        assertThat(hex(written).substring(80)).isEqualTo(bytes);
        assertThat(written.length()).isEqualTo(length);
        RequestHead head = RequestHead.decode(written);
        assertThat(head).isEqualTo(new RequestHead(request.command().code(), version, 7, length,
                request.command().code(), responseVersion, 7, responseLength, DeviceId.RDMA, 0));
        assertThat(written.i32(0x20)).as("type 3, instance 0").isEqualTo(3);
        assertThat(Requests.decode(request.command(), message("00".repeat(40) + bytes))).isEqualTo(request);
    }

    static Stream<Arguments> responses() {
        return Stream.of(
                Arguments.of(new QueryRdmaCapabilities(), new QueryRdmaCapabilities.Result(1, 2, 3, 4, 5, 6, 7, 8, 9,
                        10, 11, 12, 13, 14, 15, 16, 17, 18, QueryRdmaCapabilities.ERROR_COMPLETIONS
                        | QueryRdmaCapabilities.DEVICE_COUNTERS), 112,
                        "01000000 02000000 03000000 04000000 05000000 06000000 07000000 08000000 09000000 0a000000"
                        + "0b000000 0c000000 0d000000 0e000000 0f000000 10000000 11000000 12000000 3000000000000000"),
                Arguments.of(new CreateRdmaAdapter(0, 0), new CreateRdmaAdapter.Result(A), 40, ADAPTER),
                Arguments.of(new CreateRdmaCq(0, 0, 0, 0), new CreateRdmaCq.Result(A, 0x4d), 48,
                        ADAPTER + "4d000000 00000000"),
                Arguments.of(new CreateUdQp(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), new CreateUdQp.Result(A, 0x300, 1),
                        48, ADAPTER + "00030000 01000000"),
                Arguments.of(new CreateRcQp(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
                        new CreateRcQp.Result(A, 0x2000, 0x2001, 0x2002, 0x1001, 0x1000), 64,
                        ADAPTER + "00200000 01200000 02200000 01100000 00100000 00000000"),
                Arguments.of(new QueryRdmaCounters(0), new QueryRdmaCounters.Result(1, 2, 3, 4, 5, 6), 64,
                        "01000000 02000000 00000000 03000000 04000000 05000000 06000000 00000000"));
    }

    @ParameterizedTest
    @MethodSource("responses")
    void responses(Request<?> request, Response response, int length, String body) {
        String bytes = body.replace(" ", "");
        RequestHead head = RequestHead.of(request.command(), request.size(), 0, DeviceId.RDMA, 0);
        Message written = Response.write(new Message(), head, 0, response);
        assertThat(hex(written).substring(64)).isEqualTo(bytes);
        assertThat(written.length()).isEqualTo(length);
        assertThat(written.u16(0x08)).isEqualTo(request.command().responseVersion());
        assertThat(request.answer(message("00".repeat(32) + bytes))).isEqualTo(response);
    }

    @ParameterizedTest
    @EnumSource(Command.class)
    void aMessageWithoutItsLastByteIsRefused(Command command) {
        if (command.isRdma()) {
            Message message = new Message().clear(command.requestSize() - 1);
            assertThatThrownBy(() -> Requests.decode(command, message)).isInstanceOf(Refusal.class)
                    .hasMessageContaining(command.label());
        }
    }

    @Test
    void countersAreWhereDriversLook() {
        QueryVfCounters.Result result = new QueryVfCounters.Result(LongStream.range(100, 134).toArray());
        RequestHead head = RequestHead.of(Command.QUERY_VF_COUNTERS, 48, 0, DeviceId.RDMA, 0);
        Message written = Response.write(new Message(), head, 0, result);
        assertThat(written.length()).isEqualTo(304);
        assertThat(written.i64(32)).isEqualTo(result.value(RdmaCounter.REQUESTER_TIMEOUT)).isEqualTo(100);
        assertThat(written.i64(112)).isEqualTo(result.value(RdmaCounter.NAK_OPP_ERROR));
        assertThat(written.i64(136)).isEqualTo(result.value(RdmaCounter.REQUESTOR_LOCAL_PROT_ERROR));
        assertThat(written.i64(200)).isEqualTo(result.value(RdmaCounter.RECEIVED_CNPS));
        assertThat(written.i64(232)).isEqualTo(result.value(RdmaCounter.CURRENT_RATE));
        assertThat(written.i64(296)).isEqualTo(result.value(RdmaCounter.RX_PACKETS)).isEqualTo(133);
        for (RdmaCounter counter : RdmaCounter.values()) {
            assertThat(written.i64(counter.offset())).isEqualTo(result.value(counter));
        }
        assertThat(RdmaCounter.REQUESTER_READRESP_PSN_MISMATCH.label()).isEqualTo("requester_readresp_psn_mismatch");
        QueryRdmaCounters.Result device = new QueryRdmaCounters.Result(-1, 2, 3, 4, 5, 6);
        assertThat(device.value(RdmaDeviceCounter.SENT_CNPS)).isEqualTo(0xffff_ffffL);
        assertThat(device.value(RdmaDeviceCounter.RECEIVED_CNP_COUNT)).isEqualTo(3);
        assertThat(RdmaDeviceCounter.RATE_INC_EVENTS.label()).isEqualTo("rate_inc_events");
    }

    @Test
    void gids() {
        assertThat(IPV6).hasToString("fe80:0:0:0:20d:3aff:fe01:203");
        assertThat(IPV6.family()).isEqualTo(Gid.IPV6);
        assertThat(Gid.of(IPV6.bytes())).isEqualTo(IPV6);
        Gid mapped = Gid.of(Vectors.bytes("00000000000000000000ffff c0a80a01"));
        assertThat(mapped).hasToString("::ffff:192.168.10.1").isEqualTo(Gid.ofIpv4(0xc0a80a01));
        assertThat(mapped.family()).isEqualTo(Gid.IPV4);
        assertThat(mapped.ipv4()).isEqualTo(0xc0a80a01);
        assertThatThrownBy(() -> Gid.of(new byte[15])).hasMessageContaining("16");
    }

    @Test
    void statesAndAttributes() {
        assertThat(QpState.of(3).label()).isEqualTo("RTS");
        assertThat(QpState.of(6)).isSameAs(QpState.ERROR);
        assertThat(QpState.of(7)).isNull();
        assertThat(QpState.of(-1)).isNull();
        assertThat(QpAttribute.PATH | QpAttribute.MTU | QpAttribute.PEER | QpAttribute.RECEIVE_PSN
                | QpAttribute.INBOUND_READS | QpAttribute.RNR_TIMER | QpAttribute.STATE).isEqualTo(0x129181);
        assertThat(QpAttribute.STATE | QpAttribute.ACK_TIMEOUT | QpAttribute.RETRIES | QpAttribute.RNR_RETRIES
                | QpAttribute.SEND_PSN | QpAttribute.OUTBOUND_READS).isEqualTo(0x12e01);
        assertThat(QpAttribute.PARTITION | QpAttribute.PORT | QpAttribute.ACCESS | QpAttribute.STATE).isEqualTo(0x39);
        assertThat(QpAttribute.names(0x8000_0000_0210_0051L))
                .isEqualTo("state partition queue-key peer rate-limit bit-63");
        assertThat(SetQpState.mtuBytes(1)).isEqualTo(256);
        assertThat(SetQpState.mtuBytes(5)).isEqualTo(4096);
        assertThat(SetQpState.mtuBytes(0) + SetQpState.mtuBytes(6) + SetQpState.mtuBytes(-1)).isZero();
        assertThat(SetQpState.mtuCode(1500)).isEqualTo(3);
        assertThat(SetQpState.mtuCode(9000)).isEqualTo(5);
        assertThat(SetQpState.mtuCode(256)).isEqualTo(1);
        assertThat(SetQpState.mtuCode(255)).isZero();
    }

    @Test
    void everyKindOfRegionHasItsAccessWhereDriversPutIt() {
        for (int kind : new int[] {1, 2, 4, 5, 6, 7}) {
            boolean zeroBased = kind == CreateMr.ZERO_BASED;
            CreateMr request = new CreateMr(A, kind, 0x1001, zeroBased ? 0 : 0x7f11_2233_4000L, 0x3f, 0x2000);
            Message written = request.write(new Message(), 0, DeviceId.NONE, 0);
            assertThat(hex(written).substring(80)).isEqualTo((ADAPTER + "0" + kind + "000000 00000000 0110000000000000"
                    + (zeroBased ? "3f00000000000000 00000000" : "00403322117f0000 3f000000") + "00000000"
                    + "0020000000000000").replace(" ", ""));
            assertThat(CreateMr.decode(written)).isEqualTo(request);
        }
        assertThat(CreateMr.LOCAL_READ | CreateMr.LOCAL_WRITE << 4 | CreateMr.REMOTE_READ << 8
                | CreateMr.REMOTE_WRITE << 12).isEqualTo(0x8421);
        assertThat(CreateMr.REMOTE_ATOMIC | CreateMr.BIND_WINDOW).isEqualTo(0x30);
    }
}
