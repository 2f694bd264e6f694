package io.manafold.lent;

import io.manafold.adapter.internal.TestAdapter;
import io.manafold.gdma.Command;
import io.manafold.gdma.DeviceId;
import io.manafold.gdma.driver.ChannelLimits;
import io.manafold.gdma.driver.CommandRefused;
import io.manafold.gdma.driver.EthernetSession;
import io.manafold.gdma.message.CreateDmaRegion;
import io.manafold.gdma.message.CreateMr;
import io.manafold.gdma.message.CreatePd;
import io.manafold.gdma.message.Message;
import io.manafold.linux.Descriptor;
import io.manafold.linux.Memfd;
import io.manafold.memory.DmaArena;
import io.manafold.testkit.PortSession;
import io.manafold.testkit.PortSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;

/** One client that takes what it can get and sends what it likes; after each step the test looks what that has cost. */
final class Attack {
    private static final long ARENA = 0x1_0000_0000L;
    private static final long MAPS = 0x100_0000_0000L;
    private static final int PAGE = 4096;
    private static final int MESSAGES = 4_000;

    private final TestAdapter adapter;
    private final Borrowed function;
    private final Random random;
    private final Runnable look;

    Attack(TestAdapter adapter, Borrowed function, long seed, Runnable look) {
        this.adapter = adapter;
        this.function = function;
        this.random = new Random(seed);
        this.look = look;
    }

    /** Goes through all of it; the client is left with all that it could get hold of. */
    void run() throws IOException {
        maps(false);
        takeEverything();
        channelMessages();
        maps(true);
    }

    /** Sends what is no protocol; a server that has enough of it may well turn the client out. */
    void noise() throws IOException {
        try {
            socketMessages();
        } catch (UncheckedIOException turnedOut) {
            look.run();
        }
    }

    /** Maps the same page over and over until that is refused, and as many ranges that nothing lies behind. */
    private void maps(boolean keep) throws IOException {
        try (Memfd ram = Memfd.create("hostile", PAGE)) {
            untilRefused(i -> map(MAPS + i * 2L * PAGE, ram.descriptor().number()));
            untilRefused(i -> map(-MAPS + i * 2L * PAGE));
            look.run();
        }
        if (!keep) {
            function.dma().clear().toCompletableFuture().join();
        }
    }

    private void map(long address, int... file) {
        function.wire().answer(Wire.DMA_MAP, Wire.body(32).putInt(0, 32).putInt(4, 3).putLong(16, address)
                .putLong(24, PAGE), file);
    }

    private interface Step {
        void take(int number);
    }

    private static int untilRefused(Step step) {
        for (int i = 0;; i++) {
            try {
                step.take(i);
            } catch (CommandRefused | Wire.RefusedByServer enough) {
                return i;
            }
        }
    }

    /** As many objects of each kind as are given out. */
    private void takeEverything() {
        try (DmaArena memory = new DmaArena(function.dma(), "hostile", ARENA, 16 << 20)) {
            EthernetSession session = EthernetSession.open(function, memory, ChannelLimits.USUAL, (type, data) -> { });
            new PortSession(session, 0, PortSettings.small(8), (at, length, flags, hash) -> { });
            untilRefused(i -> session.client().createEventQueue(PAGE, i % 64 + 1));
            long domain = session.function().channel().call(DeviceId.NONE, new CreatePd(1)).handle();
            untilRefused(i -> session.function().channel().call(DeviceId.NONE, new CreatePd(0)));
            untilRefused(i -> session.function().channel().call(DeviceId.NONE,
                    new CreateMr(domain, CreateMr.PHYSICAL, 0, 0, CreateMr.LOCAL_WRITE, 0)));
            // complete ones, then many that are only announced, then the largest that still fit
            regions(session, 504, 504);
            regions(session, 0, 1 << 18);
            regions(session, 0, 1);
            look.run();
            session.function().channel().close();
            function.interrupts().clear();
        }
    }

    /** At most an eighth of what is allowed at once, so that each kind gets its share. */
    private static void regions(EthernetSession session, int given, int pages) {
        long[] addresses = new long[given];
        Arrays.setAll(addresses, i -> ARENA + (long) i * PAGE);
        for (int i = 0; i < 4096; i++) {
            int status = session.function().channel().exchange(DeviceId.NONE,
                    new CreateDmaRegion((long) pages * PAGE, 0, 0, pages, addresses)).status();
            if (status != 0 && status != 0x105) {
                return;
            }
        }
    }

    /** Messages of known commands with random fields; what is refused is recorded, with its bytes. */
    private void channelMessages() {
        try (RawChannel channel = new RawChannel(adapter, function)) {
            Command[] commands = Command.values();
            for (int i = 0; i < MESSAGES; i++) {
                Command command = commands[random.nextInt(commands.length)];
                int length = random.nextInt(4) == 0 ? random.nextInt(40, 4097) : Math.max(40, command.requestSize());
                byte[] bytes = new byte[length];
                new Message(bytes, length).put32(4, command.code()).put16(8, 1).put32(0xc, length)
                        .put32(0x14, command.code()).put16(0x18, 9).put32(0x1c, command.responseSize())
                        .put32(0x20, command.isEthernet() || random.nextBoolean() ? 2 : 0);
                spoil(bytes);
                channel.send(bytes);
                if (adapter.adapter().state().equals("failed")) {
                    channel.establish();
                }
                if (i % 100 == 0) {
                    adapter.adapter().rejections();
                }
            }
            look.run();
        }
    }

    private void spoil(byte[] message) {
        for (int at = 40; at + 4 <= message.length; at += 4) {
            int value = switch (random.nextInt(6)) {
                case 0 -> random.nextInt();
                case 1 -> 1 << random.nextInt(32);
                case 2 -> 0x1000 + random.nextInt(4);
                case 3 -> (int) RawChannel.dma(random.nextInt(8) + 8);
                default -> random.nextInt(5);
            };
            if (random.nextBoolean()) {
                for (int i = 0; i < 4; i++) {
                    message[at + i] = (byte) (value >> 8 * i);
                }
            }
        }
    }

    /** Messages of the socket's own protocol that are not answered, with files or without. */
    private void socketMessages() throws IOException {
        try (Memfd ram = Memfd.create("hostile", 1 << 16)) {
            for (int i = 0; i < MESSAGES; i++) {
                int size = new int[] {0, 16, 20, 24, 32, 64, 32_768}[random.nextInt(7)];
                ByteBuffer body = Wire.body(size);
                for (int at = 0; at + 4 <= Math.min(size, 64); at += 4) {
                    body.putInt(at, switch (random.nextInt(6)) {
                        case 0 -> random.nextInt();
                        case 1 -> -1;
                        case 2 -> size;
                        case 3 -> PAGE * random.nextInt(16);
                        default -> random.nextInt(40);
                    });
                }
                Descriptor[] with = new Descriptor[random.nextInt(4) == 0 ? random.nextInt(1, 3) : 0];
                Arrays.fill(with, ram.descriptor());
                function.wire().post(random.nextInt(2, 20), body, with);
            }
            // answered when all before it have been dealt with
            function.readConfig(0, 4);
            look.run();
        }
    }
}
