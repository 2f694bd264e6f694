package io.manafold.product;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonReader;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** The image of a container: whole, small, the same each time, and run by what makes containers of images. */
@Timeout(600)
class ImageTest {
    private static final long MOST_BYTES = 130_000_000;
    private static final int USER = 10001;
    private static final int ANOTHER_USER = 54321;
    private static final Pattern FIRST_MINUTES = Pattern.compile(
            "(?s)## The first five minutes.*?```console\n\\$ ./manafold\n(.*?)```");

    @TempDir
    static Path folder;

    private static Path layout;

    @BeforeAll
    static void make() throws IOException {
        layout = made("image").resolve("oci");
    }

    /** As the profile {@code image} makes it, for a user whose files are closed to others. */
    private static Path made(String name) throws IOException {
        Run.of("sh", "-c", "umask 077; exec sh \"$0\" \"$@\"", Run.TOP.resolve("release/image").toString(),
                folder.resolve(name).toString(), StrangersBuild.version(), "2026-11-01T00:00:00Z")
                .with("JAVA_HOME", System.getProperty("java.home"))
                .fed("", Duration.ofMinutes(5)).done();
        return folder.resolve(name);
    }

    private static JsonObject read(Path file) throws IOException {
        try (JsonReader reader = Json.createReader(Files.newBufferedReader(file))) {
            return reader.readObject();
        }
    }

    /** What a descriptor points to; its length and its checksum are as the descriptor has them. */
    private static Path blob(JsonObject descriptor) throws Exception {
        String digest = descriptor.getString("digest").replace("sha256:", "");
        Path file = layout.resolve("blobs/sha256/" + digest);
        assertThat(file).hasSize(descriptor.getInt("size"));
        try (InputStream in = Files.newInputStream(file)) {
            assertThat(sum(in).digest).isEqualTo(digest);
        }
        return file;
    }

    private record Sum(String digest, long bytes) {
    }

    private static Sum sum(InputStream in) throws Exception {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        byte[] buffer = new byte[1 << 16];
        long bytes = 0;
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
            digest.update(buffer, 0, count);
            bytes += count;
        }
        return new Sum(HexFormat.of().formatHex(digest.digest()), bytes);
    }

    private static JsonObject manifest() throws Exception {
        return read(blob(read(layout.resolve("index.json")).getJsonArray("manifests").getJsonObject(0)));
    }

    private static JsonObject configuration() throws Exception {
        return read(blob(manifest().getJsonObject("config")));
    }

    @Test
    void eachPartOfTheLayoutIsThereWithItsChecksumAndAllOfItIsSmall() throws Exception {
        assertThat(read(layout.resolve("oci-layout")).getString("imageLayoutVersion")).isEqualTo("1.0.0");
        assertThat(Files.getPosixFilePermissions(layout.resolve("blobs"))).contains(PosixFilePermission.OTHERS_EXECUTE);
        JsonArray inner = configuration().getJsonObject("rootfs").getJsonArray("diff_ids");
        JsonArray layers = manifest().getJsonArray("layers");
        assertThat(layers).hasSameSizeAs(inner);
        long bytes = 0;
        for (int i = 0; i < layers.size(); i++) {
            try (InputStream in = new GZIPInputStream(Files.newInputStream(blob(layers.getJsonObject(i))))) {
                Sum unpacked = sum(in);
                assertThat("sha256:" + unpacked.digest).isEqualTo(inner.getString(i));
                bytes += unpacked.bytes;
            }
        }
        assertThat(bytes).as("bytes of what is unpacked").isLessThan(MOST_BYTES);
        try (Stream<Path> blobs = Files.list(layout.resolve("blobs/sha256"))) {
            assertThat(blobs).as("index, and no blob that it does not lead to").hasSize(layers.size() + 2);
        }
    }

    @Test
    @EnabledIfSystemProperty(named = "manafold.images", matches = "2", disabledReason = "a second one takes a minute")
    void itIsTheSameBytesTwice() throws Exception {
        assertThat(made("again").resolve("oci/index.json")).hasSameBinaryContentAs(layout.resolve("index.json"));
    }

    /** A container that writes nothing to its root, has no capability, no interface but its own, and this user. */
    private static Path bundle(String name, int user, JsonArray arguments) throws Exception {
        for (String program : List.of("umoci", "runc")) {
            assumeTrue(Run.of("sh", "-c", "command -v " + program).end().status() == 0, program + " is installed");
        }
        assumeTrue(Run.of("id", "-u").end().done().out().equals("0\n"), "this is root, as whom runc makes containers");
        Path bundle = folder.resolve(name);
        Run.of("umoci", "unpack", "--image", layout + ":latest", bundle.toString()).fed("", Duration.ofMinutes(2))
                .done();
        Path file = bundle.resolve("config.json");
        JsonObject all = read(file);
        JsonObject process = all.getJsonObject("process");
        JsonObjectBuilder nothing = Json.createObjectBuilder();
        process.getJsonObject("capabilities").keySet().forEach(set -> nothing.add(set, JsonValue.EMPTY_JSON_ARRAY));
        JsonObject changed = Json.createObjectBuilder(all)
                .add("root", Json.createObjectBuilder(all.getJsonObject("root")).add("readonly", true))
                .add("process", Json.createObjectBuilder(process).add("terminal", false).add("args", arguments)
                        .add("capabilities", nothing)
                        .add("user", Json.createObjectBuilder().add("uid", user).add("gid", user)))
                .build();
        assertThat(all.getJsonObject("linux").getJsonArray("namespaces").toString()).contains("\"network\"");
        try (OutputStream out = Files.newOutputStream(file)) {
            Json.createWriter(out).write(changed);
        }
        return bundle;
    }

    private static JsonArray entry(String... arguments) throws Exception {
        JsonArrayBuilder all = Json.createArrayBuilder(
                configuration().getJsonObject("config").getJsonArray("Entrypoint"));
        Stream.of(arguments).forEach(all::add);
        return all.build();
    }

    private static Run.Plan runc(String... words) {
        return Run.of(Stream.concat(Stream.of("runc", "--root", folder.resolve("runc").toString()), Stream.of(words))
                .toArray(String[]::new));
    }

    /** The page's commands, read from the input. */
    @Test
    void theFirstFiveMinutesOfTheReadmeWorkInIt() throws Exception {
        Path bundle = bundle("minutes", USER, entry());
        Matcher block = FIRST_MINUTES.matcher(Files.readString(Run.TOP.resolve("README.md")));
        assertThat(block.find()).isTrue();
        String lines = block.group(1).lines().map(line -> line.replace("manafold> ", "") + "\n")
                .collect(Collectors.joining());
        Run.Ended ended = runc("run", "--bundle", bundle.toString(), "minutes-" + ProcessHandle.current().pid())
                .fed(lines, Duration.ofMinutes(3)).done();
        assertThat(ended.out()).contains("driver ethernet 1.0.0", "3 packets transmitted, 3 received");
        // how far traffic is, each second
        assertThat(ended.err().lines()).allMatch(line -> line.matches("\\d+ s: .*"));
    }

    /** As Docker and others ask it. */
    @Test
    void itSaysWhetherItIsWellAndEndsWhenItIsTold() throws Exception {
        JsonObject told = configuration().getJsonObject("config");
        Path bundle = bundle("headless", ANOTHER_USER, entry(told.getJsonArray("Cmd").getString(0)));
        String name = "headless-" + ProcessHandle.current().pid();
        List<String> check = told.getJsonObject("Healthcheck").getJsonArray("Test").stream().skip(1)
                .map(word -> ((JsonString) word).getString()).toList();
        try (Run run = runc("run", "--bundle", bundle.toString(), name).start()) {
            run.awaitOut("ready\n");
            assertThat(runc(Stream.concat(Stream.of("exec", name), check.stream()).toArray(String[]::new)).end().done()
                    .out()).contains("manafold", "1.0.0");
            runc("kill", name, "TERM").end().done();
            run.ended().done();
        } finally {
            runc("delete", "--force", name).end();
        }
    }
}
