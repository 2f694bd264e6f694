package io.manafold.image.internal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A program of this machine with the libraries that it loads, for a machine that has no others. */
final class ProgramFiles {
    private static final List<String> FOLDERS = List.of("lib/x86_64-linux-gnu", "usr/lib/x86_64-linux-gnu", "lib64",
            "usr/lib64", "lib", "usr/lib");
    private static final int NEEDED = 1;

    private ProgramFiles() {
    }

    /**
     * Files by the names that they have there: the program in {@code bin}, its libraries in {@code lib}, and the loader
     * where the program looks for it.
     *
     * @throws IOException if one of them is not there
     */
    static Map<String, byte[]> of(Path program) throws IOException {
        Map<String, byte[]> files = new LinkedHashMap<>();
        byte[] bytes = Files.readAllBytes(program);
        files.put("bin/" + program.getFileName(), bytes);
        ElfFile main = new ElfFile(bytes);
        String loader = main.section(".interp").map(name -> text(name, 0)).orElse("");
        Deque<ElfFile> unread = new ArrayDeque<>(List.of(main));
        while (!unread.isEmpty()) {
            for (String name : needed(unread.pop())) {
                String there = loader.endsWith("/" + name) ? loader.substring(1) : "lib/" + name;
                if (!files.containsKey(there)) {
                    byte[] library = Files.readAllBytes(found(program, name));
                    files.put(there, library);
                    unread.push(new ElfFile(library));
                }
            }
        }
        return files;
    }

    /** A library in the tree that the program is in, or else in that of this machine. */
    private static Path found(Path program, String name) throws IOException {
        for (Path top = program.toRealPath().getParent(); top != null; top = top.getParent()) {
            for (String folder : FOLDERS) {
                Path file = top.resolve(folder).resolve(name);
                if (Files.isRegularFile(file)) {
                    return file;
                }
            }
        }
        throw new IOException("'" + program + "' needs " + name + ", which is not there");
    }

    private static List<String> needed(ElfFile file) {
        List<String> names = new ArrayList<>();
        ByteBuffer texts = file.section(".dynstr").orElse(ByteBuffer.allocate(0));
        file.section(".dynamic").ifPresent(dynamic -> {
            for (int at = 0; at + 16 <= dynamic.limit(); at += 16) {
                if (dynamic.getLong(at) == NEEDED) {
                    names.add(text(texts, (int) dynamic.getLong(at + 8)));
                }
            }
        });
        return names;
    }

    private static String text(ByteBuffer bytes, int at) {
        int end = at;
        while (end < bytes.limit() && bytes.get(end) != 0) {
            end++;
        }
        return at < 0 || at >= end ? "" : StandardCharsets.ISO_8859_1.decode(bytes.slice(at, end - at)).toString();
    }
}
