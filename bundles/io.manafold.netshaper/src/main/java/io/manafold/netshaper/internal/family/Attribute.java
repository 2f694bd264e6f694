package io.manafold.netshaper.internal.family;

import io.manafold.api.shaper.ShaperAttribute;
import java.util.List;

/**
 * One attribute of a set.
 *
 * @param words what its numbers are called, from 0; empty if they have no names
 * @param max its greatest value, unsigned
 * @param rate whether it is bits or packets a second
 * @param nested the set of what is in it; {@code null} unless it is a nest
 */
public record Attribute(int id, String name, Type type, List<String> words, long max, boolean rate,
        AttributeSet nested, boolean repeated, String about) implements ShaperAttribute {
    @Override
    public Kind kind() {
        return switch (type) {
            case FLAG -> Kind.FLAG;
            case NEST -> Kind.NEST;
            case U32, UINT -> rate ? Kind.RATE : words.isEmpty() ? Kind.NUMBER : Kind.WORD;
        };
    }

    @Override
    public long most() {
        return max;
    }

    @Override
    public List<Attribute> within() {
        return nested == null ? List.of() : List.copyOf(nested.all());
    }

    /** Its word for a number. */
    public Object shown(long value) {
        return words.isEmpty() ? (Object) value : words.get((int) value);
    }
}
