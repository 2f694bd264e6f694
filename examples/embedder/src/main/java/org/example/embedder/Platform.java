package org.example.embedder;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Dictionary;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.jar.JarFile;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.Constants;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.launch.Framework;
import org.osgi.framework.launch.FrameworkFactory;
import org.osgi.service.cm.ConfigurationAdmin;
import org.osgi.util.tracker.ServiceTracker;

/** A framework with a feature's bundles in it. */
public final class Platform implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Framework framework;

    /**
     * Starts the framework, then installs all bundles, then starts them; their order does not matter.
     *
     * @param folder where the framework keeps its bundles and Manafold its data
     */
    public Platform(List<Path> bundles, Path folder) throws IOException, BundleException {
        SharedPackages shared = SharedPackages.ofTheClassPath();
        framework = ServiceLoader.load(FrameworkFactory.class).findFirst().orElseThrow().newFramework(Map.of(
                Constants.FRAMEWORK_STORAGE, folder.resolve("bundles").toString(),
                Constants.FRAMEWORK_STORAGE_CLEAN, Constants.FRAMEWORK_STORAGE_CLEAN_ONFIRSTINIT,
                Constants.FRAMEWORK_SYSTEMPACKAGES_EXTRA, shared.exports(),
                // a bundle sees what it imports and nothing else of the program's class path
                "felix.bootdelegation.implicit", "false",
                "manafold.data", folder.resolve("data").toString()));
        framework.start();
        List<Bundle> installed = new ArrayList<>();
        for (Path file : bundles) {
            if (!shared.bundles().contains(name(file))) {
                try (InputStream in = Files.newInputStream(file)) {
                    installed.add(framework.getBundleContext().installBundle(file.getFileName().toString(), in));
                }
            }
        }
        for (Bundle bundle : installed) {
            // a fragment is part of its host, and is not started
            if (bundle.getHeaders().get(Constants.FRAGMENT_HOST) == null) {
                bundle.start();
            }
        }
    }

    private static String name(Path file) throws IOException {
        try (JarFile jar = new JarFile(file.toFile())) {
            return SharedPackages.name(jar.getManifest().getMainAttributes());
        }
    }

    /** Makes what a factory makes for each configuration: an adapter, a link. */
    public void configure(String factory, String name, Map<String, ?> properties)
            throws IOException, InterruptedException {
        Dictionary<String, Object> all = new Hashtable<>(properties);
        all.put("name", name);
        service(ConfigurationAdmin.class, "(objectClass=*)").getFactoryConfiguration(factory, name, "?").update(all);
    }

    /** Waits for a service. */
    public <T> T service(Class<T> type, String filter) throws InterruptedException {
        BundleContext context = framework.getBundleContext();
        try {
            ServiceTracker<T, T> tracker = new ServiceTracker<>(context, context.createFilter("(&(objectClass="
                    + type.getName() + ")" + filter + ")"), null);
            // not closed before the framework stops: that would give the service back while the caller has it
            tracker.open();
            T service = tracker.waitForService(PATIENCE.toMillis());
            if (service == null) {
                throw new IllegalStateException("there is no " + type.getName() + " " + filter + " after " + PATIENCE
                        .toSeconds() + " s; is a bundle of the feature not active, or its configuration missing?");
            }
            return service;
        } catch (InvalidSyntaxException wrong) {
            throw new IllegalArgumentException(wrong.getMessage(), wrong);
        }
    }

    /** Stops all bundles and waits until they have stopped. */
    @Override
    public void close() throws BundleException, InterruptedException {
        framework.stop();
        framework.waitForStop(PATIENCE.toMillis());
    }
}
