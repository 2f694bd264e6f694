package io.manafold.shell.internal;

import io.manafold.shell.Fields;
import io.manafold.shell.PlainText;
import io.manafold.shell.Table;
import io.manafold.shell.Tree;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** Values as text for people, in as many columns as the terminal has. */
final class TextLayout {
    /** What stands for a value that is not there. */
    static final String NOTHING = "–";
    private static final int GAP = 2;
    /** A column is not made narrower than this. */
    private static final int NARROWEST = 12;
    /** Holds the words of a list's item together while lines are broken. */
    private static final char HELD = '\u00a0';

    private final int width;

    TextLayout(int width) {
        this.width = width;
    }

    String table(Table table) {
        int[] shown = IntStream.range(0, table.columns().size())
                .filter(i -> table.columns().get(i).header() != null).toArray();
        int count = shown.length;
        List<List<String>> lines = new ArrayList<>();
        lines.add(Arrays.stream(shown).mapToObj(i -> table.columns().get(i).header()).toList());
        for (List<Object> row : table.rows()) {
            lines.add(Arrays.stream(shown).mapToObj(i -> value(row.get(i))).toList());
        }
        int[] widths = new int[count];
        for (List<String> line : lines) {
            for (int i = 0; i < count; i++) {
                widths[i] = Math.max(widths[i], length(line.get(i)));
            }
        }
        boolean[] right = new boolean[count];
        for (int i = 0; i < count; i++) {
            int column = shown[i];
            right[i] = !table.rows().isEmpty()
                    && table.rows().stream().allMatch(row -> isNumber(row.get(column)));
        }
        if (table.isWrapped()) {
            narrow(widths, right, lines);
        }
        StringBuilder text = new StringBuilder();
        for (List<String> line : lines) {
            appendRow(text, line, widths, right, table.isWrapped());
        }
        return text.toString();
    }

    /**
     * Takes from the widest columns until all fit, or nothing is left to take. No column becomes narrower than its
     * longest word: a path, an address or a name that is cut cannot be copied.
     */
    private void narrow(int[] widths, boolean[] right, List<List<String>> lines) {
        int[] least = new int[widths.length];
        for (int i = 0; i < widths.length; i++) {
            int column = i;
            int word = lines.stream().mapToInt(line -> longestWord(line.get(column))).max().orElse(0);
            least[i] = Math.max(word, Math.max(NARROWEST, length(lines.getFirst().get(i))));
        }
        int excess = Arrays.stream(widths).sum() + GAP * (widths.length - 1) - width;
        while (excess > 0) {
            int widest = -1;
            for (int i = 0; i < widths.length; i++) {
                boolean canGive = !right[i] && widths[i] > least[i];
                if (canGive && (widest < 0 || widths[i] >= widths[widest])) {
                    widest = i;
                }
            }
            if (widest < 0) {
                return;
            }
            widths[widest]--;
            excess--;
        }
    }

    private static void appendRow(StringBuilder text, List<String> cells, int[] widths, boolean[] right, boolean wrap) {
        List<List<String>> wrapped = new ArrayList<>();
        int height = 1;
        for (int i = 0; i < cells.size(); i++) {
            List<String> parts = wrap ? wrap(cells.get(i), widths[i]) : List.of(cells.get(i));
            wrapped.add(parts);
            height = Math.max(height, parts.size());
        }
        for (int line = 0; line < height; line++) {
            StringBuilder row = new StringBuilder();
            for (int i = 0; i < cells.size(); i++) {
                String part = line < wrapped.get(i).size() ? wrapped.get(i).get(line) : "";
                String blank = " ".repeat(Math.max(0, widths[i] - length(part)));
                row.append(right[i] ? blank + part : part + blank);
                row.append(" ".repeat(i < cells.size() - 1 ? GAP : 0));
            }
            text.append(row.toString().replace(HELD, ' ').stripTrailing()).append('\n');
        }
    }

    String tree(Tree tree) {
        if (tree.roots().isEmpty()) {
            return tree.header() + "\n";
        }
        List<Line> lines = new ArrayList<>();
        for (Tree.Node root : tree.roots()) {
            flatten(root, "", "", lines);
        }
        int labels = 0;
        for (Line line : lines) {
            if (!line.node.note().isEmpty()) {
                labels = Math.max(labels, length(line.text()));
            }
        }
        int notes = Math.max(width - labels - GAP, NARROWEST * 2);
        StringBuilder text = new StringBuilder();
        for (Line line : lines) {
            String note = PlainText.oneLine(line.node.note());
            if (note.isEmpty()) {
                text.append(line.text().stripTrailing()).append('\n');
                continue;
            }
            String left = line.text();
            for (String part : wrap(note, notes)) {
                text.append(left).append(" ".repeat(labels + GAP - length(left))).append(part).append('\n');
                left = line.below;
            }
        }
        return text.toString();
    }

    /** A node with the branches before it, and those before what continues below it. */
    private record Line(Tree.Node node, String branch, String below) {
        String text() {
            return branch + PlainText.oneLine(node.label());
        }
    }

    private static void flatten(Tree.Node node, String branch, String trunk, List<Line> lines) {
        lines.add(new Line(node, branch, trunk + (node.children().isEmpty() ? "" : "│")));
        for (Iterator<Tree.Node> children = node.children().iterator(); children.hasNext();) {
            Tree.Node child = children.next();
            boolean last = !children.hasNext();
            flatten(child, trunk + (last ? "└─ " : "├─ "), trunk + (last ? "   " : "│  "), lines);
        }
    }

    String fields(Fields fields) {
        int names = fields.values().keySet().stream().mapToInt(TextLayout::length).max().orElse(0);
        StringBuilder text = new StringBuilder();
        for (Map.Entry<String, Object> field : fields.values().entrySet()) {
            String left = field.getKey();
            for (String part : wrap(value(field.getValue()), Math.max(width - names - GAP, NARROWEST * 2))) {
                text.append(left).append(" ".repeat(names + GAP - length(left))).append(part.replace(HELD, ' '))
                        .append('\n');
                left = "";
            }
        }
        return text.toString();
    }

    private static int longestWord(String text) {
        int longest = 0;
        for (String word : text.split(" ")) {
            longest = Math.max(longest, length(word));
        }
        return longest;
    }

    /** Breaks between words; one that is too long by itself stays whole. */
    static List<String> wrap(String text, int width) {
        if (length(text) <= width) {
            return List.of(text);
        }
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ")) {
            if (!line.isEmpty() && length(line) + 1 + length(word) > width) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        if (!line.isEmpty()) {
            lines.add(line.toString());
        }
        return lines;
    }

    static String value(Object value) {
        return switch (value) {
            case null -> NOTHING;
            case Optional<?> optional -> value(optional.orElse(null));
            case Boolean truth -> truth ? "yes" : "no";
            case Enum<?> constant -> JsonText.name(constant);
            case Table.Cell cell -> PlainText.oneLine(cell.text());
            case Fields fields -> pairs(fields.values());
            case Map<?, ?> map -> pairs(map);
            case Path path -> value(path.toString());
            case Iterable<?> items -> {
                List<String> texts = new ArrayList<>();
                items.forEach(item -> texts.add(value(item).replace(' ', HELD)));
                yield texts.isEmpty() ? NOTHING : String.join(", ", texts);
            }
            default -> {
                String text = PlainText.oneLine(value.toString());
                yield text.isEmpty() ? NOTHING : text;
            }
        };
    }

    private static String pairs(Map<?, ?> values) {
        List<String> texts = new ArrayList<>();
        values.forEach((key, value) -> texts.add(key + " " + value(value)));
        return texts.isEmpty() ? NOTHING : String.join(", ", texts);
    }

    private static boolean isNumber(Object value) {
        return value instanceof Number || value instanceof Table.Cell cell && cell.value() instanceof Number;
    }

    private static int length(CharSequence text) {
        return Character.codePointCount(text, 0, text.length());
    }
}
