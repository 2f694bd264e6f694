package io.manafold.dropin.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.dropin.internal.Bundles.Resident;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Version;
import org.osgi.framework.startlevel.BundleStartLevel;
import org.osgi.framework.wiring.FrameworkWiring;

/** Calls into a framework of which another bundle's listener may keep one. */
@Timeout(120)
class FrameworkBundlesTest {
    private static final FileState STATE = FileState.UNKNOWN;

    private final CountDownLatch gate = new CountDownLatch(1);
    private final BundleContext context = Fakes.of(BundleContext.class, (_, method, arguments) -> {
        if (!method.getName().equals("installBundle")) {
            return bundle("another");
        }
        if (arguments[0].equals(FrameworkBundles.LOCATION + "hangs.jar")) {
            gate.await(60, TimeUnit.SECONDS);
        }
        return bundle((String) arguments[0]);
    });
    private final FrameworkBundles bundles = new FrameworkBundles(context, Duration.ofMillis(1),
            new CompletableFuture<>());
    @TempDir
    private Path folder;

    private static Bundle bundle(String location) {
        BundleStartLevel level = Fakes.of(BundleStartLevel.class, (_, _, _) -> 1);
        FrameworkWiring wiring = Fakes.of(FrameworkWiring.class, (_, _, _) -> null);
        return Fakes.of(Bundle.class, (_, method, arguments) -> switch (method.getName()) {
            case "adapt" -> arguments[0] == BundleStartLevel.class ? level : wiring;
            case "getLocation" -> location;
            case "getBundleId" -> 7L;
            case "getLastModified" -> 0L;
            case "getSymbolicName" -> "a";
            case "getVersion" -> Version.emptyVersion;
            default -> null;
        });
    }

    @AfterEach
    void open() {
        gate.countDown();
    }

    private Resident finished(String file) throws Exception {
        while (bundles.isUnderWay(file)) {
            Thread.sleep(1);
        }
        return bundles.installed(file, STATE);
    }

    @Test
    void anInstallationThatDoesNotReturnKeepsItsOwnFileAlone() throws Exception {
        Path jar = Files.write(folder.resolve("a.jar"), Jars.bundle("a", "1.0.0"));
        assertThatThrownBy(() -> bundles.install("hangs.jar", jar, STATE)).isInstanceOfSatisfying(Declined.class,
                declined -> assertThat(declined.isUnfinished()).isTrue());
        assertThat(bundles.isUnderWay("hangs.jar")).isTrue();
        Resident good;
        try {
            good = bundles.install("good.jar", jar, STATE);
        } catch (Declined slow) {
            good = finished("good.jar");
        }
        assertThat(good.file()).isEqualTo("good.jar");
        assertThat(bundles.overdue("hangs.jar")).hasValueSatisfying(text -> assertThat(text)
                .startsWith("the installation of its bundle, of which other bundles are told, has not returned"));
        gate.countDown();
        assertThatThrownBy(() -> finished("hangs.jar")).as("its thread was interrupted").isInstanceOf(Declined.class);
    }

    @Test
    void whatIsInstalledAtLastIsKnown() throws Exception {
        Path jar = Files.write(folder.resolve("a.jar"), Jars.bundle("a", "1.0.0"));
        assertThatThrownBy(() -> bundles.install("hangs.jar", jar, STATE)).isInstanceOf(Declined.class);
        gate.countDown();
        assertThat(finished("hangs.jar").file()).isEqualTo("hangs.jar");
    }

    @Test
    void aFileThatIsGoneIsNotInstalled() {
        assertThatThrownBy(() -> bundles.install("a.jar", folder.resolve("gone.jar"), STATE))
                .isInstanceOfSatisfying(Declined.class, declined -> assertThat(declined.isPassing()).isTrue());
    }
}
