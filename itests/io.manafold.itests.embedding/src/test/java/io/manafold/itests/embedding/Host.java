package io.manafold.itests.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.BundleListener;
import org.osgi.framework.Constants;
import org.osgi.framework.FrameworkEvent;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceListener;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.launch.Framework;
import org.osgi.framework.launch.FrameworkFactory;
import org.osgi.framework.startlevel.FrameworkStartLevel;
import org.osgi.framework.namespace.PackageNamespace;
import org.osgi.framework.wiring.BundleRevision;
import org.osgi.framework.wiring.FrameworkWiring;
import org.osgi.util.tracker.ServiceTracker;

/**
 * An embedder's framework, started by the standard API. The framework's own classes come from its jar alone; it shares
 * nothing with the test but the interfaces of OSGi.
 */
final class Host implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(60);
    /** A pair needs a network device itself: a user who asks a resolver for one wants a driver. */
    private static final String EXPLAINED = "io.manafold.failover registers io.manafold.api.net.NetDevice";

    /** The frameworks that everything is tried on. */
    enum Kind {
        FELIX("org.apache.felix", "org.apache.felix.framework"),
        EQUINOX("org.eclipse.platform", "org.eclipse.osgi");

        private final String group;
        private final String artifact;

        Kind(String group, String artifact) {
            this.group = group;
            this.artifact = artifact;
        }
    }

    private final Framework framework;

    Host(Kind kind, Jars jars, Path storage, Map<String, String> properties) throws IOException, BundleException {
        URL jar = jars.only(kind.group, kind.artifact).toUri().toURL();
        // never closed: Equinox loads more of itself in a hook that runs when the virtual machine ends
        @SuppressWarnings("resource")
        URLClassLoader loader = new URLClassLoader(new URL[] {jar}, Host.class.getClassLoader());
        FrameworkFactory factory = ServiceLoader.load(FrameworkFactory.class, loader).findFirst().orElseThrow();
        assertThat(factory.getClass().getClassLoader()).as("the framework comes from its own jar").isSameAs(loader);
        Map<String, String> configuration = new HashMap<>(properties);
        configuration.put(Constants.FRAMEWORK_STORAGE, storage.toString());
        configuration.put("felix.bootdelegation.implicit", "false");
        configuration.put("osgi.compatibility.bootdelegation", "false");
        configuration.put("gosh.args", "--nointeractive");
        // what Felix thinks of a broken manifest it would print; the caller gets that as an exception anyway
        configuration.put("felix.log.level", "0");
        configuration.put(Constants.FRAMEWORK_BEGINNING_STARTLEVEL, "10");
        framework = factory.newFramework(configuration);
        framework.start();
        framework.adapt(FrameworkStartLevel.class).setInitialBundleStartLevel(10);
    }

    BundleContext context() {
        return framework.getBundleContext();
    }

    Bundle install(Path jar) throws IOException, BundleException {
        try (InputStream in = Files.newInputStream(jar)) {
            return context().installBundle("test:" + jar.getFileName(), in);
        }
    }

    /** Installs all and then starts all, as a launcher does that carries out a feature. */
    List<Bundle> start(List<Path> jars) throws IOException, BundleException {
        List<Bundle> bundles = new ArrayList<>();
        for (Path jar : jars) {
            bundles.add(install(jar));
        }
        for (Bundle bundle : bundles) {
            if (!isFragment(bundle)) {
                bundle.start();
            }
        }
        return bundles;
    }

    boolean resolves(List<Bundle> bundles) {
        return framework.adapt(FrameworkWiring.class).resolveBundles(bundles);
    }

    static boolean isFragment(Bundle bundle) {
        return (bundle.adapt(BundleRevision.class).getTypes() & BundleRevision.TYPE_FRAGMENT) != 0;
    }

    /** Waits for a service of a type that the test shares with the bundles, which is one of Java's or of OSGi's. */
    <T> T service(Class<T> type, String filter) throws InterruptedException {
        try {
            ServiceTracker<T, T> tracker = new ServiceTracker<>(context(),
                    context().createFilter("(&(objectClass=" + type.getName() + ")" + filter + ")"), null);
            tracker.open();
            try {
                T service = tracker.waitForService(PATIENCE.toMillis());
                assertThat(service).as("a service %s %s", type.getName(), filter).isNotNull();
                return service;
            } finally {
                tracker.close();
            }
        } catch (InvalidSyntaxException e) {
            throw new AssertionError(e);
        }
    }

    /** What our bundles have registered of types for others, without saying in their manifests that they have it. */
    List<String> undeclaredServices() {
        List<String> undeclared = new ArrayList<>();
        Set<String> exported = exportedPackages();
        for (Bundle bundle : context().getBundles()) {
            ServiceReference<?>[] registered = bundle.getRegisteredServices();
            if (registered != null && bundle.getSymbolicName().startsWith("io.manafold.")) {
                List<Object> declared = bundle.adapt(BundleRevision.class).getDeclaredCapabilities("osgi.service")
                        .stream().map(each -> each.getAttributes().get(Constants.OBJECTCLASS)).toList();
                for (ServiceReference<?> each : registered) {
                    undeclared.addAll(undeclared(bundle.getSymbolicName(),
                            (String[]) each.getProperty(Constants.OBJECTCLASS), declared, exported));
                }
            }
        }
        undeclared.remove(EXPLAINED);
        return undeclared;
    }

    /** What our bundles share. What Configuration Admin and Gogo call by types of theirs is found by them alone. */
    private Set<String> exportedPackages() {
        return Stream.of(context().getBundles()).filter(bundle -> bundle.getSymbolicName().startsWith("io.manafold."))
                .flatMap(bundle -> bundle.adapt(BundleRevision.class)
                        .getDeclaredCapabilities(PackageNamespace.PACKAGE_NAMESPACE).stream())
                .map(each -> (String) each.getAttributes().get(PackageNamespace.PACKAGE_NAMESPACE))
                .collect(Collectors.toSet());
    }

    /**
     * A declared capability names one type or a list of them. Others can ask for a type only if its package is
     * exported.
     */
    static List<String> undeclared(String bundle, String[] types, List<?> declared, Set<String> exported) {
        return Stream.of(types).filter(type -> exported.contains(type.substring(0, type.lastIndexOf('.'))))
                .filter(type -> declared.stream().noneMatch(each -> each instanceof Collection<?> many
                        ? many.contains(type) : type.equals(each)))
                .map(type -> bundle + " registers " + type).toList();
    }

    /** The bundles that have such a service registered, by their symbolic names. */
    Set<String> providers(String type, String filter) {
        try {
            ServiceReference<?>[] found = context().getAllServiceReferences(type, filter);
            return found == null ? Set.of() : Stream.of(found).map(each -> each.getBundle().getSymbolicName())
                    .collect(Collectors.toSet());
        } catch (InvalidSyntaxException e) {
            throw new AssertionError(e);
        }
    }

    /** The platform's events, kind and sentence; the event log is a foreign type here and is asked by reflection. */
    List<String> events() {
        try {
            ServiceReference<?> reference = context().getServiceReference("io.manafold.api.device.EventLog");
            Object log = context().getService(reference);
            Class<?> type = reference.getBundle().loadClass("io.manafold.api.device.EventLog");
            Class<?> event = reference.getBundle().loadClass("io.manafold.api.device.DeviceEvent");
            List<String> sentences = new ArrayList<>();
            for (Object each : (List<?>) type.getMethod("recent").invoke(log)) {
                sentences.add(event.getMethod("kind").invoke(each) + " " + event.getMethod("sentence").invoke(each));
            }
            return sentences;
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    boolean has(String type, String filter) {
        try {
            ServiceReference<?>[] found = context().getAllServiceReferences(type, filter);
            return found != null;
        } catch (InvalidSyntaxException e) {
            throw new AssertionError(e);
        }
    }

    /** Waits until a condition holds, looking again at every event of the framework's bundles and services. */
    void await(String what, BooleanSupplier condition) throws InterruptedException {
        BlockingQueue<Object> events = new LinkedBlockingQueue<>();
        var bundles = (BundleListener) events::add;
        var services = (ServiceListener) events::add;
        context().addBundleListener(bundles);
        context().addServiceListener(services);
        try {
            long end = System.nanoTime() + PATIENCE.toNanos();
            while (!condition.getAsBoolean()) {
                assertThat(System.nanoTime()).as("still waiting: %s", what).isLessThan(end);
                events.poll(5, TimeUnit.MILLISECONDS);
            }
        } finally {
            context().removeBundleListener(bundles);
            context().removeServiceListener(services);
        }
    }

    @Override
    public void close() throws Exception {
        framework.stop();
        assertThat(framework.waitForStop(PATIENCE.toMillis()).getType()).as("the framework stops in time")
                .isEqualTo(FrameworkEvent.STOPPED);
    }
}
