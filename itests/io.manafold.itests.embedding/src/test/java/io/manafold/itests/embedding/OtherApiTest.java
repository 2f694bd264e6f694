package io.manafold.itests.embedding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.instruction.InvokeInstruction;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;
import java.util.function.UnaryOperator;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.osgi.framework.Version;
import org.osgi.service.condition.Condition;

/** Drivers that were built against other APIs than the platform has: they work, or a sentence says why they do not. */
@Timeout(120)
class OtherApiTest {
    private static final String API = "io.manafold.api.device";
    private static final String DRIVER = "io/manafold/example/embedder/internal/EduDriver.class";
    private static final Attributes.Name IMPORTS = new Attributes.Name("Import-Package");

    private final Jars jars;
    @TempDir
    private Path temporary;

    OtherApiTest() throws IOException {
        jars = new Jars();
    }

    /** A framework with a device, and a folder for its driver. */
    private Host begin(Host.Kind kind) throws Exception {
        Host host = new Host(kind, jars, temporary.resolve("storage"),
                Map.of("manafold.data", temporary.resolve("data").toString()));
        Files.createDirectories(temporary.resolve("data/drivers"));
        List<Path> files = new ArrayList<>();
        for (String id : Features.bundles(Features.read("core"))) {
            files.add(jars.file(id));
        }
        files.add(jars.only("io.manafold", "io.manafold.dropin"));
        String device = "io.manafold.itests.embedding.device.";
        files.add(new TestBundle("test.device", "1").header("Import-Package", API)
                .activator(device + "EduActivator", device + "EduFunction").write(temporary.resolve("device.jar")));
        host.start(files);
        host.service(Condition.class, "(osgi.condition.id=io.manafold.dropin.scanned)");
        return host;
    }

    /** The example's driver as another compiler would have left it. */
    private void drop(String file, UnaryOperator<String> imports, UnaryOperator<byte[]> driver) throws IOException {
        Path whole = temporary.resolve(file);
        try (JarFile example = new JarFile(jars.only("io.manafold", "io.manafold.example.embedder").toFile())) {
            Manifest manifest = example.getManifest();
            manifest.getMainAttributes().putValue("Bundle-SymbolicName", file.replace(".jar", ""));
            manifest.getMainAttributes().compute(IMPORTS, (_, value) -> imports.apply((String) value));
            try (OutputStream out = Files.newOutputStream(whole);
                    JarOutputStream jar = new JarOutputStream(out, manifest)) {
                for (JarEntry entry : example.stream().filter(each -> !each.getName().startsWith("META-INF"))
                        .toList()) {
                    byte[] content = example.getInputStream(entry).readAllBytes();
                    jar.putNextEntry(new JarEntry(entry.getName()));
                    jar.write(entry.getName().equals(DRIVER) ? driver.apply(content) : content);
                }
            }
        }
        Files.move(whole, temporary.resolve("data/drivers").resolve(file));
    }

    private static UnaryOperator<String> withRange(String range) {
        return imports -> {
            String changed = imports.replaceAll("(" + API + ";version=)\"[^\"]*\"", "$1\"" + range + "\"");
            assertThat(changed).contains(range);
            return changed;
        };
    }

    private static void awaitEvent(Host host, String... parts) throws InterruptedException {
        host.await("an event with " + List.of(parts), () -> host.events().stream()
                .anyMatch(event -> Stream.of(parts).allMatch(event::contains)));
    }

    private Version present() throws IOException {
        try (JarFile api = new JarFile(jars.only("io.manafold", API).toFile())) {
            return Version.parseVersion(api.getManifest().getMainAttributes().getValue("Export-Package")
                    .replaceAll("(?s)^" + API + ";.*?version=\"?([\\d.]+).*", "$1"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aDriverOfAnOlderMinorVersionWorks(Host.Kind kind) throws Exception {
        try (Host host = begin(kind)) {
            Version here = present();
            drop("older.jar", withRange("[%d.%d,%d)".formatted(here.getMajor(), here.getMinor() - 1,
                    here.getMajor() + 1)), UnaryOperator.identity());
            assertThat(host.service(LongUnaryOperator.class, "").applyAsLong(5)).isEqualTo(120);
        }
    }

    /** Sources and API of former commits, compiled anew: the last before the API's version, and the first of all. */
    @ParameterizedTest
    @EnumSource
    void driversOfFormerCommitsWork(Host.Kind kind) throws Exception {
        List<String> commits = OlderDriver.commits(present());
        assumeTrue(!commits.isEmpty(), "git knows the history");
        try (Host host = begin(kind)) {
            int count = 0;
            for (String commit : commits) {
                String file = "former" + count++ + ".jar";
                Path jar = OlderDriver.build(commit, temporary, file);
                try (JarFile made = new JarFile(jar.toFile())) {
                    assertThat(made.getManifest().getMainAttributes().getValue(IMPORTS)).as("what %s imports", commit)
                            .contains(API + ";version=\"[1.").doesNotContain("[" + present().getMajor() + "."
                                    + present().getMinor() + ",");
                }
                Path dropped = Files.move(jar, temporary.resolve("data/drivers").resolve(file));
                assertThat(host.service(LongUnaryOperator.class, "").applyAsLong(5)).as(commit).isEqualTo(120);
                Files.delete(dropped);
                host.await("it is gone", () -> !host.has(LongUnaryOperator.class.getName(), null));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void oneThatNeedsAnotherVersionIsRefusedAndBindsWhenItIsBuiltAnew(Host.Kind kind) throws Exception {
        try (Host host = begin(kind)) {
            int here = present().getMajor();
            drop("former.jar", withRange("[%d,%d)".formatted(here - 1, here)), UnaryOperator.identity());
            awaitEvent(host, "BUNDLE_REFUSED former.jar is refused", "needs the package " + API + " in version "
                    + (here - 1) + ".0.0 up to " + here + ".0.0");
            drop("coming.jar", withRange("[%d,%d)".formatted(here + 1, here + 2)), UnaryOperator.identity());
            awaitEvent(host, "BUNDLE_REFUSED coming.jar is refused", "needs the package " + API + " in version "
                    + (here + 1) + ".0.0 up to " + (here + 2) + ".0.0");
            drop("any.jar", imports -> imports.replaceAll("(" + API + ");version=\"[^\"]*\"", "$1"),
                    UnaryOperator.identity());
            awaitEvent(host, "BUNDLE_REFUSED any.jar is refused", API + " and does not say up to which version");
            assertThat(host.has(LongUnaryOperator.class.getName(), null)).isFalse();
            Files.delete(temporary.resolve("data/drivers/former.jar"));
            Files.delete(temporary.resolve("data/drivers/coming.jar"));
            drop("anew.jar", UnaryOperator.identity(), UnaryOperator.identity());
            assertThat(host.service(LongUnaryOperator.class, "").applyAsLong(5)).isEqualTo(120);
        }
    }

    /** Its versions are right and its code is not: so it is between two versions, while an API is being changed. */
    @ParameterizedTest
    @EnumSource
    void oneThatCallsWhatIsNotThereIsDeclinedInASentence(Host.Kind kind) throws Exception {
        try (Host host = begin(kind)) {
            drop("between.jar", UnaryOperator.identity(), OtherApiTest::callingAFormerMethod);
            awaitEvent(host, "it was built against another API than is here (NoSuchMethodError: ", "deviceOf",
                    "build it against that of this platform");
            assertThat(host.has(LongUnaryOperator.class.getName(), null)).isFalse();
        }
    }

    private static byte[] callingAFormerMethod(byte[] driver) {
        CodeTransform calls = (builder, element) -> {
            if (element instanceof InvokeInstruction call && call.name().equalsString("device")) {
                builder.invokeinterface(call.owner().asSymbol(), "deviceOf", call.typeSymbol());
            } else {
                builder.with(element);
            }
        };
        return ClassFile.of().transformClass(ClassFile.of().parse(driver),
                ClassTransform.transformingMethodBodies(calls));
    }
}
