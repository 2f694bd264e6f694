package io.manafold.product;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/** A bundle with nothing but an activator, {@code hostile.Activator}, compiled on the spot. */
final class ActivatorJar {
    private static final String SOURCE = """
            package hostile;
            public final class Activator implements org.osgi.framework.BundleActivator {
                public void start(org.osgi.framework.BundleContext context) throws Exception { %s }
                public void stop(org.osgi.framework.BundleContext context) throws Exception { %s }
                private static void hang() {
                    while (true) {
                        try {
                            Thread.sleep(60_000);
                        } catch (InterruptedException ignored) {
                            continue;
                        }
                    }
                }
            }
            """;

    private ActivatorJar() {
    }

    /** Statements may call {@code hang()}, which never returns. */
    static void make(Path jar, String symbolicName, String onStart, String onStop) throws IOException {
        make(jar, symbolicName, onStart, onStop, List.of());
    }

    /**
     * The same with packages of the platform's bundles whose names begin with these, as in
     * {@code io.manafold.api.rdma}.
     */
    static void make(Path jar, String symbolicName, String onStart, String onStop, List<String> bundles)
            throws IOException {
        Path classes = Files.createTempDirectory(jar.toAbsolutePath().getParent().getParent(), "classes");
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            files.setLocationFromPaths(StandardLocation.CLASS_OUTPUT, List.of(classes));
            JavaFileObject source = new SimpleJavaFileObject(URI.create("string:///hostile/Activator.java"),
                    JavaFileObject.Kind.SOURCE) {
                @Override
                public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                    return SOURCE.formatted(onStart, onStop);
                }
            };
            List<String> options = bundles.isEmpty() ? List.of("--release", "17")
                    : List.of("-cp", System.getProperty("java.class.path") + built().map(bundle -> File.pathSeparator
                            + bundle).collect(Collectors.joining()));
            assertThat(compiler.getTask(null, files, null, options, null, List.of(source)).call()).isTrue();
        }
        Manifest manifest = new Manifest();
        Attributes main = manifest.getMainAttributes();
        main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        main.putValue("Bundle-ManifestVersion", "2");
        main.putValue("Bundle-SymbolicName", symbolicName);
        main.putValue("Bundle-Activator", "hostile.Activator");
        main.putValue("Import-Package",
                String.join(",", Stream.concat(Stream.of("org.osgi.framework"),
                        bundles.stream().map(each -> each + ";version=\"[1,9)\"")).toList()));
        Path whole = classes.resolve("whole.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(whole), manifest);
                Stream<Path> made = Files.walk(classes.resolve("hostile"))) {
            for (Path file : made.filter(Files::isRegularFile).toList()) {
                out.putNextEntry(new JarEntry("hostile/" + file.getFileName()));
                Files.copy(file, out);
            }
        }
        Files.move(whole, jar);
    }

    /** The bundles' classes: those named refer to those of others. */
    private static Stream<Path> built() {
        String[] rooms = Run.TOP.resolve("bundles").toFile().list();
        return Stream.of(rooms).sorted()
                .map(room -> Run.TOP.resolve("bundles").resolve(room).resolve("target/classes"));
    }
}
