package io.manafold.itests.raw;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** The bundle of a driver beside the Ethernet driver, put together from classes of these tests and of the test kit. */
public final class RawBundle {
    private static final List<String> CLASSES = List.of("io/manafold/itests/raw/RawActivator",
            "io/manafold/itests/raw/RawDriver", "io/manafold/itests/raw/RawTraffic", "io/manafold/testkit/RawPort",
            "io/manafold/testkit/PacketHandler");

    private RawBundle() {
    }

    public static InputStream jar() {
        Manifest manifest = new Manifest();
        Attributes main = manifest.getMainAttributes();
        main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        main.putValue("Bundle-ManifestVersion", "2");
        main.putValue("Bundle-SymbolicName", "test.raw");
        main.putValue("Bundle-Activator", "io.manafold.itests.raw.RawActivator");
        main.putValue("Import-Package",
                "org.osgi.framework,io.manafold.api.device,io.manafold.api.memory,io.manafold.api.net,"
                + "io.manafold.api.refusal,io.manafold.gdma,io.manafold.gdma.driver,io.manafold.gdma.message,"
                + "io.manafold.memory,io.manafold.itests.script");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JarOutputStream jar = new JarOutputStream(bytes, manifest)) {
            for (String name : CLASSES) {
                jar.putNextEntry(new JarEntry(name + ".class"));
                try (InputStream code = RawBundle.class.getClassLoader().getResourceAsStream(name + ".class")) {
                    code.transferTo(jar);
                }
            }
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return new ByteArrayInputStream(bytes.toByteArray());
    }
}
