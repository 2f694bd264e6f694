package io.manafold.guests;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Gives away and takes in the files of a folder over UDP, as the trivial protocol of RFC 1350 with the block sizes of
 * RFC 2348 has it, so that a guest's own client can be asked for the hash of what went through. A program of its own,
 * because it runs in a network namespace.
 */
final class FilesByDatagram {
    private static final int READ = 1;
    private static final int WRITE = 2;
    private static final int DATA = 3;
    private static final int ACKNOWLEDGE = 4;
    private static final int AGREED = 6;
    private static final int LARGEST = 0x10000;
    private static final int TRIES = 60;
    private static final int WAIT_MILLIS = 1000;

    private final Path folder;
    private final DatagramSocket socket;
    private final byte[] incoming = new byte[LARGEST];

    private FilesByDatagram(Path folder, DatagramSocket socket) throws IOException {
        this.folder = folder;
        this.socket = socket;
        socket.setSoTimeout(WAIT_MILLIS);
    }

    /** With a folder; says {@code ready}, then serves one transfer after the other at port 69. */
    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[0]);
        try (DatagramSocket door = new DatagramSocket(69)) {
            System.out.println("ready");
            byte[] request = new byte[LARGEST];
            while (true) {
                DatagramPacket packet = new DatagramPacket(request, request.length);
                door.receive(packet);
                try (DatagramSocket own = new DatagramSocket()) {
                    own.connect(packet.getSocketAddress());
                    new FilesByDatagram(folder, own).serve(ByteBuffer.wrap(request, 0, packet.getLength()));
                } catch (IOException failed) {
                    System.out.println("failed: " + failed);
                }
            }
        }
    }

    private void serve(ByteBuffer request) throws IOException {
        int what = request.getShort();
        String[] words = StandardCharsets.US_ASCII.decode(request).toString().split("\0");
        Path file = folder.resolve(Path.of(words[0]).getFileName());
        int block = 512;
        for (int i = 2; i + 1 < words.length; i += 2) {
            block = words[i].equals("blksize") ? Integer.parseInt(words[i + 1]) : block;
        }
        byte[] agreed = ("blksize\0" + block + "\0").getBytes(StandardCharsets.US_ASCII);
        byte[] opening = ByteBuffer.allocate(2 + agreed.length).putShort((short) AGREED).put(agreed).array();
        if (what == READ) {
            give(Files.readAllBytes(file), block, opening);
        } else if (what == WRITE) {
            Path part = folder.resolve(file.getFileName() + ".part");
            Files.write(part, take(block, opening));
            Files.move(part, file);
        }
    }

    private void give(byte[] content, int block, byte[] opening) throws IOException {
        exchange(opening, ACKNOWLEDGE, 0);
        int last = content.length / block + 1;
        for (int number = 1; number <= last; number++) {
            byte[] part = Arrays.copyOfRange(content, (number - 1) * block, Math.min(number * block, content.length));
            exchange(ByteBuffer.allocate(4 + part.length).putShort((short) DATA).putShort((short) number).put(part)
                    .array(), ACKNOWLEDGE, number);
        }
    }

    private byte[] take(int block, byte[] opening) throws IOException {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        byte[] answer = opening;
        for (int number = 1;; number++) {
            int length = exchange(answer, DATA, number);
            content.write(incoming, 4, length - 4);
            answer = ByteBuffer.allocate(4).putShort((short) ACKNOWLEDGE).putShort((short) number).array();
            if (length - 4 < block) {
                send(answer);
                return content.toByteArray();
            }
        }
    }

    /** Sends until the answer comes, and tells its length. */
    private int exchange(byte[] message, int kind, int number) throws IOException {
        for (int i = 0; i < TRIES; i++) {
            send(message);
            try {
                while (true) {
                    DatagramPacket packet = new DatagramPacket(incoming, incoming.length);
                    socket.receive(packet);
                    ByteBuffer answer = ByteBuffer.wrap(incoming, 0, packet.getLength());
                    if (answer.getShort() == kind && answer.getShort() == (short) number) {
                        return packet.getLength();
                    }
                }
            } catch (SocketTimeoutException again) {
                // the client may have asked twice as well
            }
        }
        throw new IOException("no answer from " + (InetSocketAddress) socket.getRemoteSocketAddress());
    }

    private void send(byte[] message) throws IOException {
        socket.send(new DatagramPacket(message, message.length));
    }
}
