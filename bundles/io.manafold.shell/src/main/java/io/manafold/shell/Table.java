package io.manafold.shell;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Rows under headers; with {@code --json} an array of objects. Cells are values as in {@link Fields}; a missing one
 * shows as a dash, a list with commas, and a column that holds only numbers stands to the right.
 */
public final class Table {
    private final List<Column> columns = new ArrayList<>();
    private final List<List<Object>> rows = new ArrayList<>();
    private boolean wrapped = true;

    /** A column's header, {@code null} if people do not see it, and its key in JSON. */
    public record Column(String header, String key) {
    }

    /** A value that people read in another form than programs. */
    public record Cell(String text, Object value) {
    }

    /** Adds a column and returns this; all columns come before the first row. */
    public Table column(String header, String key) {
        if (!rows.isEmpty()) {
            throw new IllegalStateException("column " + header + " comes after rows");
        }
        columns.add(new Column(header, key));
        return this;
    }

    /** Adds a column that is told in JSON alone and returns this. */
    public Table hidden(String key) {
        return column(null, key);
    }

    /** Adds a row, one value per column, and returns this. */
    public Table row(Object... cells) {
        if (cells.length != columns.size()) {
            throw new IllegalArgumentException(cells.length + " cells for " + columns.size() + " columns");
        }
        List<Object> row = new ArrayList<>();
        Collections.addAll(row, cells);
        rows.add(Collections.unmodifiableList(row));
        return this;
    }

    /** Lets long rows run on instead of breaking their cells into several lines. */
    public Table unwrapped() {
        wrapped = false;
        return this;
    }

    public boolean isWrapped() {
        return wrapped;
    }

    public List<Column> columns() {
        return Collections.unmodifiableList(columns);
    }

    public List<List<Object>> rows() {
        return Collections.unmodifiableList(rows);
    }
}
