package io.manafold.itests.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.osgi.framework.Bundle;
import org.osgi.framework.Constants;
import org.osgi.framework.ServiceReference;
import org.osgi.service.feature.Feature;

/** Each feature on each framework is a whole: its bundles and no others run, and a foreign bundle gets its service. */
@Timeout(300)
class FeaturesTest {
    /** The terminal is the product's own business: an embedder has a console of his own, or none. */
    private static final Set<String> ONLY_IN_THE_PRODUCT =
            Set.of("io.manafold.launcher", "org.apache.felix.gogo.jline", "org.jline");
    private static final Pattern RESOLVED = Pattern.compile("([\\w.-]+);version='\\[([\\w.-]+),");

    private final Jars jars;
    @TempDir
    private Path temporary;

    FeaturesTest() throws IOException {
        jars = new Jars();
    }

    static Stream<Arguments> everyFeatureOnEveryFramework() throws IOException {
        return Features.names().stream()
                .flatMap(name -> Stream.of(Host.Kind.values()).map(kind -> Arguments.of(name, kind)));
    }

    @ParameterizedTest
    @MethodSource("everyFeatureOnEveryFramework")
    void aForeignBundleGetsTheDriverCore(String name, Host.Kind kind) throws Exception {
        List<Path> files = Features.bundles(Features.read(name)).stream().map(jars::file).toList();
        try (Host host = new Host(kind, jars, temporary.resolve("storage"),
                Map.of("manafold.data", temporary.resolve("data").toString()))) {
            for (Bundle bundle : host.start(files)) {
                assertThat(bundle.getState()).as("%s", bundle).isEqualTo(
                        Host.isFragment(bundle) ? Bundle.RESOLVED : Bundle.ACTIVE);
            }
            assertThat(host.undeclaredServices()).isEmpty();
            Bundle example = host.install(jars.only("io.manafold", "io.manafold.example.embedder"));
            example.start();
            IntSupplier bound = host.service(IntSupplier.class, "(counts=bound devices)");
            assertThat(bound.getAsInt()).isZero();

            Bundle device = host.install(device());
            device.start();
            assertThat(host.service(LongUnaryOperator.class, "").applyAsLong(10)).isEqualTo(3628800);
            host.await("the device is bound", () -> bound.getAsInt() == 1);
            device.stop();
            host.await("the device has gone", () -> bound.getAsInt() == 0);
            assertThat(host.has(LongUnaryOperator.class.getName(), null)).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aForeignBundleGetsANetworkDevice(Host.Kind kind) throws Exception {
        List<Path> files = Features.bundles(Features.read("all")).stream().map(jars::file).toList();
        try (Host host = new Host(kind, jars, temporary.resolve("storage"),
                Map.of("manafold.data", temporary.resolve("data").toString()))) {
            host.start(files);
            host.install(jars.only("io.manafold", "io.manafold.example.embedder")).start();
            assertThat(host.has(LongSupplier.class.getName(), null)).isFalse();
            host.await("labs", () -> host.has("io.manafold.api.lab.Labs", null));
            Object labs = host.context().getService(host.context().getServiceReference("io.manafold.api.lab.Labs"));
            labs.getClass().getMethod("up", String.class).invoke(labs, "default");
            LongSupplier received = host.service(LongSupplier.class, "(counts=received packets)");
            type(host, "ping -c 1 -I mana0 10.77.0.2");
            host.await("the first packet", () -> received.getAsLong() > 0);
            assertThat(host.undeclaredServices()).isEmpty();
            labs.getClass().getMethod("down", String.class).invoke(labs, "default");
            host.await("the device has gone", () -> !host.has(LongSupplier.class.getName(), null));
        }
    }

    /** Has a line carried out as a console of the embedder does. */
    private static void type(Host host, String line) throws Exception {
        String processor = "org.apache.felix.service.command.CommandProcessor";
        host.await("commands", () -> host.has(processor, null)
                && host.has(null, "(osgi.command.function=ping)"));
        // whichever package of that name this host's own bundle sees
        ServiceReference<?> reference = host.context().getAllServiceReferences(processor, null)[0];
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        Object session = reference.getBundle().loadClass(processor)
                .getMethod("createSession", InputStream.class, OutputStream.class, OutputStream.class)
                .invoke(host.context().getService(reference), InputStream.nullInputStream(), said, said);
        reference.getBundle().loadClass("org.apache.felix.service.command.CommandSession")
                .getMethod("execute", CharSequence.class).invoke(session, line);
    }

    private Path device() throws IOException {
        String from = "io.manafold.itests.embedding.device.";
        return new TestBundle("test.device", "1.0.0").header("Import-Package", "io.manafold.api.device")
                .activator(from + "EduActivator", from + "EduFunction").write(temporary.resolve("device.jar"));
    }

    @ParameterizedTest
    @EnumSource
    void theOrderOfStartDoesNotMatter(Host.Kind kind) throws Exception {
        List<String> ids = new ArrayList<>(Features.bundles(Features.read("core")));
        for (int seed = 0; seed < 3; seed++) {
            Collections.shuffle(ids, new Random(seed));
            try (Host host = new Host(kind, jars, temporary.resolve("storage" + seed), Map.of())) {
                host.start(Stream.concat(Stream.of(jars.only("io.manafold", "io.manafold.example.embedder")),
                        ids.stream().map(jars::file)).toList());
                assertThat(host.service(IntSupplier.class, "(counts=bound devices)").getAsInt()).isZero();
            }
        }
    }

    @Test
    void twoFrameworksLiveSideBySideInOneVirtualMachine() throws Exception {
        List<Path> files = new ArrayList<>();
        for (String id : Features.bundles(Features.read("core"))) {
            files.add(jars.file(id));
        }
        files.add(jars.only("io.manafold", "io.manafold.example.embedder"));
        try (Host one = new Host(Host.Kind.FELIX, jars, temporary.resolve("one"), Map.of());
                Host two = new Host(Host.Kind.FELIX, jars, temporary.resolve("two"), Map.of())) {
            one.start(files);
            two.start(files);
            one.install(device()).start();
            one.service(LongUnaryOperator.class, "");
            IntSupplier bound = one.service(IntSupplier.class, "(counts=bound devices)");
            one.await("the device is bound", () -> bound.getAsInt() == 1);
            assertThat(two.service(IntSupplier.class, "(counts=bound devices)").getAsInt()).isZero();
        }
    }

    @Test
    void theFeatureAllIsTheProductWithoutItsTerminal() throws IOException {
        Set<String> product = new TreeSet<>();
        Matcher resolved = RESOLVED.matcher(Files.readString(Path.of(System.getProperty("manafold.composition"))));
        while (resolved.find()) {
            if (!ONLY_IN_THE_PRODUCT.contains(resolved.group(1))) {
                product.add(resolved.group(1) + " " + plain(resolved.group(2)));
            }
        }
        assertThat(product).hasSizeGreaterThan(10);
        assertThat(identities("all")).as("features/all.json against the product's composition, bndrun/manafold.bndrun")
                .isEqualTo(product);
    }

    @Test
    void theFeatureCoreIsWithinAll() throws IOException {
        assertThat(identities("all")).containsAll(identities("core"));
    }

    @Test
    void everyFeatureIsNamedAfterItsFileAndLayer() throws IOException {
        for (String name : Features.names()) {
            Feature feature = Features.read(name);
            assertThat(feature.getID().toString())
                    .matches("io\\.manafold:io\\.manafold\\.features:osgifeature:" + name + ":\\d+\\.\\d+\\.\\d+.*");
            assertThat(Features.bundles(feature)).doesNotHaveDuplicates();
            assertThat(feature.getName()).isPresent();
            assertThat(feature.getDescription()).isPresent();
        }
    }

    /** Each bundle is taken out in turn: then something does not resolve, or the foreign bundle gets nothing. */
    @Test
    void nothingInCoreCouldBeLeftOut() throws Exception {
        List<String> all = Features.bundles(Features.read("core"));
        assertThat(givesTheForeignBundleItsService(all)).as("core as it is").isTrue();
        for (String without : all) {
            List<String> rest = new ArrayList<>(all);
            rest.remove(without);
            assertThat(givesTheForeignBundleItsService(rest)).as("core without %s", without).isFalse();
        }
    }

    private boolean givesTheForeignBundleItsService(List<String> ids) throws Exception {
        try (Host host = new Host(Host.Kind.EQUINOX, jars, temporary.resolve("some"),
                Map.of(Constants.FRAMEWORK_STORAGE_CLEAN, Constants.FRAMEWORK_STORAGE_CLEAN_ONFIRSTINIT))) {
            List<Bundle> bundles = new ArrayList<>();
            for (String id : ids) {
                bundles.add(host.install(jars.file(id)));
            }
            bundles.add(host.install(jars.only("io.manafold", "io.manafold.example.embedder")));
            if (!host.resolves(bundles)) {
                return false;
            }
            for (Bundle bundle : bundles) {
                if (!Host.isFragment(bundle)) {
                    bundle.start();
                }
            }
            return host.has(IntSupplier.class.getName(), null);
        }
    }

    private Set<String> identities(String name) throws IOException {
        Set<String> identities = new TreeSet<>();
        for (String id : Features.bundles(Features.read(name))) {
            try (JarFile jar = new JarFile(jars.file(id).toFile())) {
                var headers = jar.getManifest().getMainAttributes();
                identities.add(headers.getValue("Bundle-SymbolicName").split(";")[0].strip() + " "
                        + plain(headers.getValue("Bundle-Version")));
            }
        }
        return identities;
    }

    /** Three numbers, without a qualifier. */
    private static String plain(String version) {
        return version.replaceAll("^(\\d+\\.\\d+\\.\\d+).*", "$1").replaceAll("^(\\d+\\.\\d+)$", "$1.0");
    }
}
