package org.example.embedder;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.Attributes;
import java.util.jar.Manifest;

/**
 * What the program and the bundles both use: they have to mean the same classes, so these come from the program's class
 * path, and the framework exports them to the bundles.
 *
 * @param exports as {@code org.osgi.framework.system.packages.extra} has it, in the versions that the jars say
 * @param bundles names of the bundles that need not be installed, since their packages are here already
 */
record SharedPackages(String exports, Set<String> bundles) {
    private static final String CONFIGURATION = "org.osgi.service.cm";

    static SharedPackages ofTheClassPath() throws IOException {
        List<String> exports = new ArrayList<>();
        Set<String> bundles = new TreeSet<>();
        for (URL file : Collections.list(SharedPackages.class.getClassLoader().getResources("META-INF/MANIFEST.MF"))) {
            try (InputStream in = file.openStream()) {
                Attributes headers = new Manifest(in).getMainAttributes();
                String name = name(headers);
                if (name.startsWith("io.manafold.api.") || name.equals(CONFIGURATION)) {
                    exports.add(headers.getValue("Export-Package"));
                    bundles.add(name);
                }
            }
        }
        return new SharedPackages(String.join(",", exports), bundles);
    }

    static String name(Attributes headers) {
        String name = headers.getValue("Bundle-SymbolicName");
        return name == null ? "" : name.split(";")[0].strip();
    }
}
