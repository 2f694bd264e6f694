package io.manafold.lent;

import io.manafold.adapter.internal.TestAdapter;
import io.manafold.hostile.Parts;
import io.manafold.hostile.Taker;
import io.manafold.linux.Memfd;
import io.manafold.linux.SystemCallException;
import io.manafold.linux.UnixSocket;
import io.manafold.vfio.internal.BareExport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What a client sends on the socket of a lent function; the first byte of each part says how many files go with it. */
public final class SocketStreams implements Taker {
    private static final int MOST_FILES = 16;
    private static final long PATIENCE = 60_000_000_000L;

    private final Path folder = Files.createTempDirectory("hostile");
    private final Path path = folder.resolve("one.sock");
    private final TestAdapter adapter = new TestAdapter("one", "ports", 2, "queues", 4);
    private final BareExport export = new BareExport("one", adapter.function(), path);
    private final Memfd memory = Memfd.create("client", 1 << 16);

    public SocketStreams() throws IOException {
    }

    @Override
    public void take(byte[] input) throws Exception {
        Footprint before = Footprint.now();
        try (UnixSocket socket = UnixSocket.connect(path)) {
            Thread reader = Thread.ofPlatform().daemon().start(() -> readAll(socket));
            try {
                for (byte[] part : Parts.of(input)) {
                    if (part.length > 1) {
                        int[] files = new int[(part[0] & 0xff) % (MOST_FILES + 1)];
                        Arrays.fill(files, memory.descriptor().number());
                        socket.send(part, 1, part.length - 1, files);
                    }
                }
                socket.endOfSending();
            } catch (SystemCallException turnedOut) {
                // by a server that has found the protocol broken
            }
            reader.join();
        }
        awaitGone();
        new Wire(path).close();
        awaitGone();
        if (!Footprint.now().isWithin(before, 8)) {
            throw new AssertionError("from " + before + " to " + Footprint.now());
        }
    }

    private static void readAll(UnixSocket socket) {
        byte[] answers = new byte[1 << 16];
        try {
            while (socket.receive(answers, 0, answers.length) >= 0) {
                // read, so that the server never waits for this client
            }
        } catch (SystemCallException closed) {
            // by the server, or by this client at its end
        }
    }

    private void awaitGone() throws InterruptedException {
        long begin = System.nanoTime();
        while (export.connected() || adapter.function().dma().ranges() > 0) {
            if (System.nanoTime() - begin > PATIENCE) {
                throw new AssertionError("the client has gone, but what it had has not");
            }
            Thread.sleep(1);
        }
    }

    @Override
    public List<byte[]> seeds() {
        byte[] text = "{\"capabilities\":{\"max_msg_fds\":16,\"max_data_xfer_size\":1048576}}\0"
                .getBytes(StandardCharsets.US_ASCII);
        byte[] version = message(0, Wire.VERSION, Wire.body(4 + text.length).put(4, text));
        byte[] map = message(1, Wire.DMA_MAP, Wire.body(32).putInt(0, 32).putInt(4, 3).putLong(16, 1L << 32)
                .putLong(24, 1 << 16));
        byte[] unmap = message(0, Wire.DMA_UNMAP, Wire.body(24).putInt(0, 24).putLong(8, 1L << 32)
                .putLong(16, 1 << 16));
        byte[] reset = message(0, Wire.RESET, Wire.body(0));
        List<byte[]> asks = new ArrayList<>(List.of(version, message(0, 4, Wire.body(16).putInt(0, 16))));
        for (int region = 0; region < 9; region++) {
            asks.add(message(0, Wire.GET_REGION_INFO, Wire.body(32).putInt(0, 32).putInt(8, region)));
        }
        for (int index = 0; index < 5; index++) {
            asks.add(message(0, Wire.GET_IRQ_INFO, Wire.body(16).putInt(0, 16).putInt(4, index)));
        }
        byte[] config = message(0, Wire.REGION_READ, Wire.body(16).putInt(8, 7).putInt(12, 64));
        byte[] bar = message(0, Wire.REGION_READ, Wire.body(16).putLong(0, 0x400).putInt(8, 0).putInt(12, 4));
        byte[] command = message(0, Wire.REGION_WRITE, Wire.body(18).putLong(0, 4).putInt(8, 7).putInt(12, 2)
                .put(16, (byte) 6));
        byte[] doorbell = message(0, Wire.REGION_WRITE, Wire.body(24).putLong(0, 0x100000).putInt(8, 0).putInt(12, 8));
        byte[] several = message(0, 15, Wire.body(8 + 2 * 24).putLong(0, 2).putLong(8, 0x100000).putInt(20, 8)
                .putLong(32, 0x400).putInt(44, 4));
        byte[] vectors = message(2, Wire.SET_IRQS, Wire.body(20).putInt(0, 20).putInt(4, 4 | 32).putInt(8, 2)
                .putInt(16, 2));
        byte[] none = message(0, Wire.SET_IRQS, Wire.body(20).putInt(0, 20).putInt(4, 1 | 32).putInt(8, 2));
        return List.of(Parts.joined(asks), Parts.joined(List.of(version, map, config, bar, unmap, reset)),
                Parts.joined(List.of(version, map, command, doorbell, several, vectors, none, reset)));
    }

    private static byte[] message(int files, int command, ByteBuffer body) {
        ByteBuffer part = Wire.body(1 + 16 + body.capacity());
        part.put(0, (byte) files).putShort(3, (short) command).putInt(5, 16 + body.capacity());
        return part.put(17, body.array()).array();
    }

    @Override
    public void close() throws IOException {
        export.close();
        adapter.close();
        memory.close();
        Files.deleteIfExists(path);
        Files.deleteIfExists(folder);
    }
}
