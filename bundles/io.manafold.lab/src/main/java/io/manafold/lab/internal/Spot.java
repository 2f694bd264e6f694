package io.manafold.lab.internal;

/** A place in a file, line and column counted from 1. */
record Spot(int line, int column) implements Comparable<Spot> {
    static final Spot START = new Spot(1, 1);

    @Override
    public int compareTo(Spot other) {
        return line != other.line ? Integer.compare(line, other.line) : Integer.compare(column, other.column);
    }

    @Override
    public String toString() {
        return "line " + line + ", column " + column;
    }
}
