package io.manafold.lab.internal;

/** A place in a file, line and column counted from 1. */
record SourcePosition(int line, int column) implements Comparable<SourcePosition> {
    static final SourcePosition START = new SourcePosition(1, 1);

    @Override
    public int compareTo(SourcePosition other) {
        return line != other.line ? Integer.compare(line, other.line) : Integer.compare(column, other.column);
    }

    @Override
    public String toString() {
        return "line " + line + ", column " + column;
    }
}
