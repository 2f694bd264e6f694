package io.manafold.adapter.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.adapter.Fault;
import io.manafold.api.adapter.ObjectLimit;
import io.manafold.gdma.Command;
import io.manafold.gdma.Doorbell;
import io.manafold.gdma.Status;
import io.manafold.gdma.driver.EthernetSession;
import io.manafold.gdma.message.Message;
import io.manafold.gdma.message.QueryVportConfig;
import io.manafold.memory.DmaArena;
import io.manafold.memory.RawMemory;
import io.manafold.testkit.PortSession;
import io.manafold.testkit.PortSettings;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Drivers that break the contract: nothing is thrown, nothing grows, and the next driver finds all in order. */
class HostileDriverTest {
    private static void isAsNew(Bench bench) {
        bench.function.reset();
        bench.function.dma().clear();
        try (DmaArena memory = bench.memory(8); EthernetSession session = bench.session(memory);
                PortSession port = new PortSession(session, 0, PortSettings.small(1),
                        (at, length, flags, hash) -> { })) {
            assertThat(session.call(new QueryVportConfig(0)).mac()).isEqualTo(port.mac());
        }
    }

    @Test
    void randomMessagesAreAnswered() {
        Random random = new Random(20261122);
        try (Bench bench = new Bench("messages", "ports", 2); RawDriver driver = new RawDriver(bench)) {
            driver.establish();
            Command[] commands = Command.values();
            for (int round = 0; round < 20_000; round++) {
                Command command = commands[random.nextInt(commands.length)];
                int length = random.nextInt(10) == 0 ? random.nextInt(4097) : command.requestSize();
                byte[] message = ContractTest.request(command.code(), Math.max(40, length), command.responseSize(),
                        command.isEthernet() || random.nextBoolean() ? 2 : 0);
                spoil(random, message);
                byte[] response = driver.call(message);
                if (response == null || bench.function.session().channel().isBroken()) {
                    assertThat(driver.establish()).isEqualTo(0x81);
                } else {
                    assertThat(response.length).isBetween(32, 4096);
                }
                if (round % 64 == 0) {
                    rearm(driver);
                }
            }
            assertThat(bench.adapter.rejections().size()).isBetween(10, 64);
            driver.destroy();
            isAsNew(bench);
        }
    }

    /** Small numbers meet existing objects more often than large ones. */
    private static void spoil(Random random, byte[] message) {
        for (int at = 40; at + 4 <= message.length; at += 4) {
            int value = switch (random.nextInt(6)) {
                case 0 -> random.nextInt();
                case 1 -> 1 << random.nextInt(32);
                case 2 -> 0x900;
                case 3 -> 0x1000 + random.nextInt(4);
                case 4 -> (int) RawDriver.dma(random.nextInt(8) + 8);
                default -> random.nextInt(5);
            };
            if (random.nextBoolean()) {
                for (int i = 0; i < 4; i++) {
                    message[at + i] = (byte) (value >> 8 * i);
                }
            }
        }
        if (random.nextInt(20) == 0) {
            message[random.nextInt(40)] = (byte) random.nextInt();
        }
    }

    private static void rearm(RawDriver driver) {
        driver.ring(0, Doorbell.COMPLETION, Doorbell.completion(Channel.COMPLETION_QUEUE, driver.consumed, true));
    }

    @Test
    void randomDoorbellsAndRegistersDoNothingBad() {
        Random random = new Random(7);
        try (Bench bench = new Bench("bells"); RawDriver driver = new RawDriver(bench)) {
            driver.establish();
            for (int round = 0; round < 200_000; round++) {
                int id = random.nextBoolean() ? random.nextInt(24) : random.nextInt(1 << 24);
                int slot = switch (random.nextInt(5)) {
                    case 0 -> Doorbell.SEND;
                    case 1 -> Doorbell.RECEIVE;
                    case 2 -> Doorbell.COMPLETION;
                    case 3 -> Doorbell.EVENT;
                    default -> random.nextInt(512) * 8;
                };
                driver.ring(random.nextInt(3), slot, id & 0xff_ffffL | random.nextLong() << 32);
                if (round % 100 == 0) {
                    driver.bar.write32(random.nextInt(0x200000 / 4) * 4L, random.nextInt());
                    driver.bar.write64(random.nextInt(0x400 / 8) * 8L, random.nextLong());
                    driver.bar.read32(random.nextInt());
                    driver.bar.read64(random.nextLong());
                    driver.bar.write64(random.nextLong(), random.nextLong());
                    driver.bar.write32(random.nextLong(), random.nextInt());
                }
            }
            assertThat(bench.adapter.rejections().size()).isLessThanOrEqualTo(64);
            isAsNew(bench);
        }
    }

    @Test
    void randomApertureWordsAndConfigurationDoNothingBad() {
        Random random = new Random(11);
        try (Bench bench = new Bench("aperture"); RawDriver driver = new RawDriver(bench)) {
            int fixed = bench.function.readConfig(0, 4);
            for (int round = 0; round < 3_000; round++) {
                int[] words = new int[8];
                for (int i = 0; i < 8; i++) {
                    words[i] = random.nextBoolean() ? random.nextInt() : (int) (RawDriver.dma(i) >> 12);
                }
                words[7] = random.nextInt(4) == 0 ? random.nextInt() : random.nextInt(4);
                assertThat(driver.ask(words)).isNotNegative();
                int offset = random.nextInt(4096);
                if (offset != 0x48 && offset != 0x49) {
                    bench.function.writeConfig(offset, 1 << random.nextInt(3), random.nextInt());
                }
                bench.function.readConfig(random.nextInt(), random.nextInt());
            }
            assertThat(bench.function.readConfig(0, 4)).isEqualTo(fixed);
            isAsNew(bench);
        }
    }

    @Test
    void randomWorkRequestsOnTheChannelEndItAtWorst() {
        Random random = new Random(13);
        try (Bench bench = new Bench("requests"); RawDriver driver = new RawDriver(bench)) {
            for (int round = 0; round < 3_000; round++) {
                driver.establish();
                for (int page = 2; page < 6; page++) {
                    for (int at = 0; at < RawDriver.PAGE; at += 8) {
                        long word = random.nextInt(3) == 0 ? random.nextLong() : random.nextInt(2) == 0
                                ? RawDriver.dma(random.nextInt(8)) : random.nextInt(0x700) | (long) driver.key << 32;
                        RawMemory.put64(driver.at(page) + at, word);
                    }
                }
                driver.ring(0, Doorbell.RECEIVE, Doorbell.work(Channel.RECEIVE_QUEUE, 32 * random.nextInt(129)));
                driver.ring(0, Doorbell.SEND, Doorbell.work(Channel.SEND_QUEUE, 32 * random.nextInt(129)));
                driver.settle();
            }
            isAsNew(bench);
        }
    }

    @Test
    void memoryThatGoesAwayIsNotTouched() {
        try (Bench bench = new Bench("vanish"); RawDriver driver = new RawDriver(bench)) {
            driver.establish();
            driver.post();
            bench.function.dma().clear().toCompletableFuture().join();
            driver.send(40);
            driver.settle();
            assertThat(bench.function.session().channel().isBroken()).isTrue();
            assertThat(bench.adapter.state()).isEqualTo("failed");
            bench.function.dma().map(Bench.BASE, driver.block.size(), driver.block.fd(), 0, true);
            assertThat(driver.establish()).isEqualTo(0x81);
        }
    }

    @Test
    void aChannelThatBrokeBeforeALateAnswerHasNothingMoreToDo() {
        try (Bench bench = new Bench("tardy"); RawDriver driver = new RawDriver(bench)) {
            driver.establish();
            bench.adapter.inject(new Fault("late", null, Fault.Effect.LATE, 0, 3_600_000_000_000L, true));
            assertThat(driver.call(ContractTest.request(Command.LIST_DEVICES.code(), 40, 296, 0))).isNull();
            // a request without pieces
            RawMemory.clear(driver.at(3) + driver.sent, 32);
            driver.ring(0, Doorbell.SEND, Doorbell.work(Channel.SEND_QUEUE, driver.sent + 32));
            driver.settle();
            assertThat(bench.function.session().channel().isBroken()).isTrue();
            long[] rest = new long[1];
            bench.function.control().await(() -> rest[0] = bench.function.session().work());
            assertThat(rest[0]).as("when it has something to do").isEqualTo(Long.MAX_VALUE);
        }
    }

    @Test
    void objectsAreBounded() {
        try (Bench bench = new Bench("greedy"); RawDriver driver = new RawDriver(bench)) {
            driver.establish();
            int made = 0;
            byte[] pd = ContractTest.request(Command.CREATE_PD.code(), 48, 48, 0);
            while (status(driver.call(pd)) == Status.SUCCESS) {
                made++;
                rearm(driver);
                assertThat(made).isLessThanOrEqualTo(ObjectLimit.PROTECTION_DOMAINS.most());
            }
            assertThat(status(driver.call(pd))).isEqualTo(Status.NO_RESOURCES);

            byte[] region = ContractTest.request(Command.CREATE_DMA_REGION.code(), 64, 40, 0);
            Message large = new Message(region, 64);
            large.put64(0x28, 4096L << 18).put32(0x38, 1 << 18);
            int pages = 0;
            while (status(driver.call(region)) == Status.MORE_ENTRIES) {
                pages += 1 << 18;
                assertThat(pages).isLessThanOrEqualTo(ObjectLimit.REGION_PAGES.most());
            }
            assertThat(bench.adapter.usage().get("region_pages")).isEqualTo(ObjectLimit.REGION_PAGES.most());
            isAsNew(bench);
            assertThat(bench.adapter.usage()).doesNotContainKey("region_pages");
        }
    }

    private static int status(byte[] response) {
        return new Message(response, response.length).i32(0x18);
    }
}
