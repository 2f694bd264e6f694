package io.manafold.vfio.internal;

import io.manafold.linux.Descriptor;
import io.manafold.linux.Linux;
import io.manafold.linux.SystemCallException;
import io.manafold.linux.UnixListener;
import io.manafold.linux.UnixSocket;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The lender of a small function, spoken by hand: its answers can be bent before they go. */
final class Lender implements AutoCloseable {
    /** What is sent in place of an answer; nothing if {@code null}. */
    interface Bend {
        byte[] bend(int command, byte[] answer, UnixSocket to) throws IOException;
    }

    private final UnixListener listener;
    private final Bend bend;
    private final Thread thread;
    private volatile UnixSocket client;
    /** Whether reads of the eventfds that it is given wait from then on, for all who share them. */
    volatile boolean blocks;

    Lender(Path path, Bend bend) throws IOException {
        this.bend = bend;
        listener = UnixListener.listen(path);
        thread = Thread.ofPlatform().daemon().name("lender").start(this::run);
    }

    private void run() {
        try (UnixSocket socket = listener.accept()) {
            client = socket;
            while (true) {
                List<Descriptor> with = new ArrayList<>();
                ByteBuffer header = exactly(socket, 16, with);
                ByteBuffer body = exactly(socket, header.getInt(4) - 16, with);
                for (Descriptor one : with) {
                    if (blocks) {
                        Linux.blocking(one.number(), true);
                    }
                    one.close();
                }
                if ((header.getInt(8) & 0x1f) == 0) {
                    byte[] answer = bend.bend(header.getShort(2), answer(header, body), socket);
                    if (answer != null) {
                        socket.send(answer, 0, answer.length);
                    }
                }
            }
        } catch (IOException over) {
            // the other side has left
            return;
        }
    }

    private static ByteBuffer exactly(UnixSocket from, int size, List<Descriptor> with) throws IOException {
        byte[] bytes = new byte[size];
        int have = 0;
        while (have < size) {
            int count = from.receive(bytes, have, size - have, with);
            if (count < 0) {
                throw new SystemCallException("the end", 5);
            }
            have += count;
        }
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static byte[] answer(ByteBuffer header, ByteBuffer body) {
        ByteBuffer reply = switch (header.getShort(2)) {
            case Client.VERSION -> version();
            case Client.GET_INFO -> room(16).putInt(0, 16).putInt(4, 3).putInt(8, 9).putInt(12, 5);
            case Client.GET_REGION_INFO -> region(body.getInt(8));
            case Client.GET_IRQ_INFO -> room(16).putInt(0, 16).putInt(4, 1).putInt(8, 2).putInt(12, 17);
            case Client.REGION_READ -> room(16 + body.getInt(12)).put(0, body, 0, 16);
            case Client.REGION_WRITE -> room(16).put(0, body, 0, 16);
            case Client.DMA_UNMAP -> room(24).put(0, body, 0, 24);
            default -> room(0);
        };
        ByteBuffer message = room(16 + reply.capacity());
        message.putShort(0, header.getShort(0)).putShort(2, header.getShort(2)).putInt(4, message.capacity())
                .putInt(8, 1).put(16, reply, 0, reply.capacity());
        return message.array();
    }

    private static ByteBuffer version() {
        byte[] text = "{\"capabilities\":{\"max_msg_fds\":16,\"write_multiple\":true}}\0"
                .getBytes(StandardCharsets.US_ASCII);
        return room(4 + text.length).put(4, text);
    }

    private static ByteBuffer region(int index) {
        long size = index == 0 ? 1 << 20 : index == 7 ? 4096 : 0;
        return room(32).putInt(0, 32).putInt(4, size == 0 ? 0 : 3).putInt(8, index).putLong(16, size);
    }

    static ByteBuffer room(int size) {
        return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public void close() {
        listener.close();
        UnixSocket there = client;
        if (there != null) {
            there.close();
        }
        try {
            thread.join();
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }
}
