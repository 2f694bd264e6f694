package io.manafold.itests.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.testkit.Namespace;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** One connection of the kernel's TCP between two network namespaces, over which blocks go there and back. */
public final class TcpStream implements AutoCloseable {
    private static final String PORT = "7000";

    private final AtomicLong blocks = new AtomicLong();
    private final Process asking;
    private final Thread thread;
    private volatile String other = "";

    /**
     * @param folder where its program is put
     * @param address of the namespace that serves
     */
    public TcpStream(Path folder, Namespace serving, Namespace client, String address) throws IOException {
        String name = TcpEnd.class.getName();
        Path program = folder.resolve(name.replace('.', '/') + ".class");
        Files.createDirectories(program.getParent());
        try (InputStream code = TcpEnd.class.getResourceAsStream("TcpEnd.class")) {
            Files.copy(code, program);
        }
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process server = serving.begin(java, "-XX:TieredStopAtLevel=1", "-cp", folder.toString(), name, "serve",
                address, PORT);
        assertThat(server.inputReader().readLine()).isEqualTo("ready");
        asking = client.begin(java, "-XX:TieredStopAtLevel=1", "-cp", folder.toString(), name, "ask", address, PORT);
        BufferedReader said = asking.inputReader();
        thread = Thread.ofPlatform().daemon().name("what TCP says").start(() -> said.lines().forEach(this::line));
    }

    private void line(String line) {
        if (line.chars().allMatch(Character::isDigit)) {
            blocks.set(Long.parseLong(line));
        } else {
            other = other + line + "\n";
        }
    }

    /** How many blocks have come back. */
    public long blocks() {
        return blocks.get();
    }

    /** Waits until so many more have come back, by the one connection. */
    public void goesOn(String when, int count) {
        long before = blocks.get();
        Wire.await("TCP goes on " + when, () -> blocks.get() - before >= count || !asking.isAlive());
        assertThat(asking.isAlive()).as("the connection is there %s; its end says %s", when, other).isTrue();
    }

    /** Ends it from the end that asks. */
    @Override
    public void close() throws IOException, InterruptedException {
        asking.getOutputStream().write('\n');
        asking.getOutputStream().close();
        assertThat(asking.waitFor(60, TimeUnit.SECONDS)).as("the end that asks ends").isTrue();
        thread.join();
        assertThat(asking.exitValue()).as(other).isZero();
    }
}
