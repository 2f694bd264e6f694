package io.manafold.architecture;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a bundle says that it has for others.
 *
 * @param services simple names of types of exported packages, of the services in its manifest
 * @param configurations PIDs of its components
 */
record Declared(Set<String> services, Set<String> configurations) {
    private static final Pattern SERVICE = Pattern.compile(
            "osgi\\.service;[^,]*?objectClass:List<String>=\"([^\"]*)\"");
    private static final Pattern TYPE = Pattern.compile(
            "io\\.manafold\\.(?![\\w.]*\\.internal\\.)[\\w.]*\\.([A-Z]\\w*)");
    private static final Pattern COMPONENT = Pattern.compile("OSGI-INF/[^/]+\\.xml");
    private static final Pattern CONFIGURATION = Pattern.compile("configuration-pid=\"([^\"]+)\"");

    static Declared of(File bundle) throws IOException {
        Declared declared = new Declared(new TreeSet<>(), new TreeSet<>());
        try (JarFile jar = new JarFile(bundle)) {
            String capabilities = jar.getManifest().getMainAttributes().getValue("Provide-Capability");
            for (Matcher one = SERVICE.matcher(capabilities == null ? "" : capabilities); one.find();) {
                TYPE.matcher(one.group(1)).results().forEach(type -> declared.services.add(type.group(1)));
            }
            for (JarEntry entry : jar.stream().filter(one -> COMPONENT.matcher(one.getName()).matches()).toList()) {
                try (InputStream in = jar.getInputStream(entry)) {
                    String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
                    CONFIGURATION.matcher(text).results()
                            .forEach(pids -> declared.configurations.addAll(List.of(pids.group(1).split(" "))));
                }
            }
        }
        return declared;
    }

    /** What a page does not name, each in words. */
    List<String> notOn(String page) {
        List<String> missing = new ArrayList<>();
        for (String service : services) {
            if (!Pattern.compile("`" + service + "(?:[.#(<][^`\n]*)?`").matcher(page).find()) {
                missing.add("the service `" + service + "`");
            }
        }
        for (String configuration : configurations) {
            if (!page.contains("`" + configuration + "`") && !page.contains("`" + configuration + "~")) {
                missing.add("the configuration `" + configuration + "`");
            }
        }
        return missing;
    }
}
