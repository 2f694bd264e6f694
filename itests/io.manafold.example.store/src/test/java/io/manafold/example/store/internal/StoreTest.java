package io.manafold.example.store.internal;

import static io.manafold.example.store.internal.RunningStore.ask;
import static io.manafold.example.store.internal.RunningStore.bulk;
import static io.manafold.example.store.internal.RunningStore.command;
import static io.manafold.example.store.internal.RunningStore.read;
import static io.manafold.example.store.internal.RunningStore.readAll;
import static io.manafold.example.store.internal.RunningStore.send;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What clients see of a store, whatever carries it. */
@Timeout(240)
abstract class StoreTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    final RunningStore store;

    StoreTest(String transport) {
        store = new RunningStore(transport, 16, 8);
    }

    @AfterEach
    void stop() throws InterruptedException {
        store.close();
    }

    private void waitForClients(int wanted) throws InterruptedException {
        while (!info().contains("connected_clients:" + wanted + "\r\n")) {
            Thread.sleep(10);
        }
    }

    /** What it says of itself, to a client that comes for that; nothing if it has too many. */
    private String info() throws InterruptedException {
        try (Socket client = store.connect()) {
            send(client, command("INFO") + command("QUIT"));
            return readAll(client);
        } catch (IOException turnedAway) {
            return "";
        }
    }

    @Test
    void valuesAreKeptAndGone() throws Exception {
        try (Socket client = store.connect()) {
            ask(client, command("PING"), "+PONG\r\n");
            ask(client, "PING\r\n", "+PONG\r\n");
            ask(client, "ping there\r\n", bulk("there"));
            ask(client, command("ECHO", "a word"), bulk("a word"));
            ask(client, command("GET", "a"), "$-1\r\n");
            ask(client, command("SET", "a", "first"), "+OK\r\n");
            ask(client, command("GET", "a"), bulk("first"));
            ask(client, command("set", "a", ""), "+OK\r\n");
            ask(client, command("GET", "a"), bulk(""));
            ask(client, command("SET", "a", "other", "NX"), "$-1\r\n");
            ask(client, command("SET", "b", "new", "EX", "100", "NX"), "+OK\r\n");
            ask(client, command("MGET", "a", "none", "b"), "*3\r\n" + bulk("") + "$-1\r\n" + bulk("new"));
            ask(client, command("EXISTS", "a", "b", "none", "a"), ":3\r\n");
            ask(client, command("DBSIZE"), ":2\r\n");
            ask(client, command("INCR", "n"), ":1\r\n");
            ask(client, command("INCR", "n"), ":2\r\n");
            ask(client, command("GET", "n"), bulk("2"));
            ask(client, command("SET", "n", "-1") + command("INCR", "n"), "+OK\r\n:0\r\n");
            ask(client, command("DEL", "a", "none", "b", "n"), ":3\r\n");
            ask(client, command("DBSIZE"), ":0\r\n");
            ask(client, command("CONFIG", "GET", "appendonly"), "*2\r\n" + bulk("appendonly") + bulk("no"));
            ask(client, command("COMMAND", "COUNT"), ":13\r\n");
            send(client, command("QUIT"));
            assertThat(readAll(client)).isEqualTo("+OK\r\n");
        }
    }

    @Test
    void whatCannotBeIsSaid() throws Exception {
        try (Socket client = store.connect()) {
            ask(client, command("SET", "a", "b", "EX", "0"),
                    "-ERR EX is followed by a number of seconds from 1 on\r\n");
            ask(client, command("SET", "a", "b", "XX"),
                    "-ERR SET is followed by a key, a value, and EX with seconds or NX if that is meant\r\n");
            ask(client, command("FLY"), "-ERR unknown command 'FLY'; COMMAND lists those that there are\r\n");
            ask(client, command("GET"), "-ERR wrong number of arguments for 'GET'\r\n");
            ask(client, command("SET", "a"), "-ERR wrong number of arguments for 'SET'\r\n");
            ask(client, command("SET", "a", "word") + command("INCR", "a"),
                    "+OK\r\n-ERR the value is no whole number of 64 bits that could be increased\r\n");
            send(client, "*1\r\n$2147483647\r\n");
            assertThat(readAll(client))
                    .isEqualTo("-ERR this is not the protocol: an argument is longer than any that is taken\r\n");
        }
    }

    @Test
    void valuesEndWithTheirTime() throws Exception {
        try (Socket client = store.connect()) {
            ask(client, command("SET", "a", "b", "EX", "1"), "+OK\r\n");
            ask(client, command("SET", "stays", "b"), "+OK\r\n");
            // nothing asks for it: it is looked for
            String size = ":2\r\n";
            while (size.equals(":2\r\n")) {
                Thread.sleep(20);
                send(client, command("DBSIZE"));
                size = read(client, 4);
            }
            assertThat(size).isEqualTo(":1\r\n");
            ask(client, command("GET", "a"), "$-1\r\n");
        }
    }

    /** As {@code yes PING | nc} does it. */
    @Test
    void aClientThatNeverPausesStopsNeitherTimeNorTheEnd() throws Exception {
        List<Socket> floods = new ArrayList<>();
        try (Socket client = store.connect()) {
            for (int i = 0; i < 3; i++) {
                floods.add(flood(store.connect()));
            }
            ask(client, command("SET", "a", "b", "EX", "1"), "+OK\r\n");
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            String answer = bulk("b");
            while (answer.equals(bulk("b"))) {
                assertThat(System.nanoTime() - end).as("a key of one second is there").isNegative();
                Thread.sleep(50);
                send(client, command("GET", "a"));
                answer = read(client, 5);
                answer += answer.equals("$-1\r\n") ? "" : read(client, bulk("b").length() - 5);
            }
            assertThat(answer).isEqualTo("$-1\r\n");
            store.close();
            assertThat(store.thread.isAlive()).isFalse();
        } finally {
            for (Socket one : floods) {
                one.close();
            }
        }
    }

    /** Sends commands and throws the answers away until it is closed. */
    private static Socket flood(Socket client) {
        byte[] commands = "PING\r\n".repeat(10_000).getBytes(StandardCharsets.US_ASCII);
        byte[] answers = new byte[1 << 16];
        Thread.ofPlatform().daemon().start(() -> untilClosed(() -> client.getOutputStream().write(commands)));
        Thread.ofPlatform().daemon().start(() -> untilClosed(() -> client.getInputStream().read(answers)));
        return client;
    }

    /** What is done with a connection, again and again. */
    private interface Step {
        void run() throws IOException;
    }

    private static void untilClosed(Step step) {
        try {
            while (true) {
                step.run();
            }
        } catch (IOException closed) {
            // it was, or the store has ended
        }
    }

    @Test
    void aValueThatIsOverwrittenWhileItLeavesGoesOutWholeAndOld() throws Exception {
        int length = 1 << 20;
        String old = "o".repeat(length);
        try (Socket slow = store.connect(); Socket other = store.connect()) {
            ask(other, command("SET", "v", old), "+OK\r\n");
            // more than the kernel takes of one who does not read
            int times = 12;
            send(slow, command("GET", "v").repeat(times));
            assertThat(read(slow, 4)).as("it leaves").isEqualTo("$104");
            for (int i = 0; i < 50; i++) {
                ask(other, command("SET", "v", String.valueOf((char) ('A' + i % 26)).repeat(length)), "+OK\r\n");
                ask(other, command("SET", "w", "between".repeat(i * 1000)), "+OK\r\n");
            }
            String first = "$104" + read(slow, bulk(old).length() - 4);
            assertThat(first.equals(bulk(old))).as("it is the old one").isTrue();
            for (int i = 1; i < times; i++) {
                String next = read(slow, bulk(old).length());
                String value = next.substring(10, 10 + length);
                assertThat(next).startsWith("$1048576\r\n").endsWith("\r\n");
                assertThat(value.chars().allMatch(letter -> letter == value.charAt(0))).as("it is whole").isTrue();
            }
        }
    }

    @Test
    void largeValuesComeInAnyPieces() throws Exception {
        Random random = new Random(9);
        try (Socket client = store.connect()) {
            for (int length : new int[] {1, 4095, 4096, 16_383, 16_384, 16_385, 100_000, 1 << 20}) {
                char[] letters = new char[length];
                for (int i = 0; i < length; i++) {
                    letters[i] = (char) random.nextInt(256);
                }
                String value = new String(letters);
                String set = command("SET", "key", value);
                int at = 0;
                while (at < set.length()) {
                    int part = Math.min(set.length() - at, random.nextInt(30_000) + 1);
                    send(client, set.substring(at, at + part));
                    at += part;
                    if (random.nextInt(8) == 0) {
                        Thread.sleep(1);
                    }
                }
                assertThat(read(client, 5)).isEqualTo("+OK\r\n");
                send(client, command("GET", "key"));
                assertThat(read(client, bulk(value).length()).equals(bulk(value))).as("%d bytes", length).isTrue();
            }
        }
    }

    /** Clients that send anything: each loses its own connection at most, and no memory stays with any. */
    @Test
    void garbageHarmsNobodyElse() throws Exception {
        Random random = new Random(20);
        String[] commands = {command("GET", "k"), command("MGET", "k", "none"), command("ECHO", "x".repeat(500)),
            command("PING"), command("INFO"), command("EXISTS", "k"), "PING\r\n", "*1\r\n$-1\r\n", "*-1\r\n",
            "$5\r\nhello\r\n", "*1048577\r\n", "*2\r\n$4\r\nECHO\r\n$2147483648\r\n", "+OK\r\n", ":1\r\n"};
        try (Socket other = store.connect()) {
            ask(other, command("SET", "k", "kept"), "+OK\r\n");
            String before = usedMemory();
            for (int i = 0; i < 300; i++) {
                try (Socket client = store.connect()) {
                    send(client, garbage(random, commands));
                    if (random.nextBoolean()) {
                        client.shutdownOutput();
                        readAll(client);
                    } else if (random.nextBoolean()) {
                        client.setSoLinger(true, 0);
                    }
                } catch (SocketException turnedAway) {
                    // it was closed while it still sent
                }
                ask(other, command("GET", "k"), bulk("kept"));
            }
            waitForClients(2);
            assertThat(usedMemory()).as("memory of values").isEqualTo(before);
        }
    }

    private String usedMemory() throws InterruptedException {
        String said = info();
        while (!said.contains("used_memory:")) {
            Thread.sleep(10);
            said = info();
        }
        return said.lines().filter(line -> line.startsWith("used_memory:")).findFirst().orElseThrow();
    }

    private static String garbage(Random random, String... commands) {
        if (random.nextInt(4) == 0) {
            // of which the last byte never comes
            String set = command("SET", "left", "v".repeat(random.nextInt(200_000)));
            return set.substring(0, random.nextInt(set.length()));
        }
        StringBuilder all = new StringBuilder();
        for (int i = random.nextInt(20); i >= 0; i--) {
            StringBuilder one = new StringBuilder(commands[random.nextInt(commands.length)]);
            for (int changes = random.nextInt(3); changes > 0; changes--) {
                one.setCharAt(random.nextInt(one.length()), (char) random.nextInt(256));
            }
            all.append(one, 0, random.nextInt(8) == 0 ? random.nextInt(one.length() + 1) : one.length());
        }
        return all.toString();
    }

    @Test
    void manyCommandsAtOnceAreAnsweredInOrder() throws Exception {
        try (Socket client = store.connect()) {
            StringBuilder commands = new StringBuilder();
            StringBuilder answers = new StringBuilder();
            for (int i = 0; i < 3000; i++) {
                commands.append(command("SET", "k" + i % 100, "value " + i)).append(command("GET", "k" + i % 100));
                answers.append("+OK\r\n").append(bulk("value " + i));
            }
            Thread writer = Thread.ofPlatform().start(() -> {
                try {
                    send(client, commands.toString());
                } catch (IOException failed) {
                    throw new UncheckedIOException(failed);
                }
            });
            assertThat(read(client, answers.length())).isEqualTo(answers.toString());
            writer.join();
            String[] many = new String[1025];
            many[0] = "MGET";
            for (int i = 1; i < many.length; i++) {
                many[i] = "k" + i % 100;
            }
            StringBuilder all = new StringBuilder("*1024\r\n");
            for (int i = 1; i < many.length; i++) {
                all.append(bulk("value " + (2900 + i % 100)));
            }
            ask(client, command(many), all.toString());
        }
    }

    @Test
    void whoDoesNotReadHoldsUpNobody() throws Exception {
        try (Socket lazy = store.connect(); Socket other = store.connect()) {
            ask(lazy, command("SET", "v", "x".repeat(1 << 20)), "+OK\r\n");
            lazy.setSendBufferSize(1 << 16);
            send(lazy, command("GET", "v").repeat(64));
            for (int i = 0; i < 200; i++) {
                ask(other, command("SET", "k", "v" + i) + command("GET", "k"), "+OK\r\n" + bulk("v" + i));
            }
            // what left was sent in full, all the same
            for (int i = 0; i < 64; i++) {
                assertThat(read(lazy, (1 << 20) + 12)).startsWith("$1048576\r\nxx").endsWith("x\r\n");
            }
        }
    }

    @Test
    void memoryThatIsFullIsSaidAndComesBack() throws Exception {
        try (Socket client = store.connect()) {
            String value = "m".repeat(1 << 20);
            int kept = 0;
            while (true) {
                send(client, command("SET", "k" + kept, value));
                if (!read(client, 1).equals("+")) {
                    break;
                }
                read(client, 4);
                kept++;
            }
            assertThat(kept).isBetween(10, 16);
            String said = "OOM there is no room for a value of 1048576 bytes; delete some\r\n";
            assertThat(read(client, said.length())).isEqualTo(said);
            ask(client, command("DEL", "k0"), ":1\r\n");
            ask(client, command("SET", "k0", value), "+OK\r\n");
        }
    }

    @Test
    void clientsThatClaimMuchTakeLittle() throws Exception {
        List<Socket> greedy = new ArrayList<>();
        try {
            for (int i = 0; i < 6; i++) {
                Socket one = store.connect();
                // a value of 2 MiB that never comes; a quarter of 16 MiB is for such
                send(one, "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$2097152\r\nx");
                greedy.add(one);
            }
            waitForClients(7);
            try (Socket client = store.connect()) {
                ask(client, command("SET", "small", "value") + command("GET", "small"), "+OK\r\n" + bulk("value"));
            }
        } finally {
            for (Socket one : greedy) {
                one.close();
            }
        }
        waitForClients(1);
        try (Socket client = store.connect()) {
            ask(client, command("SET", "large", "y".repeat(1 << 20)), "+OK\r\n");
        }
    }

    @Test
    void clientsThatAreTooManyAreTurnedAway() throws Exception {
        List<Socket> all = new ArrayList<>();
        try {
            for (int i = 0; i < 8; i++) {
                Socket one = store.connect();
                ask(one, command("PING"), "+PONG\r\n");
                all.add(one);
            }
            try (Socket more = store.connect()) {
                assertThat(more.getInputStream().read()).isEqualTo(-1);
            } catch (SocketException reset) {
                assertThat(reset).hasMessageContaining("reset");
            }
            ask(all.getFirst(), command("PING"), "+PONG\r\n");
        } finally {
            for (Socket one : all) {
                one.close();
            }
        }
        waitForClients(1);
    }

    @Test
    void whoEndsIsAnsweredFirst() throws Exception {
        try (Socket client = store.connect()) {
            send(client, command("SET", "a", "b") + command("GET", "a"));
            client.shutdownOutput();
            assertThat(readAll(client)).isEqualTo("+OK\r\n" + bulk("b"));
        }
    }

    @Test
    void nothingIsAllocatedForARequest() throws Exception {
        String commands = (command("SET", "k", "v".repeat(100)) + command("GET", "k") + command("INCR", "n2"))
                .repeat(8);
        try (Socket client = store.connect()) {
            byte[] bytes = commands.getBytes(StandardCharsets.ISO_8859_1);
            byte[] answers = new byte[1 << 16];
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            long least = Long.MAX_VALUE;
            // until compilers have seen enough
            while (least > 0 && System.nanoTime() - end < 0) {
                long before = THREADS.getThreadAllocatedBytes(store.thread.threadId());
                for (int i = 0; i < 500; i++) {
                    client.getOutputStream().write(bytes);
                    for (int lines = 0; lines < 8 * 4;) {
                        int count = client.getInputStream().read(answers);
                        for (int at = 0; at < count; at++) {
                            if (answers[at] == '\n') {
                                lines++;
                            }
                        }
                    }
                }
                least = Math.min(least, THREADS.getThreadAllocatedBytes(store.thread.threadId()) - before);
            }
            assertThat(least).as("bytes allocated for 12,000 requests").isZero();
        }
    }
}
