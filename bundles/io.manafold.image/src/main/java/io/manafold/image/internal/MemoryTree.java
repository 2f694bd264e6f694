package io.manafold.image.internal;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What is remembered of an archive. */
final class MemoryTree implements RawTree, EntryStore {
    private static final byte[] LEFT_OUT = new byte[0];

    private final Map<String, Node> nodes = new HashMap<>();
    private final Map<String, RawTree> archives = new HashMap<>();
    private final Map<String, String> broken = new HashMap<>();
    private final NameBudget budget;
    private int kept;

    private static final class Node {
        private final Kind kind;
        private final String link;
        private byte[] bytes;
        /** Of what is in a folder. */
        private final Set<String> names;

        Node(Kind kind, String link, byte[] bytes) {
            this.kind = kind;
            this.link = link;
            this.bytes = bytes;
            names = kind == Kind.FOLDER ? new LinkedHashSet<>() : Set.of();
        }
    }

    MemoryTree() {
        this(NameBudget.ofArchive());
    }

    MemoryTree(NameBudget budget) {
        this.budget = budget;
        nodes.put("/", new Node(Kind.FOLDER, null, null));
    }

    /**
     * The path as it is kept, or {@code null} for one that leaves the tree or is longer than any that is asked for.
     */
    static String canonical(String name) {
        StringBuilder path = new StringBuilder();
        int depth = 0;
        for (String part : name.split("/")) {
            if (part.equals("..") || ++depth > Limits.DEPTH) {
                return null;
            }
            if (!part.isEmpty() && !part.equals(".")) {
                path.append('/').append(part);
            }
        }
        return path.length() > Limits.NAME ? null : path.isEmpty() ? "/" : path.toString();
    }

    @Override
    public NameBudget budget() {
        return budget;
    }

    @Override
    public int room() {
        return Limits.KEPT - kept;
    }

    @Override
    public void folder(String path) {
        put(path, Kind.FOLDER, null, null);
    }

    @Override
    public void link(String path, String target) {
        put(path, Kind.LINK, target, null);
    }

    @Override
    public void other(String path) {
        put(path, Kind.OTHER, null, null);
    }

    @Override
    public void file(String path, byte[] bytes) {
        put(path, Kind.FILE, null, bytes == null ? LEFT_OUT : bytes);
    }

    @Override
    public boolean mayHoldAnother() {
        return archives.size() + broken.size() < Limits.INSIDE;
    }

    @Override
    public void archive(String path, RawTree inside, String why) {
        put(path, Kind.FILE, null, LEFT_OUT);
        if (inside != null) {
            archives.put(path, inside);
        } else {
            broken.put(path, why);
        }
    }

    @Override
    public RawTree archive(String path) throws IOException {
        RawTree inside = archives.get(path);
        if (inside == null) {
            throw new IOException(broken.getOrDefault(path,
                    "it was left out, since too many archives are in this one"));
        }
        return inside;
    }

    /** Takes away what stands at a path, with what is below it. */
    void remove(String path) {
        Node node = path.equals("/") ? null : nodes.remove(path);
        if (node != null) {
            budget.give(path, node.link);
            kept -= node.bytes == null ? 0 : node.bytes.length;
            archives.remove(path);
            broken.remove(path);
            node.names.forEach(name -> remove(path + "/" + name));
            // of a folder that is taken away itself, nothing asks for names
            Node parent = nodes.get(above(path));
            if (parent != null) {
                parent.names.remove(path.substring(path.lastIndexOf('/') + 1));
            }
        }
    }

    /** Takes away what a folder has. */
    void empty(String path) {
        Node node = nodes.get(path);
        if (node != null) {
            String below = path.equals("/") ? path : path + "/";
            List.copyOf(node.names).forEach(name -> remove(below + name));
        }
    }

    private void put(String path, Kind kind, String link, byte[] bytes) {
        Node old = nodes.get(path);
        if (old != null) {
            if (old.kind == Kind.FOLDER) {
                return;
            }
            budget.give(path, old.link);
            budget.take(path, link);
            kept -= old.bytes == null ? 0 : old.bytes.length;
            nodes.put(path, new Node(kind, link, bytes));
        } else {
            add(path, new Node(kind, link, bytes));
        }
        kept += bytes == null ? 0 : bytes.length;
    }

    private void add(String path, Node node) {
        String above = above(path);
        Node parent = nodes.get(above);
        if (parent == null || parent.kind != Kind.FOLDER) {
            if (parent != null) {
                // an entry below a file or a link: nothing leads there
                return;
            }
            add(above, new Node(Kind.FOLDER, null, null));
            parent = nodes.get(above);
            if (parent == null) {
                return;
            }
        }
        budget.take(path, node.link);
        nodes.put(path, node);
        parent.names.add(path.substring(path.lastIndexOf('/') + 1));
    }

    private static String above(String path) {
        int slash = path.lastIndexOf('/');
        return slash == 0 ? "/" : path.substring(0, slash);
    }

    @Override
    public Kind kind(String path) {
        Node node = nodes.get(path);
        return node == null ? Kind.NOTHING : node.kind;
    }

    @Override
    public String link(String path) {
        return nodes.get(path).link;
    }

    @Override
    public List<String> names(String path) {
        Node node = nodes.get(path);
        return node == null ? List.of() : List.copyOf(node.names);
    }

    @Override
    public byte[] bytes(String path, int most) throws IOException {
        byte[] bytes = nodes.get(path).bytes;
        if (bytes == LEFT_OUT) {
            throw new IOException("it was left out, being too large or none of the files that are asked for");
        }
        return bytes.length <= most ? bytes : Arrays.copyOf(bytes, most);
    }
}
