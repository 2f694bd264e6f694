package io.manafold.commands.rdma.internal;

import io.manafold.shell.Fields;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** Labels with values, which stand in one column by tabs, and the same as an object. */
final class Attributes {
    private static final int TAB = 8;

    private final String indent;
    private final int column;
    private final List<String> lines = new ArrayList<>();
    private final Fields fields;

    /**
     * @param tabs before each label
     * @param column where values begin
     */
    Attributes(int tabs, int column) {
        this(tabs, column, null);
    }

    private Attributes(int tabs, int column, Fields into) {
        indent = "\t".repeat(tabs);
        this.column = column;
        fields = into == null ? new Fields() : into;
    }

    /** Labels that stand elsewhere and mean the same object. */
    Attributes at(int tabs, int newColumn) {
        return new Attributes(tabs, newColumn, fields);
    }

    /** A label whose value reads the same for people and programs. */
    Attributes add(String label, Object value) {
        return add(label, value.toString(), value);
    }

    Attributes add(String label, String text, Object value) {
        fields.and(label, value);
        return line(label, text);
    }

    /** A label for people only. */
    Attributes line(String label, String text) {
        int at = indent.length() * TAB + label.length() + 1;
        int tabs = Math.max(1, (column - at + TAB - 1) / TAB);
        return line(label + ":" + "\t".repeat(tabs) + text);
    }

    Attributes line(String text) {
        lines.add(indent + text);
        return this;
    }

    Attributes append(Attributes others) {
        lines.addAll(others.lines);
        return this;
    }

    Fields fields() {
        return fields;
    }

    void print(PrintStream out) {
        lines.forEach(out::println);
    }
}
