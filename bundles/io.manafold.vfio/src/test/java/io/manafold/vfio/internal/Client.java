package io.manafold.vfio.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.linux.Descriptor;
import io.manafold.linux.Poll;
import io.manafold.linux.SystemCallException;
import io.manafold.linux.UnixSocket;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;

/** The other side of the protocol, spoken by hand. */
final class Client implements AutoCloseable {
    static final int VERSION = 1;
    static final int DMA_MAP = 2;
    static final int DMA_UNMAP = 3;
    static final int GET_INFO = 4;
    static final int GET_REGION_INFO = 5;
    static final int GET_IRQ_INFO = 7;
    static final int SET_IRQS = 8;
    static final int REGION_READ = 9;
    static final int REGION_WRITE = 10;
    static final int RESET = 13;
    static final int WRITE_MULTI = 15;
    static final int NO_REPLY = 0x10;
    static final int EINVAL = 22;

    /** What QEMU says first. */
    static final String CAPABILITIES = "{\"capabilities\": {\"pgsizes\": 4096, \"max_msg_fds\": 16, "
            + "\"max_dma_maps\": 65535, \"max_data_xfer_size\": 1048576, \"migration\": "
            + "{\"max_bitmap_size\": 268435456, \"pgsize\": 4096}, \"write_multiple\": true}}";

    record Reply(int id, int command, int size, int flags, int errno, ByteBuffer body) {
    }

    private static final int LIMIT = 20_000;

    private final UnixSocket socket;
    private final Poll answers = new Poll(1);
    private int nextId;

    Client(Path path) throws IOException {
        socket = UnixSocket.connect(path);
        socket.sendLimit(LIMIT);
        socket.receiveLimit(LIMIT);
        answers.add(socket.descriptor(), Poll.READABLE);
    }

    static Client greeted(Path path) throws IOException {
        Client client = new Client(path);
        assertThat(client.greet().errno()).isZero();
        return client;
    }

    Reply greet() throws IOException {
        byte[] text = (CAPABILITIES + "\0").getBytes(StandardCharsets.US_ASCII);
        return ask(VERSION, body(4 + text.length).putInt(0, 0).put(4, text));
    }

    static ByteBuffer body(int size) {
        return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    }

    Reply ask(int command, ByteBuffer body, Descriptor... with) throws IOException {
        int id = send(command, 0, body, with);
        Reply reply = receive();
        assertThat(reply.id()).isEqualTo(id);
        assertThat(reply.command()).isEqualTo(command);
        if (reply.errno() != 0) {
            assertThat(reply.flags()).isEqualTo(0x21);
            assertThat(reply.size()).isEqualTo(16);
        } else {
            assertThat(reply.flags()).isEqualTo(1);
        }
        return reply;
    }

    int send(int command, int flags, ByteBuffer body, Descriptor... with) throws IOException {
        int id = nextId++ & 0xffff;
        raw(message(id, command, flags, body), with);
        return id;
    }

    static byte[] message(int id, int command, int flags, ByteBuffer body) {
        ByteBuffer message = body(16 + body.capacity());
        message.putShort(0, (short) id).putShort(2, (short) command).putInt(4, message.capacity()).putInt(8, flags);
        message.put(16, body.array());
        return message.array();
    }

    void raw(byte[] bytes, Descriptor... with) throws IOException {
        socket.send(bytes, 0, bytes.length, Arrays.stream(with).mapToInt(Descriptor::number).toArray());
    }

    Reply receive() throws IOException {
        ByteBuffer header = exactly(16);
        int size = header.getInt(4);
        return new Reply(header.getShort(0) & 0xffff, header.getShort(2), size, header.getInt(8), header.getInt(12),
                exactly(size - 16));
    }

    private ByteBuffer exactly(int size) throws IOException {
        byte[] bytes = new byte[size];
        int have = 0;
        while (have < size) {
            int count;
            try {
                count = socket.receive(bytes, have, size - have);
            } catch (SystemCallException failed) {
                count = failed.errno() == 104 ? -1 : fail(failed);
            }
            if (count < 0) {
                throw new EOFException("the server closed");
            }
            have += count;
        }
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static int fail(SystemCallException failed) throws SystemCallException {
        throw failed;
    }

    /** Whether the server closes the connection, whatever it says before. */
    boolean isTurnedOut() throws IOException {
        try {
            while (true) {
                receive();
            }
        } catch (EOFException closed) {
            return true;
        }
    }

    /** Whether the server parts as it should: with an end of the stream, not with a connection that is reset. */
    boolean isPartedFromInPeace() throws IOException {
        byte[] answer = new byte[1 << 12];
        int count;
        do {
            count = socket.receive(answer, 0, answer.length);
        } while (count > 0);
        return count < 0;
    }

    /** Whether an answer is there already. */
    boolean hasAnswer(int millis) throws IOException {
        return answers.await(millis) > 0;
    }

    Reply map(long address, long size, long offset, int flags, Descriptor... with) throws IOException {
        return ask(DMA_MAP, mapBody(address, size, offset, flags), with);
    }

    static ByteBuffer mapBody(long address, long size, long offset, int flags) {
        return body(32).putInt(0, 32).putInt(4, flags).putLong(8, offset).putLong(16, address).putLong(24, size);
    }

    Reply unmap(long address, long size) throws IOException {
        return ask(DMA_UNMAP, unmapBody(address, size, 0));
    }

    static ByteBuffer unmapBody(long address, long size, int flags) {
        return body(24).putInt(0, 24).putInt(4, flags).putLong(8, address).putLong(16, size);
    }

    Reply read(int region, long offset, int count) throws IOException {
        return ask(REGION_READ, body(16).putLong(0, offset).putInt(8, region).putInt(12, count));
    }

    static ByteBuffer writeBody(int region, long offset, byte... data) {
        return body(16 + data.length).putLong(0, offset).putInt(8, region).putInt(12, data.length).put(16, data);
    }

    Reply write(int region, long offset, byte... data) throws IOException {
        return ask(REGION_WRITE, writeBody(region, offset, data));
    }

    Reply setIrqs(int flags, int index, int start, int count, Descriptor... with) throws IOException {
        return ask(SET_IRQS, irqBody(flags, index, start, count, 0), with);
    }

    static ByteBuffer irqBody(int flags, int index, int start, int count, int more) {
        return body(20 + more).putInt(0, 20 + more).putInt(4, flags).putInt(8, index).putInt(12, start)
                .putInt(16, count);
    }

    static byte[] eight(long value) {
        return body(8).putLong(0, value).array();
    }

    @Override
    public void close() {
        socket.close();
    }
}
