package io.manafold.launcher.internal.attach;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a client has typed ahead of a command that does not read goes by whole lines, and is never another line. */
class RemoteInputTest {
    private final List<Integer> asked = new CopyOnWriteArrayList<>();
    private final RemoteInput input = new RemoteInput(asked::add);

    private void offer(String text) throws ProtocolException {
        input.offer(text.getBytes(StandardCharsets.US_ASCII));
    }

    private String read(int length) throws IOException {
        byte[] bytes = new byte[length];
        int taken = 0;
        while (taken < length) {
            taken += input.read(bytes, taken, length - taken);
        }
        return new String(bytes, StandardCharsets.US_ASCII);
    }

    /** Has the client be asked, as who waits for keys does, and reads the first of them. */
    private void begin(String first) throws IOException {
        Thread client = Thread.ofPlatform().start(() -> {
            try {
                while (asked.isEmpty()) {
                    Thread.sleep(1);
                }
                offer(first);
            } catch (InterruptedException | ProtocolException failed) {
                Thread.currentThread().interrupt();
            }
        });
        assertThat(read(2)).isEqualTo(first.substring(0, 2));
        try {
            client.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void whatIsLeftIsTheEndOfOneLineAndTheBeginOfAnother() throws IOException {
        StringBuilder typed = new StringBuilder("rm one\r");
        while (typed.length() < RemoteInput.CAPACITY - 9) {
            typed.append("drop me\r");
        }
        typed.append("list dro");
        begin(typed.toString());
        offer("x".repeat(RemoteInput.CAPACITY - typed.length()));
        // two were read, for which there is room
        input.dropWhatFillsIt();
        assertThat(input.available()).isEqualTo(RemoteInput.CAPACITY - 2);
        offer("yz");
        input.dropWhatFillsIt();
        int left = input.available();
        assertThat(asked).containsExactly(RemoteInput.CAPACITY, 2, RemoteInput.CAPACITY - left);
        offer("p\r");
        assertThat(read(left + 2)).matches("( one|m one)\rlist drox*yzp\r");
    }

    @Test
    void aLineThatIsLongerThanAllRoomIsForgotten() throws IOException {
        begin("a" + "b".repeat(RemoteInput.CAPACITY - 1));
        input.dropWhatFillsIt();
        offer("cc");
        input.dropWhatFillsIt();
        assertThat(input.available()).isEqualTo(1);
        offer("still the same");
        assertThat(input.available()).isEqualTo(1);
        offer(" line\rnext\r");
        assertThat(read(input.available())).isEqualTo("\025\rnext\r");
    }

    /** A reader asks again when all that came was skipped: else nothing would come any more, Ctrl-C neither. */
    @Test
    void whereAllIsSkippedMoreIsAskedFor() throws Exception {
        begin("a" + "b".repeat(RemoteInput.CAPACITY - 1));
        input.dropWhatFillsIt();
        offer("cc");
        input.dropWhatFillsIt();
        assertThat(read(1)).isEqualTo("\025");
        CompletableFuture<Integer> key = CompletableFuture.supplyAsync(() -> {
            try {
                return input.read();
            } catch (IOException failed) {
                return -2;
            }
        });
        offer("d".repeat(RemoteInput.CAPACITY - 1));
        for (int i = 0; i < 10_000 && asked.size() < 4; i++) {
            Thread.sleep(1);
        }
        offer("\003");
        assertThat(key.get(60, TimeUnit.SECONDS)).isEqualTo(3);
    }

    @Test
    void whatAClientMaySendStillIsWaitedFor() throws IOException {
        begin("ping");
        input.dropWhatFillsIt();
        assertThat(read(2)).isEqualTo("ng");
        assertThat(asked).containsExactly(RemoteInput.CAPACITY);
    }
}
