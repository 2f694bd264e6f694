package io.manafold.shell;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/**
 * Things with things below them: a line with branches for each, and a note that stands in one column for all of them.
 * With {@code --json} an array of objects, what is below an object being its {@code children}.
 */
public final class Tree {
    private final String header;
    private final List<Node> roots = new ArrayList<>();

    /** @param header what is shown when there is nothing */
    public Tree(String header) {
        this.header = Objects.requireNonNull(header);
    }

    public String header() {
        return header;
    }

    public List<Node> roots() {
        return Collections.unmodifiableList(roots);
    }

    /** Adds a node at the top and returns it. */
    public Node root(String label, String note, Fields fields) {
        Node node = new Node(label, note, fields);
        roots.add(node);
        return node;
    }

    /** One line of the tree. */
    public static final class Node {
        private final String label;
        private final String note;
        private final Fields fields;
        private final List<Node> children = new ArrayList<>();

        Node(String label, String note, Fields fields) {
            this.label = Objects.requireNonNull(label);
            this.note = Objects.requireNonNull(note);
            this.fields = Objects.requireNonNull(fields);
        }

        /** Adds a node below this one and returns it. An empty note leaves the column free. */
        public Node child(String childLabel, String childNote, Fields childFields) {
            Node node = new Node(childLabel, childNote, childFields);
            children.add(node);
            return node;
        }

        public String label() {
            return label;
        }

        public String note() {
            return note;
        }

        public Fields fields() {
            return fields;
        }

        public List<Node> children() {
            return Collections.unmodifiableList(children);
        }
    }
}
