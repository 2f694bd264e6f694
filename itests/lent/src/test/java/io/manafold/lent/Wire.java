package io.manafold.lent;

import io.manafold.linux.Descriptor;
import io.manafold.linux.UnixSocket;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.stream.IntStream;

/** The borrower's end of a vfio-user socket. Any thread may ask; a question and its answer go together. */
final class Wire implements AutoCloseable {
    static final int VERSION = 1;
    static final int DMA_MAP = 2;
    static final int DMA_UNMAP = 3;
    static final int GET_REGION_INFO = 5;
    static final int GET_IRQ_INFO = 7;
    static final int SET_IRQS = 8;
    static final int REGION_READ = 9;
    static final int REGION_WRITE = 10;
    static final int RESET = 13;

    private static final int HEADER = 16;
    private static final int POSTED = 0x10;
    private static final int LIMIT = 60_000;

    private final UnixSocket socket;
    private int next;

    Wire(Path path) throws IOException {
        socket = UnixSocket.connect(path);
        socket.sendLimit(LIMIT);
        socket.receiveLimit(LIMIT);
        byte[] text = "{\"capabilities\":{\"max_msg_fds\":16,\"max_data_xfer_size\":1048576}}\0"
                .getBytes(StandardCharsets.US_ASCII);
        answer(VERSION, body(4 + text.length).put(4, text));
    }

    /** What the other end refuses. */
    static final class RefusedByServer extends RuntimeException {
        private static final long serialVersionUID = 1;

        final int errno;

        RefusedByServer(int command, int errno) {
            super("command " + command + " is answered with errno " + errno);
            this.errno = errno;
        }
    }

    static ByteBuffer body(int size) {
        return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Asks and waits; the answer's body. */
    synchronized ByteBuffer answer(int command, ByteBuffer body, int... descriptors) {
        try {
            int id = send(command, 0, body, descriptors);
            ByteBuffer header = exactly(HEADER);
            ByteBuffer answer = exactly(header.getInt(4) - HEADER);
            if ((header.getShort(0) & 0xffff) != id || header.getShort(2) != command) {
                throw new IllegalStateException("an answer to another question: " + header.getShort(2));
            }
            if (header.getInt(12) != 0) {
                throw new RefusedByServer(command, header.getInt(12));
            }
            return answer;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Asks for something that is not answered. */
    synchronized void post(int command, ByteBuffer body, Descriptor... with) {
        try {
            send(command, POSTED, body, IntStream.range(0, with.length).map(i -> with[i].number()).toArray());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private int send(int command, int flags, ByteBuffer body, int... descriptors) throws IOException {
        int id = next++ & 0xffff;
        ByteBuffer message = body(HEADER + body.capacity());
        message.putShort(0, (short) id).putShort(2, (short) command).putInt(4, message.capacity()).putInt(8, flags);
        message.put(HEADER, body.array());
        socket.send(message.array(), 0, message.capacity(), descriptors);
        return id;
    }

    private ByteBuffer exactly(int size) throws IOException {
        byte[] bytes = new byte[size];
        int have = 0;
        while (have < size) {
            int count = socket.receive(bytes, have, size - have);
            if (count < 0) {
                throw new EOFException("the server closed");
            }
            have += count;
        }
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public void close() {
        socket.close();
    }
}
