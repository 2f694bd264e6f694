package io.manafold.launcher.internal.attach;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a client has typed ahead of a command that does not read goes by whole lines, and is never another line. */
class RemoteInputTest {
    private final List<Integer> asked = new ArrayList<>();
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
        input.dropWhatFillsIt();
        int left = input.available();
        assertThat(asked).containsExactly(RemoteInput.CAPACITY, RemoteInput.CAPACITY - left);
        offer("p\r");
        assertThat(read(left + 2)).matches(" one\rlist drox*p\r");
    }

    @Test
    void aLineThatIsLongerThanAllRoomIsForgotten() throws IOException {
        begin("a" + "b".repeat(RemoteInput.CAPACITY - 1));
        input.dropWhatFillsIt();
        assertThat(input.available()).isEqualTo(1);
        offer("still the same");
        assertThat(input.available()).isEqualTo(1);
        offer(" line\rnext\r");
        assertThat(read(input.available())).isEqualTo("\025\rnext\r");
    }

    @Test
    void whatAClientMaySendStillIsWaitedFor() throws IOException {
        begin("ping");
        input.dropWhatFillsIt();
        assertThat(read(2)).isEqualTo("ng");
        assertThat(asked).containsExactly(RemoteInput.CAPACITY);
    }
}
