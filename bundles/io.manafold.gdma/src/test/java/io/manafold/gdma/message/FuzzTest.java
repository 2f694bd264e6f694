package io.manafold.gdma.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.Command;
import io.manafold.gdma.DeviceId;
import io.manafold.gdma.Limits;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever bytes come, a message is read or refused, and what was read goes out as it came in. */
class FuzzTest {
    @ParameterizedTest
    @EnumSource(Command.class)
    void requests(Command command) {
        Random random = new Random(command.code());
        int read = 0;
        for (int i = 0; i < 1000; i++) {
            Message message = random(random, command.requestSize());
            try {
                Request<?> request = Requests.decode(command, message);
                assertThat(request.command()).isSameAs(command);
                Message again = request.write(new Message(), 1, DeviceId.RDMA, 2);
                assertThat(Requests.decode(command, again)).isEqualTo(request);
                assertThat(request.toString()).isNotEmpty();
                read++;
            } catch (Refusal refused) {
                assertThat(refused.errno()).isEqualTo(Errno.EPROTO);
                assertThat(refused.getMessage()).endsWith(".");
            }
        }
        assertThat(read).as("fuzz that reads nothing tests nothing").isGreaterThan(50);
    }

    @ParameterizedTest
    @EnumSource(Command.class)
    void responses(Command command) {
        Request<?> request = Requests.decode(command, new Message().clear(command.requestSize()));
        Random random = new Random(command.code());
        for (int i = 0; i < 700; i++) {
            Message message = random(random, command.responseSize());
            try {
                Response response = request.answer(message);
                Message again = new Message().clear(command.responseSize());
                response.encode(again);
                // counters that are not in the mask are not reported
                if (command != Command.QUERY_STATISTICS && command != Command.QUERY_PORT_STATISTICS) {
                    assertThat(request.answer(again)).isEqualTo(response);
                }
            } catch (Refusal refused) {
                assertThat(refused.errno()).isEqualTo(Errno.EPROTO);
            }
        }
    }

    /** Often as long as it should be, with many small numbers, so that lists are read as well as refused. */
    private static Message random(Random random, int usual) {
        int length = switch (random.nextInt(4)) {
            case 0 -> random.nextInt(usual + 1);
            case 1 -> Math.min(Limits.MESSAGE, usual + random.nextInt(600));
            case 2 -> random.nextInt(Limits.MESSAGE + 1);
            default -> usual;
        };
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        if (random.nextBoolean()) {
            for (int at = 0; at < length; at++) {
                if ((at & 3) != 0 || random.nextInt(3) == 0) {
                    bytes[at] = 0;
                }
            }
        }
        return new Message(bytes, length);
    }

    @Test
    void headsNeedAllTheirBytes() {
        for (int length = 0; length < RequestHead.SIZE; length++) {
            Message message = new Message().clear(length);
            assertThatThrownBy(() -> RequestHead.decode(message)).isInstanceOf(Refusal.class)
                    .hasMessageContaining("40");
        }
        assertThatThrownBy(() -> ResponseHead.decode(new Message().clear(31))).isInstanceOf(Refusal.class);
    }

    @Test
    void listsThatOverflowAreRefused() {
        for (int count : new int[] {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, 0x2000_0000, 0x1fff_fff8, 505, 9}) {
            Message message = new CreateDmaRegion(0x8000, 0, 0, 8, new long[8])
                    .write(new Message(), 0, DeviceId.NONE, 0).put32(0x3c, count);
            assertThatThrownBy(() -> CreateDmaRegion.decode(message)).as("count %x", count)
                    .isInstanceOf(Refusal.class).hasMessageContaining("list");
        }
        Message steering = new ConfigureVportRx(1, 1, 1, true, true, true, 1, new byte[40], 1, new long[64])
                .write(new Message(), 0, DeviceId.ETHERNET, 0);
        assertThatThrownBy(() -> ConfigureVportRx.decode(steering.put16(0x32, 0x79))).isInstanceOf(Refusal.class);
        assertThatThrownBy(() -> ConfigureVportRx.decode(steering.put16(0x30, 65))).isInstanceOf(Refusal.class);
    }

    @Test
    void whatDoesNotFitIsNotSent() {
        CreateDmaRegion large = new CreateDmaRegion(1, 0, 0, 505, new long[CreateDmaRegion.MAX_PAGES + 1]);
        assertThatThrownBy(() -> large.write(new Message(), 0, DeviceId.NONE, 0)).isInstanceOf(Refusal.class);
        AddDmaRegionPages full = new AddDmaRegionPages(1, new long[AddDmaRegionPages.MAX_PAGES]);
        assertThat(full.write(new Message(), 0, DeviceId.NONE, 0).length()).isEqualTo(4096);
        Message message = new Message(new byte[64], 40);
        for (int offset : new int[] {-1, 33, 40, 41, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            assertThatThrownBy(() -> message.i64(offset)).isInstanceOf(Refusal.class);
            assertThatThrownBy(() -> message.put64(offset, 1)).isInstanceOf(Refusal.class);
            assertThatThrownBy(() -> message.bytes(offset, 8)).isInstanceOf(Refusal.class);
            assertThatThrownBy(() -> message.longs(offset, 1)).isInstanceOf(Refusal.class);
            assertThatThrownBy(() -> message.text(offset, 8)).isInstanceOf(Refusal.class);
        }
        assertThat(Arrays.stream(message.longs(32, 1)).sum()).isZero();
    }
}
