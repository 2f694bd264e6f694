package io.manafold.image.internal;

import jakarta.json.Json;
import jakarta.json.JsonException;
import jakarta.json.JsonObject;
import jakarta.json.JsonReader;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Takes devices out of a QEMU that runs and puts them in, by its protocol QMP. */
final class QemuOrders implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int MOST_WAITING = 256;

    private final ServerSocketChannel server;
    private final BlockingQueue<JsonObject> said = new ArrayBlockingQueue<>(MOST_WAITING);
    private volatile SocketChannel channel;

    QemuOrders(QemuProcess qemu, String socket) throws IOException {
        server = qemu.socket(socket);
        qemu.daemon("orders", this::listen);
    }

    private void listen() {
        try (SocketChannel accepted = server.accept();
                BufferedReader in = new BufferedReader(new InputStreamReader(Channels.newInputStream(accepted),
                StandardCharsets.UTF_8))) {
            channel = accepted;
            write("qmp_capabilities", Json.createObjectBuilder().build());
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                try (JsonReader reader = Json.createReader(new StringReader(line))) {
                    // what is not waited for is dropped when much has come
                    said.offer(reader.readObject());
                } catch (JsonException garbled) {
                    continue;
                }
            }
        } catch (IOException over) {
            // the process has ended
        }
    }

    private void write(String order, JsonObject arguments) throws IOException {
        String line = Json.createObjectBuilder().add("execute", order).add("arguments", arguments).build() + "\n";
        SocketChannel to = channel;
        if (to == null) {
            throw new IOException("QEMU has not connected");
        }
        to.write(ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8)));
    }

    /** Takes a device out, which the guest lets go; false if it does not. */
    boolean remove(String id, Duration limit) throws IOException, InterruptedException {
        said.clear();
        write("device_del", Json.createObjectBuilder().add("id", id).build());
        return await(one -> one.getString("event", "").equals("DEVICE_DELETED")
                && one.getJsonObject("data").getString("device", "").equals(id), limit) != null;
    }

    /** Puts a device in; an empty text, or why that cannot be. */
    String add(JsonObject device) throws IOException, InterruptedException {
        said.clear();
        write("device_add", device);
        JsonObject answer = await(one -> one.containsKey("return") || one.containsKey("error"), PATIENCE);
        return answer == null ? "QEMU has not answered" : !answer.containsKey("error") ? ""
                : answer.getJsonObject("error").getString("desc", "no reason was told");
    }

    private JsonObject await(Predicate<JsonObject> wanted, Duration limit) throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        while (true) {
            JsonObject next = said.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (next == null || wanted.test(next)) {
                return next;
            }
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        SocketChannel open = channel;
        if (open != null) {
            open.close();
        }
    }
}
