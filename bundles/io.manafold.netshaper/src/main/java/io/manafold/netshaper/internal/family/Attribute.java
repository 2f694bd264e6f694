package io.manafold.netshaper.internal.family;

import java.util.List;

/**
 * One attribute of a set.
 *
 * @param words what its numbers are called, from 0; empty if they have no names
 * @param max its greatest value, unsigned
 * @param nested the set of what is in it; {@code null} unless it is a nest
 */
public record Attribute(int id, String name, Type type, List<String> words, long max, AttributeSet nested,
        boolean repeated, String about) {
    /** Its word for a number. */
    public Object shown(long value) {
        return words.isEmpty() ? (Object) value : words.get((int) value);
    }
}
