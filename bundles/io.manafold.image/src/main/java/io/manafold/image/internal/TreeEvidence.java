package io.manafold.image.internal;

import io.manafold.api.doctor.Binary;
import io.manafold.api.doctor.Evidence;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** A tree as evidence: follows links inside it, and cuts what is too long. */
final class TreeEvidence implements Evidence {
    /** What stands at the root of evidence that the script has written. */
    static final String MARK = "/manafold-evidence";
    private static final String FILES = "/files";
    private static final String ANSWERS = "/answers";

    private final String target;
    private final RawTree tree;
    private final boolean written;

    TreeEvidence(String target, RawTree tree) {
        this.target = target;
        this.tree = tree;
        written = tree.kind(MARK) == RawTree.Kind.FILE;
    }

    @Override
    public String target() {
        return target;
    }

    @Override
    public Kind kind() {
        return written ? Kind.MACHINE : Kind.IMAGE;
    }

    /** The path without links, or {@code null} if it leads nowhere. */
    private String resolve(String path, boolean lastLinkToo) {
        Deque<String> rest = new ArrayDeque<>(List.of(path.split("/")));
        List<String> done = new ArrayList<>();
        int links = 0;
        while (!rest.isEmpty()) {
            String part = rest.pop();
            if (part.isEmpty() || part.equals(".")) {
                continue;
            }
            if (part.equals("..")) {
                if (!done.isEmpty()) {
                    done.removeLast();
                }
                continue;
            }
            done.add(part);
            if (done.size() > Limits.DEPTH) {
                return null;
            }
            String here = stored(done);
            RawTree.Kind kind = tree.kind(here);
            if (kind == RawTree.Kind.NOTHING) {
                return null;
            }
            if (kind == RawTree.Kind.LINK && (lastLinkToo || !rest.isEmpty())) {
                String link = links++ < Limits.LINKS ? follow(here) : null;
                if (link == null) {
                    return null;
                }
                done.removeLast();
                if (link.startsWith("/")) {
                    done.clear();
                }
                List<String> parts = List.of(link.split("/"));
                parts.reversed().forEach(rest::push);
            }
        }
        return "/" + String.join("/", done);
    }

    private String follow(String stored) {
        try {
            String link = tree.link(stored);
            return link.length() > Limits.NAME ? null : link;
        } catch (IOException e) {
            return null;
        }
    }

    private String stored(List<String> parts) {
        return stored("/" + String.join("/", parts));
    }

    private String stored(String path) {
        return written ? path.equals("/") ? FILES : FILES + path : path;
    }

    private RawTree.Kind kindOf(String resolved) {
        return resolved == null ? RawTree.Kind.NOTHING : tree.kind(stored(resolved));
    }

    @Override
    public boolean has(String path) {
        return resolve(path, true) != null;
    }

    @Override
    public Optional<String> real(String path) {
        return Optional.ofNullable(resolve(path, true));
    }

    @Override
    public List<String> names(String path) {
        String resolved = resolve(path, true);
        if (kindOf(resolved) != RawTree.Kind.FOLDER) {
            return List.of();
        }
        return sorted(stored(resolved));
    }

    private List<String> sorted(String stored) {
        try {
            return tree.names(stored).stream().sorted().toList();
        } catch (IOException e) {
            throw cannot(stored, e);
        }
    }

    @Override
    public Optional<String> link(String path) {
        String resolved = resolve(path, false);
        return kindOf(resolved) == RawTree.Kind.LINK ? Optional.ofNullable(follow(stored(resolved))) : Optional.empty();
    }

    @Override
    public Optional<String> text(String path) {
        return bytes(path, Limits.TEXT).map(bytes -> new String(bytes, StandardCharsets.UTF_8));
    }

    @Override
    public Optional<Binary> binary(String path) {
        return bytes(path, Limits.BINARY).map(bytes -> {
            try {
                return new ElfFile(Packed.unpacked(bytes, Limits.BINARY));
            } catch (IOException e) {
                throw cannot(path, e);
            }
        });
    }

    @Override
    public Optional<Evidence> archive(String path) {
        String resolved = resolve(path, true);
        if (kindOf(resolved) != RawTree.Kind.FILE) {
            return Optional.empty();
        }
        try {
            return Optional.of(new TreeEvidence(path, tree.archive(stored(resolved))));
        } catch (IOException e) {
            throw cannot(path, e);
        }
    }

    private Optional<byte[]> bytes(String path, int most) {
        String resolved = resolve(path, true);
        if (kindOf(resolved) != RawTree.Kind.FILE) {
            return Optional.empty();
        }
        try {
            return Optional.of(tree.bytes(stored(resolved), most));
        } catch (IOException e) {
            throw cannot(path, e);
        }
    }

    private static Refusal cannot(String path, IOException why) {
        return new Refusal(Errno.EIO, path + " cannot be read: " + why.getMessage() + ".", why);
    }

    @Override
    public Optional<String> answer(String name) {
        String path = ANSWERS + "/" + name;
        if (!written || name.contains("/") || tree.kind(path) != RawTree.Kind.FILE) {
            return Optional.empty();
        }
        try {
            return Optional.of(new String(tree.bytes(path, Limits.TEXT), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw cannot(path, e);
        }
    }

    @Override
    public List<String> answers() {
        return written && tree.kind(ANSWERS) == RawTree.Kind.FOLDER ? sorted(ANSWERS) : List.of();
    }
}
