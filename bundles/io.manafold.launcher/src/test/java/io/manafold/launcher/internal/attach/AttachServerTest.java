package io.manafold.launcher.internal.attach;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.launcher.internal.words.Places;
import io.manafold.shell.Candidate;
import io.manafold.shell.Session;
import io.manafold.shell.Shell;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class AttachServerTest {
    /** {@code say WORD}, {@code complain}, {@code read}, {@code wait}, {@code linger}, {@code flood}. */
    private final class Small implements Shell {
        @Override
        public Session open(InputStream in, PrintStream out, PrintStream err) {
            return new Session() {
                @Override
                public int execute(String line) {
                    try {
                        return carryOut(line, in, out, err);
                    } catch (IOException e) {
                        return FAILED;
                    } catch (InterruptedException e) {
                        interrupted.countDown();
                        return FAILED;
                    }
                }

                @Override
                public boolean ended() {
                    return false;
                }

                @Override
                public boolean isBuiltIn(String line) {
                    return false;
                }

                @Override
                public List<Candidate> complete(String line, int cursor) {
                    return List.of();
                }

                @Override
                public void close() {
                    out.flush();
                }
            };
        }

        private int carryOut(String line, InputStream in, PrintStream out, PrintStream err)
                throws IOException, InterruptedException {
            switch (line.split(" ")[0]) {
                case "say" -> out.println(line.substring(4));
                case "complain" -> err.println("no");
                case "read" -> out.println(in.read());
                case "wait" -> {
                    waiting.countDown();
                    new CountDownLatch(1).await();
                }
                case "linger" -> {
                    try {
                        out.println("begun");
                        waiting.countDown();
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        out.println("a last word");
                        return Session.FAILED;
                    }
                }
                case "flood" -> {
                    waiting.countDown();
                    while (!Thread.currentThread().isInterrupted()) {
                        out.println("water");
                    }
                    interrupted.countDown();
                }
                default -> {
                    return Session.USAGE;
                }
            }
            return line.startsWith("complain") ? Session.FAILED : Session.DONE;
        }
    }

    private static final String INTERRUPT = "\u0003";

    @TempDir
    Path data;

    private final CountDownLatch waiting = new CountDownLatch(1);
    private final CountDownLatch interrupted = new CountDownLatch(1);
    private final List<SocketChannel> clients = new ArrayList<>();
    private AttachServer server;

    @BeforeEach
    void open() throws IOException {
        Small shell = new Small();
        server = AttachServer.open(data, data.resolve("history"), () -> shell,
                () -> List.of("Up: nothing.", "Words to begin with: say."));
    }

    @AfterEach
    void close() throws IOException {
        for (SocketChannel client : clients) {
            client.close();
        }
        server.close();
        assertThat(Places.socket(data)).doesNotExist();
    }

    private SocketChannel connect() throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        channel.connect(UnixDomainSocketAddress.of(Places.socket(data)));
        clients.add(channel);
        return channel;
    }

    private SocketChannel hello(Hello.Mode mode, String line) throws IOException {
        SocketChannel channel = connect();
        new Hello(mode, 80, 24, "dumb", line).frame().write(channel);
        return channel;
    }

    /** Everything until the last frame: what was said, and the status. */
    private static String conversation(SocketChannel channel) throws IOException {
        StringBuilder said = new StringBuilder();
        Frame frame;
        while ((frame = Frame.read(channel, false)) != null) {
            switch (frame.type()) {
                case OUTPUT -> said.append(frame.text());
                case ERROR -> said.append("err:").append(frame.text());
                case EXIT -> {
                    return said.append("exit ").append(frame.number()).toString();
                }
                case REFUSED -> {
                    return said.append("refused: ").append(frame.text()).toString();
                }
                default -> said.append(frame.type()).append('\n');
            }
        }
        return said.toString();
    }

    @Test
    void aLineIsCarriedOutWithItsStreamsAndStatus() throws IOException {
        assertThat(conversation(hello(Hello.Mode.LINE, "say hello"))).isEqualTo("hello\nexit 0");
        assertThat(conversation(hello(Hello.Mode.LINE, "complain"))).isEqualTo("err:no\nexit 1");
        assertThat(conversation(hello(Hello.Mode.LINE, "nosuch"))).isEqualTo("exit 2");
    }

    /** Everything until some text has been said. */
    private static String until(String text, SocketChannel channel) throws IOException {
        StringBuilder said = new StringBuilder();
        while (said.indexOf(text) < 0) {
            Frame frame = Frame.read(channel, false);
            said.append(frame.type() == FrameType.OUTPUT ? frame.text() : "");
        }
        return said.toString();
    }

    /** A client that has been asked a question and for its keys, in any order. */
    private SocketChannel prompt() throws IOException {
        SocketChannel channel = hello(Hello.Mode.PROMPT, "");
        StringBuilder said = new StringBuilder();
        boolean wanted = false;
        while (!wanted || said.indexOf("manafold> ") < 0) {
            Frame frame = Frame.read(channel, false);
            wanted |= frame.type() == FrameType.WANTED;
            said.append(frame.type() == FrameType.OUTPUT ? frame.text() : "");
        }
        return channel;
    }

    @Test
    void aPromptIsGreetedAndALineIsNot() throws IOException {
        assertThat(until("manafold> ", hello(Hello.Mode.PROMPT, "")))
                .startsWith("Up: nothing.\r\nWords to begin with: say.\r\n");
        assertThat(conversation(hello(Hello.Mode.LINE, "say hello"))).isEqualTo("hello\nexit 0");
    }

    @Test
    void aPromptKeepsOnlyTheNewerHalfOfALargeHistory() throws IOException {
        Path history = data.resolve("history");
        String line = "x".repeat(1023) + "\n";
        Files.writeString(history, line.repeat(4095) + "say last\n");
        SocketChannel channel = prompt();
        assertThat(Files.size(history)).isBetween(500L << 10, 512L << 10);
        assertThat(Files.readString(history)).startsWith(line).endsWith("x\nsay last\n");
        Files.writeString(history, line.repeat(1024));
        Frame.text(FrameType.INPUT, "say more\r").write(channel);
        until("more\r\n", channel);
        until("manafold> ", channel);
        assertThat(Files.size(history)).isBetween(500L << 10, 512L << 10);
        assertThat(Files.readString(history)).endsWith("x\nsay more\n");
    }

    @Test
    void aCommandAtAPromptIsInterruptedHoweverMuchIsTypedBefore() throws Exception {
        SocketChannel channel = prompt();
        Frame.text(FrameType.INPUT, "wait\r").write(channel);
        waiting.await();
        Frame.text(FrameType.INPUT, "x".repeat(5000) + INTERRUPT).write(channel);
        assertThat(interrupted.await(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aCommandAtAPromptIsInterruptedEvenIfNoMoreMayBeTyped() throws Exception {
        SocketChannel channel = prompt();
        Frame.text(FrameType.INPUT, "wait\r").write(channel);
        waiting.await();
        Frame.text(FrameType.INPUT, "x".repeat(RemoteInput.CAPACITY - 5)).write(channel);
        while (Frame.read(channel, false).type() != FrameType.WANTED) {
            // it draws
        }
        Frame.text(FrameType.INPUT, INTERRUPT).write(channel);
        assertThat(interrupted.await(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void whatIsTypedAheadAtAPromptIsCarriedOutInItsOrder() throws IOException {
        SocketChannel channel = prompt();
        StringBuilder typed = new StringBuilder();
        for (int i = 100; i < 800; i++) {
            typed.append("say ").append(i).append('\r');
        }
        Frame.text(FrameType.INPUT, typed.toString()).write(channel);
        for (int i = 100; i < 800; i++) {
            until("\n" + i + "\r\n", channel);
        }
    }

    @Test
    void inputIsAskedForOnlyWhenItIsRead() throws IOException {
        assertThat(conversation(hello(Hello.Mode.LINE, "say x"))).doesNotContain("WANTED");
        SocketChannel reading = hello(Hello.Mode.LINE, "read");
        assertThat(Frame.read(reading, false).type()).isEqualTo(FrameType.WANTED);
        new Frame(FrameType.INPUT, new byte[] {42}).write(reading);
        assertThat(conversation(reading)).isEqualTo("42\nexit 0");
    }

    @Test
    void linesOfTheInputAreCarriedOutUntilItsEnd() throws IOException {
        SocketChannel channel = hello(Hello.Mode.INPUT, "");
        assertThat(Frame.read(channel, false).type()).isEqualTo(FrameType.WANTED);
        Frame.text(FrameType.INPUT, "complain\nsay a").write(channel);
        Frame.empty(FrameType.INPUT_END).write(channel);
        assertThat(conversation(channel)).isEqualTo("err:no\na\nexit 1");
    }

    @Test
    void goingEndsTheCommand() throws Exception {
        SocketChannel channel = hello(Hello.Mode.LINE, "wait");
        waiting.await();
        channel.close();
        assertThat(interrupted.await(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aClientThatIsToldToEndHearsItsCommandOut() throws Exception {
        SocketChannel channel = hello(Hello.Mode.LINE, "linger\nsay more");
        waiting.await();
        Frame.empty(FrameType.INTERRUPT).write(channel);
        assertThat(conversation(channel)).isEqualTo("begun\na last word\nexit 1");
        SocketChannel asked = hello(Hello.Mode.INPUT, "");
        assertThat(Frame.read(asked, false).type()).isEqualTo(FrameType.WANTED);
        Frame.empty(FrameType.INTERRUPT).write(asked);
        assertThat(conversation(asked)).as("at a line").isEqualTo("exit 1");
    }

    /** As the launcher does: its wait ends without a shell, and that is no platform without one. */
    private Shell awaitShell() {
        try {
            waiting.countDown();
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return null;
    }

    @Test
    void aClientThatIsToldToEndWhileThePlatformComesUpIsToldNothingElse() throws Exception {
        server.close();
        server = AttachServer.open(data, data.resolve("history"), this::awaitShell, List::of);
        SocketChannel channel = hello(Hello.Mode.LINE, "say hello");
        waiting.await();
        Frame.empty(FrameType.INTERRUPT).write(channel);
        assertThat(conversation(channel)).isEqualTo("exit 1");
    }

    /** The client's own process, as the start script runs it. */
    @Test
    void aSignalToTheClientEndsTheCommandAndThenTheClient() throws Exception {
        Process client = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                AttachClient.class.getName(), "attach", "--data", data.toString(), "-c", "linger")
                .redirectErrorStream(true).start();
        try (BufferedReader said = client.inputReader()) {
            assertThat(said.readLine()).isEqualTo("begun");
            client.toHandle().destroy();
            assertThat(said.readLine()).isEqualTo("a last word");
            assertThat(said.readLine()).isNull();
            assertThat(client.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(client.exitValue()).as("128 and SIGTERM").isEqualTo(143);
        } finally {
            client.destroyForcibly();
        }
    }

    @Test
    void goingWithoutReadingEndsTheCommand() throws Exception {
        SocketChannel channel = hello(Hello.Mode.LINE, "flood");
        waiting.await();
        channel.close();
        assertThat(interrupted.await(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void inputThatNobodyAskedForEndsTheConnection() throws Exception {
        SocketChannel channel = hello(Hello.Mode.LINE, "wait");
        waiting.await();
        new Frame(FrameType.INPUT, new byte[1]).write(channel);
        assertThat(conversation(channel)).isEmpty();
        assertThat(interrupted.await(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aClientThatDoesNotGreetIsDisconnected() throws IOException {
        SocketChannel wrong = connect();
        Frame.window(1, 1).write(wrong);
        assertThat(conversation(wrong)).isEmpty();
        SocketChannel garbage = connect();
        garbage.write(ByteBuffer.wrap(new byte[] {1, 127, 127, 127, 127}));
        assertThat(conversation(garbage)).isEmpty();
        assertThat(conversation(hello(Hello.Mode.LINE, "say still here"))).contains("still here");
    }

    @Test
    void thereIsRoomForSixteen() throws IOException {
        for (int i = 0; i < 16; i++) {
            connect();
        }
        assertThat(conversation(connect())).startsWith("refused: There are 16 clients already");
        // the place of one that goes is free again, though not at the same moment
        clients.getFirst().close();
        String said;
        do {
            SocketChannel next = connect();
            try {
                new Hello(Hello.Mode.LINE, 80, 24, "dumb", "say in").frame().write(next);
            } catch (IOException refused) {
                // closed before it was spoken to; what it said is still there to be read
            }
            said = conversation(next);
        } while (said.startsWith("refused"));
        assertThat(said).isEqualTo("in\nexit 0");
    }

    @Test
    void theSocketIsItsOwnersAlone() throws IOException {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(Places.socket(data))))
                .isEqualTo("rw-------");
    }

    @Test
    void theOwnerAndRootEnterAndNobodyElse() throws IOException {
        UserPrincipalLookupService users = FileSystems.getDefault().getUserPrincipalLookupService();
        UserPrincipal owner = users.lookupPrincipalByName("61234");
        assertThat(AttachServer.mayEnter(owner, owner)).isTrue();
        assertThat(AttachServer.mayEnter(users.lookupPrincipalByName("0"), owner)).isTrue();
        assertThat(AttachServer.mayEnter(users.lookupPrincipalByName("61235"), owner)).isFalse();
        assertThat(AttachServer.mayEnter(owner, users.lookupPrincipalByName("0"))).isFalse();
    }

    @Test
    void anEndOfThePlatformEndsCommandsAndConnections() throws Exception {
        SocketChannel channel = hello(Hello.Mode.LINE, "wait");
        waiting.await();
        server.close();
        assertThat(interrupted.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(conversation(channel)).isEmpty();
    }
}
