package io.manafold.netshaper.internal.family;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Attributes whose numbers mean something together. */
public final class AttributeSet {
    private final String name;
    private final Map<String, Attribute> byName = new LinkedHashMap<>();

    public AttributeSet(String name, Collection<Attribute> attributes) {
        this.name = name;
        attributes.forEach(attribute -> byName.put(attribute.name(), attribute));
    }

    public String name() {
        return name;
    }

    /** The attribute of that name, or {@code null}. */
    public Attribute named(String wanted) {
        return byName.get(wanted);
    }

    /** The attribute of that name, which there is. */
    public Attribute of(String wanted) {
        Attribute attribute = byName.get(wanted);
        if (attribute == null) {
            throw new IllegalArgumentException("the set " + name + " has no " + wanted);
        }
        return attribute;
    }

    /** The attribute of that number, or {@code null}. */
    public Attribute numbered(int id) {
        for (Attribute attribute : byName.values()) {
            if (attribute.id() == id) {
                return attribute;
            }
        }
        return null;
    }

    public Collection<Attribute> all() {
        return List.copyOf(byName.values());
    }

    /** The highest number. */
    public int bound() {
        return byName.values().stream().mapToInt(Attribute::id).max().orElse(0);
    }
}
