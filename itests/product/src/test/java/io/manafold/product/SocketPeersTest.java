package io.manafold.product;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Plain programs of Debian at the other end of the servers of 'sock listen': what arrives is what was sent, byte for
 * byte.
 */
@Timeout(600)
class SocketPeersTest {
    private static final int MEBIBYTES = Integer.getInteger("manafold.mebibytes", 64);
    private static final long BYTES = (long) MEBIBYTES << 20;
    private static final int BLOCK = 1 << 20;
    private static final Pattern LOCAL = Pattern.compile("\"local\": *\"127\\.0\\.0\\.1:(\\d+)\"");

    @TempDir
    private static Path folder;
    private static Path data;
    private static String hash;
    private static Run platform;

    @BeforeAll
    static void start() throws IOException {
        data = folder.resolve("data");
        MessageDigest digest = digest();
        byte[] block = new byte[BLOCK];
        new Random(20).nextBytes(block);
        for (int i = 0; i < BLOCK; i++) {
            // both mean something in telnet, which curl speaks
            block[i] = block[i] == (byte) 0xff || block[i] == '\r' ? 0 : block[i];
        }
        try (OutputStream out = new DigestOutputStream(Files.newOutputStream(data), digest)) {
            for (int i = 0; i < MEBIBYTES; i++) {
                // no block is another one
                block[0] = (byte) (i & 7);
                block[1] = (byte) (i >> 3 & 7);
                block[2] = (byte) (i >> 6 & 7);
                block[3] = (byte) (i >> 9 & 7);
                out.write(block);
            }
        }
        hash = HexFormat.of().formatHex(digest.digest());
        platform = Run.manafold("--data", folder.resolve("home").toString()).start();
    }

    @AfterAll
    static void stop() {
        platform.type("exit\n");
        assertThat(platform.ended().done().err()).isEmpty();
        platform.close();
    }

    private static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private static String hash(Path file) throws IOException {
        MessageDigest digest = digest();
        try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
            in.transferTo(OutputStream.nullOutputStream());
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static String listen(String transport, String work) {
        int before = platform.outSoFar().length();
        platform.type("sock listen 127.0.0.1:0 --transport " + transport + " --do " + work + " --json\n");
        Matcher local = LOCAL.matcher(platform.awaitOutBehind(before, "}\n").substring(before));
        assertThat(local.find()).as("it listens").isTrue();
        return local.group(1);
    }

    private static void isThere(String program, String ofPackage) {
        assumeTrue(Host.isThere(program), program + " is not installed (" + ofPackage + ")");
    }

    private static void ends(Process process, Path errors) throws IOException, InterruptedException {
        assertThat(process.waitFor(300, TimeUnit.SECONDS)).as("the peer ends").isTrue();
        assertThat(process.exitValue()).as(Files.readString(errors)).isZero();
    }

    private static void echoes(List<String> peer) throws Exception {
        Path back = folder.resolve("back");
        Path errors = folder.resolve("errors");
        Process process = new ProcessBuilder(peer).redirectInput(data.toFile()).redirectOutput(back.toFile())
                .redirectError(errors.toFile())
                .start();
        try {
            ends(process, errors);
        } finally {
            process.destroyForcibly();
        }
        assertThat(hash(back)).as("what came back").isEqualTo(hash);
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "uring"})
    void netcat(String transport) throws Exception {
        isThere("nc", "netcat-openbsd");
        echoes(List.of("nc", "-N", "127.0.0.1", listen(transport, "echo")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "uring"})
    void socat(String transport) throws Exception {
        isThere("socat", "socat");
        echoes(List.of("socat", "-t", "300", "-", "TCP:127.0.0.1:" + listen(transport, "echo")));
    }

    /** It takes a file, and the end of the stream ends it; what is typed comes back. */
    @ParameterizedTest
    @ValueSource(strings = {"nio", "uring"})
    void curl(String transport) throws Exception {
        isThere("curl", "curl");
        Path taken = folder.resolve("taken");
        Path errors = folder.resolve("errors");
        // it reads its input between what it receives, and waits for it
        Process taking = new ProcessBuilder("curl", "-sS", "telnet://127.0.0.1:"
                + listen(transport, "file --file " + data))
                .redirectInput(Path.of("/dev/null").toFile()).redirectOutput(taken.toFile())
                .redirectError(errors.toFile()).start();
        Process typing = new ProcessBuilder("curl", "-sSN", "telnet://127.0.0.1:" + listen(transport, "echo"))
                .redirectError(folder.resolve("typing").toFile()).start();
        try {
            byte[] line = "what is typed\n".getBytes(StandardCharsets.US_ASCII);
            typing.getOutputStream().write(line);
            typing.getOutputStream().flush();
            assertThat(typing.getInputStream().readNBytes(line.length)).isEqualTo(line);
            ends(taking, errors);
        } finally {
            taking.destroyForcibly();
            typing.destroyForcibly();
        }
        assertThat(hash(taken)).as("the file").isEqualTo(hash);
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "uring"})
    void sourceAndSink(String transport) throws Exception {
        isThere("nc", "netcat-openbsd");
        Process reading = new ProcessBuilder("nc", "127.0.0.1", listen(transport, "source"))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (DataInputStream in = new DataInputStream(reading.getInputStream())) {
            byte[] expected = new byte[BLOCK];
            for (int i = 0; i < BLOCK; i++) {
                expected[i] = (byte) i;
            }
            byte[] come = new byte[BLOCK];
            for (int i = 0; i < MEBIBYTES; i++) {
                in.readFully(come);
                assertThat(come).as("mebibyte %d", i).isEqualTo(expected);
            }
        } finally {
            reading.destroyForcibly();
        }
        Path errors = folder.resolve("errors");
        Process writing = new ProcessBuilder("sh", "-c", "{ cat " + data + "; read line; } | nc -N 127.0.0.1 "
                + listen(transport, "sink"))
                .redirectError(errors.toFile()).start();
        try {
            String whole = "\"rx_bytes\": " + BYTES + ",";
            int before;
            String said;
            do {
                before = platform.outSoFar().length();
                platform.type("sock stats --json\n");
                said = platform.awaitOutBehind(before, "]\n").substring(before).replaceAll(":\\s*", ": ");
            } while (!said.contains(whole) && writing.isAlive());
            assertThat(said).contains(whole);
            writing.getOutputStream().close();
            ends(writing, errors);
        } finally {
            writing.descendants().forEach(ProcessHandle::destroyForcibly);
            writing.destroyForcibly();
        }
    }

    /** The other way round: the platform is the one that connects. */
    @ParameterizedTest
    @ValueSource(strings = {"nio", "uring"})
    void connectsToSocat(String transport) throws Exception {
        isThere("socat", "socat");
        Process echo = new ProcessBuilder("socat", "-dd", "TCP-LISTEN:0,bind=127.0.0.1", "SYSTEM:cat")
                .redirectErrorStream(true).start();
        try {
            Matcher at = Pattern.compile("listening on AF=2 127\\.0\\.0\\.1:(\\d+)").matcher("");
            StringBuilder said = new StringBuilder();
            for (int one = echo.getInputStream().read(); one >= 0 && !(one == '\n' && at.reset(said).find());
                    one = echo.getInputStream().read()) {
                said.append((char) one);
            }
            assertThat(at.reset(said).find()).as(said.toString()).isTrue();
            int before = platform.outSoFar().length();
            platform.type("sock connect 127.0.0.1:" + at.group(1) + " --transport " + transport
                    + " --bytes 4m --json\n");
            String result = platform.awaitOutBehind(before, "}\n").substring(before).replaceAll(":\\s*", ": ");
            Matcher hashes = Pattern.compile("x_sha256\": \"([0-9a-f]{64})\"").matcher(result);
            assertThat(hashes.find()).as(result).isTrue();
            String sent = hashes.group(1);
            assertThat(hashes.find()).as(result).isTrue();
            assertThat(hashes.group(1)).isEqualTo(sent);
            assertThat(result).contains("\"rx_bytes\": 4194304,");
        } finally {
            echo.descendants().forEach(ProcessHandle::destroyForcibly);
            echo.destroyForcibly();
        }
    }
}
