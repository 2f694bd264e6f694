package io.manafold.commands.sock.internal;

import io.manafold.api.sockets.Completions;
import io.manafold.api.sockets.Operation;
import io.manafold.shell.Fields;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Sends so much, then the end of the stream, and takes what comes until the peer ends or as much has come as is wanted.
 */
final class Exchange {
    private static final int MESSAGE = 64 << 10;
    private static final int SENDS = 8;
    /** Memory that it needs: what is sent, and a part of its own for what comes. */
    static final long BYTES = (SENDS + 2L) * MESSAGE;
    private static final long INCOMING = (long) SENDS * MESSAGE;

    private final ClientConnection talk;
    private final byte[] text;
    private final long wantedBytes;
    private final long take;
    private final MessageDigest sentDigest = digest();
    private final MessageDigest receivedDigest = digest();
    private final StringBuilder answer = new StringBuilder();
    private long posted;
    private long sent;
    private long received;
    private boolean isEnded;
    private boolean isFinished;

    /**
     * @param text to be sent, {@code null} for bytes
     * @param bytes of 0 to 255 again and again, without a text
     * @param take how much is wanted, {@link Long#MAX_VALUE} for all
     */
    Exchange(ClientConnection talk, String text, long bytes, long take) {
        this.talk = talk;
        this.text = text == null ? null : text.getBytes(StandardCharsets.UTF_8);
        wantedBytes = text == null ? bytes : this.text.length;
        this.take = take;
    }

    private static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    void run() throws InterruptedException {
        for (int i = 0; i < SENDS; i++) {
            send(i);
        }
        receive();
        while (!isOver()) {
            talk.await();
            for (int i = 0; i < talk.completions().count(); i++) {
                come(i);
            }
        }
    }

    private boolean isOver() {
        return received >= take || isEnded && sent == wantedBytes && isFinished;
    }

    private void send(long slot) {
        long left = wantedBytes - posted;
        if (left == 0) {
            if (!isFinished) {
                isFinished = true;
                talk.endpoint().finish(0);
            }
            return;
        }
        int length = (int) Math.min(left, MESSAGE);
        MemorySegment memory = talk.memory().asSlice(slot * MESSAGE, length);
        for (int i = 0; i < length; i++) {
            memory.set(ValueLayout.JAVA_BYTE, i, text == null ? (byte) (posted + i) : text[(int) posted + i]);
        }
        sentDigest.update(memory.asByteBuffer());
        talk.endpoint().send(talk.key(), slot * MESSAGE, length, slot);
        posted += length;
    }

    private void receive() {
        talk.endpoint().receive(talk.key(), INCOMING, (int) Math.min(2L * MESSAGE, Math.max(1, take - received)), 0);
    }

    private void come(int index) {
        talk.check(index);
        Completions completions = talk.completions();
        if (completions.operation(index) == Operation.SEND) {
            sent += completions.has(index, Completions.ACCEPTED) ? completions.length(index) : 0;
            if (completions.has(index, Completions.FREE)) {
                send(completions.tag(index));
            }
        } else if (completions.operation(index) == Operation.RECEIVE) {
            if (completions.has(index, Completions.END)) {
                isEnded = true;
                return;
            }
            long length = completions.length(index);
            MemorySegment memory = talk.memory().asSlice(INCOMING, length);
            receivedDigest.update(memory.asByteBuffer());
            if (text != null && answer.length() < MESSAGE) {
                answer.append(new String(memory.toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8));
            }
            received += length;
            if (received < take) {
                receive();
            }
        }
    }

    Fields result(String transport) {
        Fields fields = Fields.of("name", talk.endpoint().name()).and("transport", transport)
                .and("local", Words.text(talk.endpoint().local())).and("remote", Words.text(talk.endpoint().remote()))
                .and("tx_bytes", sent).and("tx_sha256", HexFormat.of().formatHex(sentDigest.digest())).and("rx_bytes",
                received)
                .and("rx_sha256", HexFormat.of().formatHex(receivedDigest.digest()));
        return text == null ? fields : fields.and("text", answer.toString());
    }
}
