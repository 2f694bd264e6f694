package io.manafold.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import aQute.bnd.osgi.Jar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A package that others build against has another version when it is another. */
class ApiTest {
    private static final Path TEXTS = Room.TOP.resolve("api");
    private static final Pattern TYPE = Pattern.compile("(?m)^( *)((?:(?:public|protected|private|static|final|"
            + "abstract|sealed|non-sealed) )*)(?:class|interface|record|enum|@interface) ([A-Z]\\w*)");
    private static final Pattern OPEN = Pattern.compile("(?m)^public .*\\binterface\\b");
    private static final Pattern SEEN = Pattern.compile("\\b(?:public|protected)\\b");
    private static final Pattern ANNOTATIONS = Pattern.compile(
            "(?:\\s*@\\w+(?:\\((?:[^()]|\\([^()]*\\))*\\))?)*\\s*\\z");
    private static final boolean WRITE = "write".equals(System.getProperty("manafold.api"));

    @TempDir
    private Path temporary;
    private int made;

    @Test
    void everyExportedPackageIsWhatItsVersionSays() throws Exception {
        Map<String, Api> before = texts();
        Map<String, Api> now = exported();
        List<String> wrong = new ArrayList<>();
        for (Api api : now.values()) {
            Api old = before.remove(api.name());
            ApiChanges changes = old == null ? null : new ApiChanges(old, api);
            if (changes != null && !changes.complaint().isEmpty()) {
                wrong.add(changes.complaint());
            } else if ((old == null || !changes.areNone()) && WRITE) {
                Files.createDirectories(TEXTS);
                Files.writeString(TEXTS.resolve(api.name() + ".txt"), ApiText.write(api));
            } else if (old == null || !changes.areNone()) {
                wrong.add("api/%s.txt is not what the package exports in version %s; bring it up to date: %s"
                        .formatted(api.name(), api.version(), ApiChanges.COMMAND));
            }
        }
        before.keySet().forEach(gone -> wrong.add("api/" + gone + ".txt is there and no bundle exports the package; "
                + "export it, or delete the file and tell in docs/embedding.md what takes its place"));
        assertThat(wrong).isEmpty();
        assertThat(now).hasSizeGreaterThan(30);
    }

    private static Map<String, Api> texts() throws Exception {
        Map<String, Api> texts = new TreeMap<>();
        if (Files.exists(TEXTS)) {
            try (Stream<Path> files = Files.list(TEXTS)) {
                for (Path file : files.filter(each -> each.toString().endsWith(".txt")).toList()) {
                    Api api = ApiText.read(Files.readString(file));
                    assertThat(file.getFileName()).hasToString(api.name() + ".txt");
                    texts.put(api.name(), api);
                }
            }
        }
        return texts;
    }

    private static Map<String, Api> exported() throws Exception {
        Map<String, Api> exported = new TreeMap<>();
        for (Room room : Room.all()) {
            if (room.isOfProduct() && Files.exists(room.folder().resolve("pom.xml"))) {
                try (Jar jar = new Jar(room.built())) {
                    Api.of(jar).forEach(api -> assertThat(exported.put(api.name(), api))
                            .as("a second bundle with %s", api.name()).isNull());
                }
            }
        }
        return exported;
    }

    /** A type that others build against says what it is. */
    @Test
    void eachExportedTypeHasItsComment() throws IOException {
        List<String> wrong = new ArrayList<>();
        int looked = 0;
        for (Room room : Room.all()) {
            for (Path file : room.isOfProduct() ? room.sources() : List.<Path>of()) {
                Path home = file.resolveSibling("package-info.java");
                if (Files.exists(home) && Room.text(home).contains("@Export")) {
                    looked++;
                    withoutComment(Room.text(file)).forEach(type -> wrong.add(Room.TOP.relativize(file) + ": " + type));
                }
            }
        }
        assertThat(wrong).as("exported types without Javadoc").isEmpty();
        assertThat(looked).isGreaterThan(300);
    }

    /** What a method more means to those who are bound to an interface depends on who implements it. */
    @Test
    void eachExportedInterfaceSaysWhoImplementsIt() throws Exception {
        List<String> silent = new ArrayList<>();
        for (Api api : exported().values()) {
            silent.addAll(api.silent());
        }
        assertThat(silent).as("exported interfaces that are neither sealed nor have @ConsumerType (drivers and users "
                + "implement them) or @ProviderType (the room that exports them, or the platform, does)").isEmpty();
    }

    @Test
    void anInterfaceThatDoesNotSayWhoImplementsItIsFound() throws Exception {
        assertThat(api("1.0.0", "public interface Device { interface Part { } @ProviderType interface Whole { } }")
                .silent()).containsExactlyInAnyOrder("a.b.Device", "a.b.Device$Part");
        assertThat(api("1.0.0", "public sealed interface Device { record One() implements Device { } }").silent())
                .isEmpty();
    }

    @Test
    void aTypeWithoutACommentIsFound() {
        assertThat(withoutComment("""
                /** Of a device. */
                @ProviderType
                @Words({"a", "b(c)"})
                public interface Device {
                    enum State { UP }

                    /** Down. */
                    record Down(int why) {
                    }

                    private static class Own {
                    }
                }

                class Hidden {
                }
                """)).containsExactly("State");
        assertThat(withoutComment("import a.B;\n\npublic final class Bare {\n}\n")).containsExactly("Bare");
    }

    /** Types that others see; those within an interface are public. */
    private static List<String> withoutComment(String text) {
        boolean open = OPEN.matcher(text).find();
        List<String> found = new ArrayList<>();
        for (Matcher type = TYPE.matcher(text); type.find();) {
            boolean seen = SEEN.matcher(type.group(2)).find()
                    || open && type.group(1).length() == 4 && !type.group(2).contains("private");
            if (seen && !ANNOTATIONS.matcher(text.substring(0, type.start())).replaceAll("").endsWith("*/")) {
                found.add(type.group(3));
            }
        }
        return found;
    }

    @Test
    void aTextSaysAllThatWasThere() throws Exception {
        Api api = api("1.4.0", "public sealed interface Shape permits Square {\n"
                + "String ODD = \"a | b\\n\\\\ \u00e4 +minor -major\"; int[] sides(String... names); }",
                "public record Square(int side) implements Shape {"
                + " public int[] sides(String... names) { return null; } }");
        Api read = ApiText.read(ApiText.write(api));
        assertThat(ApiText.write(read)).isEqualTo(ApiText.write(api)).contains("package a.b 1.4.0\n",
                "interface a.b.Shape", "custom permits a.b.Square", "method sides(java.lang.String[]) | ",
                "method <init>(int)", "\\u007c");
        assertThat(new ApiChanges(api, read).changes()).isEmpty();
    }

    @Test
    void whatIsTakenAwayTakesAMajorStep() throws Exception {
        assertThat(complaint("@ProviderType public interface Device { int port(); void reset(); }",
                "1.1.0", "@ProviderType public interface Device { int port(); }"))
                .isEqualTo("The package a.b is not what it was in version 1.0.0: Device.reset() was removed. Write "
                        + "@Version(\"2.0.0\") in its package-info.java, build it, and bring its text up to date: "
                        + ApiChanges.COMMAND);
        assertThat(complaint("public record Size(int width) { }", "1.0.0",
                "public record Size(int width, int height) { }")).contains("Size.<init>(int) was removed", "\"2.0.0\"");
        assertThat(complaint("public class Size { public int width() { return 0; } }", "1.9.0",
                "public class Size { public long width() { return 0; } }"))
                .contains("Size.width()", "return int", "\"2.0.0\"");
        assertThat(complaint("public sealed interface A { record B() implements A { } record C() implements A { } }",
                "1.0.1", "public sealed interface A { record B() implements A { } record C() { } }"))
                .contains("A no longer has custom permits a.b.A$C", "\"2.0.0\"");
        assertThat(complaint("public class Size { public int width; }", "2.0.0", "public class Size { }")).isEmpty();
    }

    @Test
    void whoImplementsAnInterfaceDecidesWhatAMethodMoreMeans() throws Exception {
        String more = " interface Driver { int a(); int b(); }";
        String less = " interface Driver { int a(); }";
        assertThat(complaint("@ProviderType public" + less, "1.0.0", "@ProviderType public" + more))
                .contains("Driver.b() was added", "\"1.1.0\"");
        assertThat(complaint("@ProviderType public" + less, "1.1.0", "@ProviderType public" + more)).isEmpty();
        assertThat(complaint("@ConsumerType public" + less, "1.1.0", "@ConsumerType public" + more))
                .contains("Driver.b() was added", "\"2.0.0\"");
        assertThat(complaint("@ConsumerType public" + less, "1.0.0", "@ConsumerType public interface Driver {"
                + " int a(); default int b() { return 1; } }")).contains("\"1.1.0\"");
    }

    @Test
    void aVersionDoesNotGoBackAndAnotherConstantIsTold() throws Exception {
        String limits = "public final class Limits { public static final int MOST = ";
        assertThat(complaint(limits + "1; }", "1.0.0", limits + "1; }")).isEmpty();
        assertThat(complaint(limits + "1; }", "0.9.0", limits + "1; }")).contains("gone back from version 1.0.0");
        assertThat(complaint(limits + "1; }", "1.0.0", limits + "2; }")).contains("Limits.MOST", "\"1.0.1\"");
    }

    private String complaint(String before, String version, String now) throws Exception {
        return new ApiChanges(api("1.0.0", before), api(version, now)).complaint();
    }

    /** A package made of these types. */
    private Api api(String version, String... types) throws Exception {
        Path folder = Files.createDirectories(temporary.resolve("bundle" + made++));
        List<String> words = new ArrayList<>(List.of("-d", folder.toString(), "-cp",
                System.getProperty("java.class.path")));
        for (int type = 0; type < types.length; type++) {
            String name = types[type].replaceAll("(?s).*?(?:interface|class|record) (\\w+).*", "$1");
            words.add(Files.writeString(Files.createDirectories(temporary.resolve("source" + made + "/" + type))
                    .resolve(name + ".java"), "package a.b;\nimport org.osgi.annotation.versioning.*;\n" + types[type])
                    .toString());
        }
        int status = ToolProvider.findFirst("javac").orElseThrow().run(System.out, System.err,
                words.toArray(String[]::new));
        assertThat(status).as("javac").isZero();
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().putValue("Manifest-Version", "1.0");
        manifest.getMainAttributes().putValue("Bundle-ManifestVersion", "2");
        manifest.getMainAttributes().putValue("Bundle-SymbolicName", "a");
        manifest.getMainAttributes().putValue("Export-Package", "a.b;version=\"" + version + "\"");
        try (Jar jar = new Jar("a", folder.toFile())) {
            jar.setManifest(manifest);
            return Api.of(jar).getFirst();
        }
    }
}
