package io.manafold.guests;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonReader;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The orders of an emulator (QMP), one at a time, and what it tells meanwhile. */
final class Monitor implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    private final SocketChannel channel;
    private final BlockingQueue<JsonObject> answers = new LinkedBlockingQueue<>();
    private final BlockingQueue<JsonObject> events = new LinkedBlockingQueue<>();

    Monitor(Path socket) {
        try {
            channel = SocketChannel.open(StandardProtocolFamily.UNIX);
            channel.connect(UnixDomainSocketAddress.of(socket));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        Thread.ofPlatform().daemon().name("monitor").start(this::read);
        order("{\"execute\": \"qmp_capabilities\"}");
    }

    private void read() {
        BufferedReader lines = new BufferedReader(new InputStreamReader(Channels.newInputStream(channel),
                StandardCharsets.UTF_8));
        try {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                try (JsonReader reader = Json.createReader(new StringReader(line))) {
                    JsonObject said = reader.readObject();
                    if (said.containsKey("event")) {
                        events.add(said);
                    } else if (!said.containsKey("QMP")) {
                        answers.add(said);
                    }
                }
            }
        } catch (IOException ended) {
            // the test that waits says what for
        }
    }

    /** Carries an order out. */
    void order(String order) {
        try {
            channel.write(ByteBuffer.wrap((order + "\n").getBytes(StandardCharsets.UTF_8)));
            JsonObject answer = answers.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            assertThat(answer).as("answer to %s", order).isNotNull();
            assertThat(answer.containsKey("return")).as("%s was answered with %s", order, answer).isTrue();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    /** Has the machine let go of a device, and waits until it has. */
    void unplug(String device) {
        order("{\"execute\": \"device_del\", \"arguments\": {\"id\": \"" + device + "\"}}");
        long end = System.nanoTime() + PATIENCE.toNanos();
        try {
            while (true) {
                JsonObject event = events.poll(Math.max(1, end - System.nanoTime()), TimeUnit.NANOSECONDS);
                assertThat(event).as("the machine lets go of %s", device).isNotNull();
                if (event.getString("event").equals("DEVICE_DELETED")
                        && event.getJsonObject("data").getString("device", "").equals(device)) {
                    return;
                }
            }
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    /** Plugs a device in. */
    void plug(String device) {
        order("{\"execute\": \"device_add\", \"arguments\": " + device + "}");
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }
}
