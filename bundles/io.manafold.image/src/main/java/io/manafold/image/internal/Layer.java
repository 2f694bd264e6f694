package io.manafold.image.internal;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** What is remembered of a layer: entries in their order, and what it takes away from the layers below it. */
final class Layer implements EntryStore {
    private static final String WHITEOUT = ".wh.";
    /** Everything that lower layers have in the folder. */
    private static final String OPAQUE = ".wh..wh..opq";
    /** Other names like this belong to the file system that layers once were made with. */
    private static final String NOTES = ".wh..wh.";

    private final Budget budget;
    private final List<Change> additions = new ArrayList<>();
    private final List<Change> removals = new ArrayList<>();

    /** What all layers of an image may take. */
    static final class Budget {
        private final NameBudget names = NameBudget.ofLayers();
        private int kept;
        private int archives;

        private void count(String path, String link, byte[] bytes) {
            names.take(path, link);
            kept += bytes == null ? 0 : bytes.length;
        }
    }

    /** One entry, which goes to where its folder's links lead. */
    private record Change(String path, Apply what) {
    }

    @FunctionalInterface
    private interface Apply {
        void to(MemoryTree tree, String path);
    }

    Layer(Budget budget) {
        this.budget = budget;
    }

    @Override
    public NameBudget budget() {
        return budget.names;
    }

    @Override
    public int room() {
        return Limits.KEPT - budget.kept;
    }

    @Override
    public boolean mayHoldAnother() {
        return budget.archives < Limits.INSIDE;
    }

    private void add(String path, Apply what) {
        additions.add(new Change(path, (tree, landed) -> {
            tree.remove(landed);
            what.to(tree, landed);
        }));
    }

    @Override
    public void file(String path, byte[] bytes) {
        budget.count(path, null, bytes);
        add(path, (tree, landed) -> tree.file(landed, bytes));
    }

    @Override
    public void archive(String path, RawTree inside, String why) {
        budget.count(path, null, null);
        budget.archives++;
        add(path, (tree, landed) -> tree.archive(landed, inside, why));
    }

    @Override
    public void folder(String path) {
        budget.count(path, null, null);
        additions.add(new Change(path, (tree, landed) -> {
            if (tree.kind(landed) != RawTree.Kind.FOLDER) {
                tree.remove(landed);
                tree.folder(landed);
            }
        }));
    }

    @Override
    public void link(String path, String target) {
        budget.count(path, target, null);
        add(path, (tree, landed) -> tree.link(landed, target));
    }

    @Override
    public void other(String path) {
        budget.count(path, null, null);
        add(path, MemoryTree::other);
    }

    @Override
    public boolean whiteout(String path) {
        int slash = path.lastIndexOf('/');
        String name = path.substring(slash + 1);
        if (!name.startsWith(WHITEOUT)) {
            return false;
        }
        budget.count(path, null, null);
        if (name.equals(OPAQUE)) {
            // a name that is in no folder, so that links of the folder itself are followed
            removals.add(new Change(path, (tree, landed) -> tree.empty(above(landed))));
        } else if (!name.startsWith(NOTES) && name.length() > WHITEOUT.length()) {
            removals.add(new Change(path.substring(0, slash + 1) + name.substring(WHITEOUT.length()),
                    MemoryTree::remove));
        }
        return true;
    }

    private static String above(String path) {
        int slash = path.lastIndexOf('/');
        return slash == 0 ? "/" : path.substring(0, slash);
    }

    /** Puts this layer over those below it: what it takes away goes first, wherever that stands in the archive. */
    void over(MemoryTree tree, Deadline deadline) throws IOException {
        for (List<Change> changes : List.of(removals, additions)) {
            for (Change change : changes) {
                deadline.check();
                String landed = landed(tree, change.path());
                if (landed != null) {
                    change.what().to(tree, landed);
                }
            }
        }
    }

    /** The path with the links of its folders followed, inside the tree; {@code null} if they lead nowhere. */
    private static String landed(MemoryTree tree, String path) {
        String parent = above(path);
        if (tree.kind(parent) == RawTree.Kind.FOLDER) {
            return path;
        }
        Deque<String> rest = new ArrayDeque<>(List.of(parent.split("/")));
        List<String> done = new ArrayList<>();
        for (int links = 0; !rest.isEmpty();) {
            String part = rest.pop();
            if (part.equals("..") && !done.isEmpty()) {
                done.removeLast();
            }
            if (part.isEmpty() || part.equals(".") || part.equals("..")) {
                continue;
            }
            done.add(part);
            String here = "/" + String.join("/", done);
            if (tree.kind(here) == RawTree.Kind.LINK) {
                String link = tree.link(here);
                if (++links > Limits.LINKS) {
                    return null;
                }
                done.removeLast();
                if (link.startsWith("/")) {
                    done.clear();
                }
                List.of(link.split("/")).reversed().forEach(rest::push);
            }
        }
        done.add(path.substring(path.lastIndexOf('/') + 1));
        return MemoryTree.canonical(String.join("/", done));
    }
}
