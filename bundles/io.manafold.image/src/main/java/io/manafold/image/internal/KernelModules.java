package io.manafold.image.internal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The modules that lie beside a kernel of this machine, in the order in which they are to be loaded. */
final class KernelModules {
    private static final int HEADER = 0x202;
    private static final int VERSION = 0x20e;
    private static final int SECTOR = 0x200;
    private static final int MOST_VERSION = 128;
    private static final List<String> FOLDERS = List.of("usr/lib/modules", "lib/modules");

    private final Path folder;
    /** By name: where it is and what it needs. */
    private final Map<String, List<String>> lines = new HashMap<>();

    private KernelModules(Path folder) throws IOException {
        this.folder = folder;
        for (String line : Files.readAllLines(folder.resolve("modules.dep"), StandardCharsets.ISO_8859_1)) {
            List<String> paths = List.of(line.replace(": ", " ").replaceAll(":$", "").split(" "));
            lines.put(name(paths.getFirst()), paths);
        }
    }

    /** Of a kernel as Debian has it, beside it or in the folders of this machine. */
    static Optional<KernelModules> of(Path kernel) throws IOException {
        Optional<String> release = release(kernel);
        Path beside = kernel.toRealPath().getParent();
        List<Path> places = new ArrayList<>();
        for (Path top = beside; top != null && places.size() < 2 * FOLDERS.size(); top = top.getParent()) {
            for (String one : FOLDERS) {
                places.add(top.resolve(one));
            }
        }
        return release.isEmpty() ? Optional.empty() : load(places.stream().map(place -> place.resolve(release.get()))
                .filter(place -> Files.isReadable(place.resolve("modules.dep"))).findFirst());
    }

    private static Optional<KernelModules> load(Optional<Path> folder) throws IOException {
        return folder.isEmpty() ? Optional.empty() : Optional.of(new KernelModules(folder.get()));
    }

    /** What a kernel in the form of boot loaders says of itself. */
    private static Optional<String> release(Path kernel) throws IOException {
        try (InputStream in = Files.newInputStream(kernel)) {
            ByteBuffer head = ByteBuffer.wrap(in.readNBytes(1 << 16)).order(ByteOrder.LITTLE_ENDIAN);
            if (head.limit() < VERSION + 2 || head.getInt(HEADER) != 0x53726448) {
                return Optional.empty();
            }
            int at = SECTOR + (head.getShort(VERSION) & 0xffff);
            int count = Math.min(MOST_VERSION, head.limit() - at);
            String text = count <= 0 ? "" : StandardCharsets.ISO_8859_1.decode(head.slice(at, count)).toString();
            String first = text.split("[ \0]", 2)[0];
            return first.matches("[\\w.+~-]+") ? Optional.of(first) : Optional.empty();
        }
    }

    private static String name(String path) {
        return path.substring(path.lastIndexOf('/') + 1).replaceAll("\\.ko(\\..*)?$", "").replace('-', '_');
    }

    String release() {
        return folder.getFileName().toString();
    }

    /** Files of these modules and of what they need, that first; one that is not there is in the kernel, or nowhere. */
    List<Path> files(List<String> names) {
        Set<String> files = new LinkedHashSet<>();
        for (String name : names) {
            List<String> line = lines.get(name);
            if (line != null) {
                // the line has all that is needed, and what is needed first comes last
                line.reversed().forEach(files::add);
            }
        }
        return files.stream().map(folder::resolve).toList();
    }

    /** Whether it is a module that is there. */
    boolean has(String name) {
        return lines.containsKey(name);
    }
}
