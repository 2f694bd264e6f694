package io.manafold.architecture;

import aQute.bnd.service.diff.Delta;
import aQute.bnd.service.diff.Tree;
import aQute.bnd.service.diff.Type;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A package as text: a line for the package with its version, for each type and for each member, and on the same line
 * what belongs to it. What a step it is to add or to take it away stands behind, where it is not the usual
 * {@code +minor -major}.
 */
final class ApiText {
    private static final Set<Type> LINES = EnumSet.of(Type.PACKAGE, Type.CLASS, Type.INTERFACE, Type.ENUM,
            Type.ANNOTATION, Type.METHOD, Type.FIELD);
    private static final Pattern NODE = Pattern.compile("(\\w+) (.*?)(?: \\+(\\w+) -(\\w+))?");
    private static final Pattern VERSION = Pattern.compile("(package \\S+) (\\d+\\.\\d+\\.\\d+)");
    private static final String INDENT = "  ";

    private ApiText() {
    }

    static String write(Api api) {
        StringBuilder text = new StringBuilder();
        write(api.tree(), "", text);
        int end = text.indexOf("\n");
        return text.insert(end, " " + api.version()).toString();
    }

    private static void write(Tree node, String indent, StringBuilder text) {
        text.append(indent).append(words(node));
        for (Tree child : node.getChildren()) {
            if (!LINES.contains(child.getType())) {
                text.append(" | ").append(words(child));
            }
        }
        text.append('\n');
        for (Tree child : node.getChildren()) {
            if (LINES.contains(child.getType())) {
                write(child, indent + INDENT, text);
            }
        }
    }

    private static String words(Tree node) {
        String words = small(node.getType()) + " " + escaped(node.getName());
        return node.ifAdded() == Delta.MINOR && node.ifRemoved() == Delta.MAJOR ? words
                : words + " +" + small(node.ifAdded()) + " -" + small(node.ifRemoved());
    }

    private static String small(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /** A constant may be any text. */
    private static String escaped(String name) {
        StringBuilder escaped = new StringBuilder();
        name.chars().forEach(c -> escaped.append(c < ' ' || c > '~' || c == '|' || c == '\\'
                ? "\\u%04x".formatted(c) : String.valueOf((char) c)));
        return escaped.toString();
    }

    private static String plain(String escaped) {
        return Pattern.compile("\\\\u(\\p{XDigit}{4})").matcher(escaped).replaceAll(code ->
                Matcher.quoteReplacement(String.valueOf((char) Integer.parseInt(code.group(1), 16))));
    }

    static Api read(String text) throws Exception {
        List<String> lines = text.lines().toList();
        Matcher first = VERSION.matcher(lines.getFirst());
        if (!first.matches()) {
            throw new IllegalArgumentException("no package with a version: " + lines.getFirst());
        }
        Tree.Data root = nodes(first.group(1));
        Deque<Tree.Data> open = new ArrayDeque<>(List.of(root));
        for (String line : lines.subList(1, lines.size())) {
            Tree.Data node = nodes(line.strip());
            int depth = (line.length() - line.stripLeading().length()) / INDENT.length();
            while (open.size() > depth) {
                open.pop();
            }
            add(open.peek(), node);
            open.push(node);
        }
        return new Api(first.group(2), Api.of(root));
    }

    /** What stands on a line: a node, and those that belong to it. */
    private static Tree.Data nodes(String line) {
        List<Tree.Data> nodes = new ArrayList<>();
        for (String words : line.split(" \\| ")) {
            Matcher node = NODE.matcher(words);
            if (!node.matches()) {
                throw new IllegalArgumentException("not a line about an API: " + line);
            }
            nodes.add(Api.node(Type.valueOf(big(node.group(1))), plain(node.group(2)),
                    node.group(3) == null ? Delta.MINOR : Delta.valueOf(big(node.group(3))),
                    node.group(4) == null ? Delta.MAJOR : Delta.valueOf(big(node.group(4)))));
        }
        nodes.subList(1, nodes.size()).forEach(child -> add(nodes.getFirst(), child));
        return nodes.getFirst();
    }

    private static String big(String word) {
        return word.toUpperCase(Locale.ROOT);
    }

    private static void add(Tree.Data parent, Tree.Data child) {
        Tree.Data[] children = Arrays.copyOf(parent.children, parent.children.length + 1);
        children[children.length - 1] = child;
        parent.children = children;
    }
}
