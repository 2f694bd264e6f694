package io.manafold.adapter.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.gdma.Doorbell;
import io.manafold.gdma.SharedMemory;
import io.manafold.gdma.message.Message;
import io.manafold.memory.RawMemory;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Bytes as a real driver writes and reads them. */
class ContractTest {
    private static final HexFormat HEX = HexFormat.of();

    @Test
    void theChannelIntroducesItself() {
        try (Bench bench = new Bench("intro"); RawDriver driver = new RawDriver(bench)) {
            AtomicInteger signals = new AtomicInteger();
            bench.function.interrupts().target(0, signals::incrementAndGet);
            assertThat(driver.establish()).isEqualTo(0x81);
            // the doorbell page first: a driver rings with what it has learnt from it
            assertThat(HEX.formatHex(driver.bytes(0, 0, 16))).isEqualTo("00000000000000000000000081000020");
            assertThat(HEX.formatHex(driver.bytes(0, 16, 16))).isEqualTo("01000001000000000000000082000020");
            assertThat(HEX.formatHex(driver.bytes(0, 32, 16))).isEqualTo("02000002000000000000000082000020");
            assertThat(HEX.formatHex(driver.bytes(0, 48, 16))).isEqualTo("03000003000000000000000082000020");
            assertThat(HEX.formatHex(driver.bytes(0, 64, 4))).isEqualTo("20000004");
            assertThat(HEX.formatHex(driver.bytes(0, 80, 4))).isEqualTo("00100005");
            assertThat(HEX.formatHex(driver.bytes(0, 96, 4))).isEqualTo("00100006");
            assertThat(HEX.formatHex(driver.bytes(0, 112, 4))).isEqualTo("00100007");
            assertThat(HEX.formatHex(driver.bytes(0, 160, 16))).isEqualTo("00000000000000000000000083000020");
            assertThat(driver.bytes(0, 176, 16)).containsOnly(0);
            assertThat(signals).hasValue(1);

            // with 5 of 11 consumed the doorbell raises the vector at once, with all of them it arms
            driver.ring(0, Doorbell.EVENT, 0x8000010500000000L);
            assertThat(signals).hasValue(2);
            driver.ring(0, Doorbell.EVENT, 0x8000010B00000000L);
            assertThat(signals).hasValue(2);
            assertThat(driver.destroy()).isEqualTo(0x82);
        }
    }

    @Test
    void theFirstCommandGoesRound() {
        try (Bench bench = new Bench("round"); RawDriver driver = new RawDriver(bench)) {
            driver.establish();
            AtomicInteger signals = new AtomicInteger();
            bench.function.interrupts().target(0, signals::incrementAndGet);
            int before = signals.get();
            driver.ring(0, Doorbell.EVENT, 0x8000010B00000000L);
            byte[] response = driver.call(HEX.parseHex("000000000a000000010000002c000000000000000a00000001000000"
                    + "20000000" + "0100000000000000" + "00000000"));
            assertThat(HEX.formatHex(response))
                    .isEqualTo("000000000a0000000100000020000000010000000000000000000000" + "00000000");
            assertThat(HEX.formatHex(driver.bytes(1, 0, 4))).isEqualTo("60000000");
            assertThat(HEX.formatHex(driver.bytes(1, 60, 4))).isEqualTo("03000021");
            assertThat(HEX.formatHex(driver.bytes(1, 64, 32))).isEqualTo("c1000000" + "0".repeat(16) + "00000000"
                    + "0".repeat(16) + "20000000" + "00000000");
            assertThat(HEX.formatHex(driver.bytes(1, 124, 4))).isEqualTo("02000020");
            // one completion event for both completions, then the test event
            assertThat(HEX.formatHex(driver.bytes(0, 176, 16))).isEqualTo("01000000000000000000000003000020");
            assertThat(HEX.formatHex(driver.bytes(0, 192, 16))).isEqualTo("00000000000000000000000040000020");
            assertThat(signals.get() - before).isEqualTo(1);
            assertThat(bench.adapter.rejections()).isEmpty();
        }
    }

    @Test
    void theCompletionQueueOwesOneEventForEachArming() {
        try (Bench bench = new Bench("arming"); RawDriver driver = new RawDriver(bench)) {
            driver.establish();
            byte[] list = request(0x03, 40, 296, 0);
            assertThat(driver.call(list)).hasSize(296);
            assertThat(driver.call(list)).hasSize(296);
            // event 11 told of the first; the driver has not armed the queue since
            assertThat(driver.bytes(0, 12 * 16, 16)).containsOnly(0);
            driver.ring(0, Doorbell.COMPLETION, Doorbell.completion(Channel.COMPLETION_QUEUE, 66, true));
            assertThat(RawMemory.get32(driver.at(0) + 12 * 16 + 12)).isEqualTo(0x20000003);
            driver.ring(0, Doorbell.COMPLETION, Doorbell.completion(Channel.COMPLETION_QUEUE, 68, true));
            assertThat(driver.bytes(0, 13 * 16, 16)).containsOnly(0);
            driver.call(list);
            assertThat(RawMemory.get32(driver.at(0) + 13 * 16 + 12)).isEqualTo(0x20000003);
        }
    }

    static byte[] request(int command, int length, int expected, int device) {
        byte[] bytes = new byte[length];
        Message message = new Message(bytes, length);
        message.put32(4, command).put16(8, 1).put32(0xc, length).put32(0x14, command).put16(0x18, 9)
                .put32(0x1c, expected).put32(0x20, device).put32(0x24, 77);
        return bytes;
    }

    @Test
    void anAnswerEchoesWhatIsAsked() {
        try (Bench bench = new Bench("echo", "ports", 3, "mtu", 1514); RawDriver driver = new RawDriver(bench)) {
            driver.establish();
            byte[] answer = driver.call(request(0x20001, 88, 80, 2));
            // code, version 3 of the 9 asked for, length, device, activity, status
            assertThat(HEX.formatHex(answer, 0, 32)).isEqualTo("00000000" + "01000200" + "03000000" + "50000000"
                    + "02000000" + "4d000000" + "00000000" + "00000000");
            assertThat(HEX.formatHex(answer, 0x40, 0x4a)).isEqualTo("0300" + "0000" + "00040000" + "ea05");
        }
    }

    @Test
    void moreRequestsThanOneAreAnsweredInOrder() {
        try (Bench bench = new Bench("deep"); RawDriver driver = new RawDriver(bench)) {
            driver.establish();
            byte[] list = request(0x03, 40, 296, 0);
            RawMemory.copy(list, 0, driver.at(RawDriver.REQUEST), list.length);
            for (int i = 0; i < Channel.DEPTH; i++) {
                driver.post();
            }
            for (int i = 0; i < Channel.DEPTH; i++) {
                driver.send(list.length);
            }
            driver.settle();
            driver.settle();
            for (int i = 0; i < Channel.DEPTH; i++) {
                assertThat(RawMemory.get32(driver.at(1) + (2 * i + 1) * 64 + 0x0c)).isEqualTo(32 * i);
            }
        }
    }

    @Test
    void whatTheApertureDoesNotKnowIsRefused() {
        try (Bench bench = new Bench("words"); RawDriver driver = new RawDriver(bench)) {
            int answer = driver.ask(new int[] {0, 0, 0, 0, 0, 0, 0, 5});
            assertThat(SharedMemory.type(answer)).isEqualTo(5);
            assertThat(SharedMemory.isResponse(answer)).isTrue();
            assertThat(SharedMemory.status(answer)).isNotZero();
            answer = driver.ask(new int[] {1, 2, 3, 4, 5, 6, 7, 1});
            assertThat(SharedMemory.status(answer)).isNotZero();
            assertThat(bench.adapter.rejections()).hasSize(2);
            assertThat(driver.establish()).isEqualTo(0x81);
        }
    }

    @Test
    void configurationSpaceIsThatOfTheFunction() {
        try (Bench bench = new Bench("config")) {
            AdapterFunction function = bench.function;
            assertThat(function.readConfig(0, 4)).isEqualTo(0x00ba1414);
            assertThat(function.readConfig(8, 4)).isEqualTo(0x02000000);
            function.writeConfig(0x10, 4, -1);
            function.writeConfig(0x14, 4, -1);
            assertThat(function.readConfig(0x10, 4)).isEqualTo(0xffe00004);
            assertThat(function.readConfig(0x14, 4)).isEqualTo(-1);
            function.writeConfig(0, 4, -1);
            assertThat(function.readConfig(0, 4)).isEqualTo(0x00ba1414);
            assertThat(function.readConfig(0x34, 1)).isEqualTo(0x40);
            assertThat(function.readConfig(0x40, 2)).isEqualTo(0x8010);
            assertThat(function.readConfig(0x44, 4) >>> 28 & 1).isEqualTo(1);
            assertThat(function.readConfig(0x80, 2)).isEqualTo(0x0011);
            assertThat(function.readConfig(0x82, 2)).isEqualTo(64);
            assertThat(function.readConfig(0x3fd, 4)).isEqualTo(-1);
            assertThat(function.bars()).hasSize(2);
            assertThat(function.bars().get(0).read64(0x08)).isEqualTo(0x100000);
            assertThat(function.bars().get(0).read32(0x10)).isEqualTo(0x1000);
            assertThat(function.bars().get(0).read64(0x18)).isEqualTo(0x400);
        }
    }

    @Test
    void aResetByTheDriverEndsTheChannel() {
        try (Bench bench = new Bench("flr"); RawDriver driver = new RawDriver(bench)) {
            driver.establish();
            bench.function.writeConfig(0x48, 2, 0x8000);
            assertThat(bench.function.session()).isNull();
            assertThat(bench.function.readConfig(0x48, 2)).isZero();
            assertThat(bench.function.bars().get(0).read32(0x41c)).isZero();
            RawMemory.clear(driver.at(0), RawDriver.PAGE);
            driver.post();
            driver.send(40);
            driver.settle();
            assertThat(driver.isUntouched(0)).isTrue();
            assertThat(driver.establish()).isEqualTo(0x81);
        }
    }
}
