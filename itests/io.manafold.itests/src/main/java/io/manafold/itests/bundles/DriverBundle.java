package io.manafold.itests.bundles;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.FrameworkUtil;

/** A driver bundle put together on the spot, a real JAR with a class loader of its own. */
public final class DriverBundle {
    private static final String[] CLASSES = {"DriverActivator", "ScriptedDriver", "ScriptedDriver$Named",
            "ScriptedDriver$Part"};

    private final String name;
    private final Map<String, String> headers = new TreeMap<>();

    private DriverBundle(String name, String drives) {
        this.name = name;
        headers.put("Test-Driver", name);
        headers.put("Test-Drives", drives);
        headers.put("Bundle-Version", "1.0.0");
    }

    /** @param drives {@code 1414:00ba} or the name of an auxiliary device; several with commas */
    public static DriverBundle of(String name, String drives) {
        return new DriverBundle(name, drives);
    }

    public DriverBundle version(String version) {
        headers.put("Bundle-Version", version);
        return this;
    }

    public DriverBundle offers(String... parts) {
        headers.put("Test-Offers", String.join(",", parts));
        return this;
    }

    public DriverBundle busy() {
        headers.put("Test-Busy", "true");
        return this;
    }

    public DriverBundle header(String key, String value) {
        headers.put(key, value);
        return this;
    }

    public Bundle install() throws BundleException {
        BundleContext context = FrameworkUtil.getBundle(DriverBundle.class).getBundleContext();
        return context.installBundle("test:" + name + "-" + headers.get("Bundle-Version"), jar());
    }

    public Bundle start() throws BundleException {
        Bundle bundle = install();
        bundle.start();
        return bundle;
    }

    public InputStream jar() {
        Manifest manifest = new Manifest();
        Attributes main = manifest.getMainAttributes();
        main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        main.putValue("Bundle-ManifestVersion", "2");
        main.putValue("Bundle-SymbolicName", "test." + name);
        main.putValue("Bundle-Activator", "io.manafold.itests.driver.DriverActivator");
        main.putValue("Import-Package", "org.osgi.framework,io.manafold.api.device,io.manafold.api.refusal,"
                + "io.manafold.itests.script");
        headers.forEach(main::putValue);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JarOutputStream jar = new JarOutputStream(bytes, manifest)) {
            for (String simpleName : CLASSES) {
                String path = "io/manafold/itests/driver/" + simpleName + ".class";
                jar.putNextEntry(new JarEntry(path));
                try (InputStream code = DriverBundle.class.getClassLoader().getResourceAsStream(path)) {
                    code.transferTo(jar);
                }
            }
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return new ByteArrayInputStream(bytes.toByteArray());
    }
}
