package io.manafold.itests.embedding;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The jars that Maven put together for this module, by {@code group:artifact:version}. */
final class Jars {
    private final Map<String, Path> files = new TreeMap<>();
    private final List<Path> product = new ArrayList<>();

    Jars() throws IOException {
        for (String line : Files.readAllLines(Path.of(System.getProperty("manafold.jars")))) {
            // group:artifact:type:version:scope:file, then perhaps a remark about modules
            String[] parts = line.strip().split(":");
            if (parts.length >= 6 && parts[2].equals("jar")) {
                String file = parts[5].replaceAll("\\u001b\\[[0-9;]*m", "").replaceAll(" -- module .*", "").strip();
                files.put(parts[0] + ":" + parts[1] + ":" + parts[3], Path.of(file));
                if (parts[4].equals("compile")) {
                    product.add(Path.of(file));
                }
            }
        }
    }

    /** Those that the product is chosen from, and the examples: what the tests are written with is not among them. */
    List<Path> ofTheProduct() {
        return product;
    }

    /** As features name them. */
    String id(Path file) {
        return files.entrySet().stream().filter(each -> each.getValue().equals(file)).findFirst().orElseThrow()
                .getKey();
    }

    Path file(String id) {
        Path file = files.get(id);
        if (file == null) {
            throw new AssertionError(id + " is not among the jars of the Maven build: " + files.keySet());
        }
        return file;
    }

    /** The one version there is of an artifact. */
    Path only(String group, String artifact) {
        List<String> ids = files.keySet().stream().filter(id -> id.startsWith(group + ":" + artifact + ":")).toList();
        if (ids.size() != 1) {
            throw new AssertionError("not one version of " + artifact + " but " + ids);
        }
        return files.get(ids.getFirst());
    }
}
