package io.manafold.launcher.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.lab.Labs;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.wiring.BundleCapability;
import org.osgi.framework.wiring.BundleRevision;

class ReadinessTest {
    /** What answers the named calls so, and others with nothing. */
    private static <T> T fake(Class<T> type, Map<String, Object> answers) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type},
                (_, method, _) -> answers.get(method.getName())));
    }

    @Test
    void aBundleThatHasJustBeenUninstalledAnnouncesNothing() throws Exception {
        Bundle gone = fake(Bundle.class, Map.of("getState", Bundle.UNINSTALLED));
        BundleCapability announcement = fake(BundleCapability.class,
                Map.of("getAttributes", Map.of(Constants.OBJECTCLASS, List.of(Labs.class.getName()))));
        Bundle announcing = fake(Bundle.class, Map.of("getState", Bundle.ACTIVE, "adapt",
                fake(BundleRevision.class, Map.of("getDeclaredCapabilities", List.of(announcement)))));
        assertThat(missing(gone)).isEmpty();
        assertThat(missing(gone, announcing)).containsExactly(
                "The service Labs has not come in time; the log says why.");
    }

    private static List<String> missing(Bundle... bundles) throws InterruptedException {
        BundleContext context = fake(BundleContext.class, Map.of("getBundles", bundles));
        List<String> missing = new ArrayList<>();
        assertThat(new Readiness(context, null, null, Duration.ZERO).announced(Labs.class, missing)).isNull();
        return missing;
    }
}
