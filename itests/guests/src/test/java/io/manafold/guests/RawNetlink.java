package io.manafold.guests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Plain messages of netlink over a Unix socket, to a kernel or to our server. Recordings have numbers of their own for
 * family and device; here they become those of the one that is asked, and back.
 */
final class RawNetlink implements AutoCloseable {
    static final int ERROR = 2;
    private static final int DONE = 3;
    private static final int CONTROLLER = 16;
    private static final int FAMILY = 0x1c;
    private static final int DEVICE = 2;
    private static final int ACK = 4;
    private static final int WITH_ATTRIBUTES = 0x200;
    private static final int DUMP = 0x300;
    private static final int GENERIC_HEADER = 20;
    private static final int ERROR_HEADER = 36;
    private static final int CAPABILITIES = 5;
    private static final int TEXT = 1;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final SocketChannel channel;
    private final int device;
    private final int family;

    /** @param device the number of the device there */
    RawNetlink(Path socket, int device) {
        try {
            this.channel = SocketChannel.open(StandardProtocolFamily.UNIX);
            channel.connect(UnixDomainSocketAddress.of(socket));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        this.device = device;
        this.family = resolve();
    }

    static int type(byte[] message) {
        return get16(message, 4);
    }

    static int get16(byte[] from, int at) {
        return buffer(from).getShort(at) & 0xffff;
    }

    private static int get32(byte[] from, int at) {
        return buffer(from).getInt(at);
    }

    private static ByteBuffer buffer(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
    }

    private int resolve() {
        byte[] name = "net-shaper\0".getBytes(StandardCharsets.UTF_8);
        byte[] request = new byte[GENERIC_HEADER + 4 + 12];
        buffer(request).putInt(0, request.length).putShort(4, (short) CONTROLLER).putShort(6, (short) (1 | ACK))
                .putInt(8, 1).put(16, (byte) 3).put(17, (byte) 1).putShort(20, (short) (4 + name.length))
                .putShort(22, (short) 2).put(24, name);
        int[] number = new int[1];
        eachAttribute(exchange(request).getFirst(), GENERIC_HEADER, (at, type, _) -> number[0] = type == 1 ? at
                : number[0]);
        assertThat(number[0]).as("where the controller names the family").isPositive();
        return get16(exchange(request).getFirst(), number[0] + 4);
    }

    private interface Attribute {
        void at(int at, int type, int length);
    }

    private static void eachAttribute(byte[] message, int from, Attribute visitor) {
        int at = from;
        while (message.length - at >= 4) {
            int length = get16(message, at);
            if (length < 4 || length > message.length - at) {
                return;
            }
            visitor.at(at, get16(message, at + 2), length);
            at += Math.min(length + 3 & ~3, message.length - at);
        }
    }

    /** Asks what a recording asks; answers as a recording has it. */
    List<String> ask(byte[] recorded) {
        byte[] request = renumbered(recorded, FAMILY, family, DEVICE, device);
        return exchange(request).stream().map(this::recorded).map(Recording::grouped).toList();
    }

    private byte[] recorded(byte[] message) {
        byte[] answer = renumbered(message, family, FAMILY, device, DEVICE);
        buffer(answer).putInt(12, 0);
        if (type(answer) != ERROR) {
            return answer;
        }
        byte[] repeated = Arrays.copyOfRange(answer, GENERIC_HEADER, answer.length);
        System.arraycopy(renumbered(repeated, family, FAMILY, device, DEVICE), 0, answer, GENERIC_HEADER,
                repeated.length);
        return (get16(answer, 6) & WITH_ATTRIBUTES) != 0 ? withoutText(answer) : answer;
    }

    private static byte[] renumbered(byte[] message, int family, int toFamily, int device, int toDevice) {
        byte[] changed = message.clone();
        ByteBuffer into = buffer(changed);
        if (type(message) == family) {
            into.putShort(4, (short) toFamily);
            int index = message.length > 16 && message[16] == CAPABILITIES ? 1 : 8;
            eachAttribute(message, GENERIC_HEADER, (at, type, length) -> {
                if (type == index && length >= 8 && get32(message, at + 4) == device) {
                    into.putInt(at + 4, toDevice);
                }
            });
        } else if (type(message) == CONTROLLER) {
            eachAttribute(message, GENERIC_HEADER, (at, type, length) -> {
                if (type == 1 && length == 6 && get16(message, at + 4) == family) {
                    into.putShort(at + 4, (short) toFamily);
                }
            });
        }
        return changed;
    }

    /** What is said in words becomes an empty text. */
    private static byte[] withoutText(byte[] answer) {
        ByteArrayOutputStream rest = new ByteArrayOutputStream();
        rest.write(answer, 0, Math.min(ERROR_HEADER, answer.length));
        eachAttribute(answer, ERROR_HEADER, (at, type, length) -> {
            if (type == TEXT) {
                rest.writeBytes(new byte[] {5, 0, TEXT, 0, 0, 0, 0, 0});
            } else {
                rest.write(answer, at, length + 3 & ~3);
            }
        });
        byte[] bytes = rest.toByteArray();
        buffer(bytes).putInt(0, bytes.length);
        return bytes;
    }

    /** The number of net-shaper there. */
    int family() {
        return family;
    }

    /** Sends a message; answers all messages of the answer, as they are. */
    List<byte[]> exchange(byte[] request) {
        CompletableFuture<List<byte[]>> answer = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                channel.write(ByteBuffer.wrap(Arrays.copyOf(request, request.length + 3 & ~3)));
                answer.complete(receive(request));
            } catch (IOException | RuntimeException failed) {
                answer.completeExceptionally(failed);
            }
        });
        try {
            return answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (Exception failed) {
            throw new AssertionError("no answer to " + Recording.grouped(request), failed);
        }
    }

    private List<byte[]> receive(byte[] request) throws IOException {
        int flags = get16(request, 6);
        boolean dumps = (flags & DUMP) == DUMP;
        List<byte[]> messages = new ArrayList<>();
        while (true) {
            byte[] length = read(4);
            byte[] message = Arrays.copyOf(length, get32(length, 0));
            byte[] rest = read((message.length + 3 & ~3) - 4);
            System.arraycopy(rest, 0, message, 4, message.length - 4);
            if (get32(message, 8) != get32(request, 8)) {
                throw new IOException("a message more than expected: " + Recording.grouped(message));
            }
            messages.add(message);
            if (type(message) == ERROR || type(message) == DONE || !dumps && (flags & ACK) == 0) {
                return messages;
            }
        }
    }

    private byte[] read(int count) throws IOException {
        ByteBuffer room = ByteBuffer.allocate(count);
        while (room.hasRemaining()) {
            if (channel.read(room) < 0) {
                throw new IOException("the other end has closed");
            }
        }
        return room.array();
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException gone) {
            // it is closed
        }
    }
}
