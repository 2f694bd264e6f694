package io.manafold.itests.net;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A plain peer that writes the same question without end, and checks each answer, until its connection ends. */
public final class BusyPeer implements AutoCloseable {
    private final Socket socket;
    private final byte[] answer;
    private final Thread asking;
    private final Thread reading;
    private final CompletableFuture<Long> end = new CompletableFuture<>();
    private volatile long received;

    /** @param silence after which it gives up */
    public BusyPeer(InetSocketAddress at, byte[] question, byte[] answer, Duration silence) throws IOException {
        this.answer = answer;
        socket = new Socket(at.getAddress(), at.getPort());
        socket.setSoTimeout((int) silence.toMillis());
        asking = Thread.ofPlatform().name("peer that asks").start(() -> ask(question));
        reading = Thread.ofPlatform().name("peer that reads").start(this::read);
    }

    private void ask(byte[] question) {
        try {
            while (true) {
                socket.getOutputStream().write(question);
            }
        } catch (IOException _) {
            // it has ended, which the reader tells of
        }
    }

    private void read() {
        byte[] come = new byte[1 << 16];
        try {
            int length;
            while ((length = socket.getInputStream().read(come)) >= 0) {
                check(come, length);
                received += length;
            }
            end.complete(received);
        } catch (SocketTimeoutException | AssertionError wrong) {
            end.completeExceptionally(wrong);
        } catch (IOException reset) {
            end.complete(received);
        }
    }

    private void check(byte[] come, int length) {
        int at = (int) (received % answer.length);
        for (int i = 0; i < length; i++) {
            if (come[i] != answer[at]) {
                throw new AssertionError("byte " + (received + i) + " of what came is " + come[i] + ", not "
                        + answer[at]);
            }
            at = at + 1 == answer.length ? 0 : at + 1;
        }
    }

    /** Bytes of answers that have come so far, all of them right. */
    public long received() {
        return received;
    }

    public boolean isEnded() {
        return end.isDone();
    }

    /** Bytes that had come when the connection ended; fails if nothing tells of the end, or an answer was wrong. */
    public long awaitEnd(Duration limit) throws ExecutionException, InterruptedException, TimeoutException {
        return end.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() throws IOException, InterruptedException {
        socket.close();
        asking.join();
        reading.join();
    }
}
