package io.manafold.netshaper.internal.wire;

import io.manafold.netshaper.internal.family.Attribute;
import io.manafold.netshaper.internal.family.AttributeSet;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Attributes of a message that were read, by name, with the places at which they stood. Of several the last counts. */
public final class Attributes {
    private record Entry(Attribute attribute, int offset, long number, Attributes nest) {
    }

    private final AttributeSet set;
    /** Of the nest that they are in; 0 for the message itself. */
    private final int offset;
    private final List<Entry> entries = new ArrayList<>();

    Attributes(AttributeSet set, int offset) {
        this.set = set;
        this.offset = offset;
    }

    void add(Attribute attribute, int at, long number, Attributes nest) {
        entries.add(new Entry(attribute, at, number, nest));
    }

    /** Where the nest stands in the message. */
    public int offset() {
        return offset;
    }

    private Entry last(String name) {
        Attribute attribute = set.named(name);
        return entries.reversed().stream().filter(entry -> entry.attribute == attribute).findFirst().orElse(null);
    }

    public boolean has(String name) {
        return last(name) != null;
    }

    /** Where it stands in the message; it must be there. */
    public int offset(String name) {
        return last(name).offset;
    }

    public long number(String name, long otherwise) {
        Entry entry = last(name);
        return entry == null ? otherwise : entry.number;
    }

    /** The number of what must be there. */
    public int required(String name) {
        Entry entry = last(name);
        if (entry == null) {
            throw missing(name);
        }
        return (int) entry.number;
    }

    /** The nest, or {@code null}. */
    public Attributes nest(String name) {
        Entry entry = last(name);
        return entry == null ? null : entry.nest;
    }

    public List<Attributes> nests(String name) {
        Attribute attribute = set.of(name);
        return entries.stream().filter(entry -> entry.attribute == attribute).map(Entry::nest).toList();
    }

    /** The refusal for one that is not there. */
    public Complaint missing(String name) {
        return offset == 0 ? Complaint.missing(set.of(name)) : Complaint.missing(set.of(name), offset);
    }

    /** The refusal for one that is not there, which does not say in which nest. */
    public Complaint missingAnywhere(String name) {
        return Complaint.missing(set.of(name));
    }

    /** As maps by names. */
    public Map<String, Object> map() {
        Map<String, Object> map = new LinkedHashMap<>();
        for (Entry entry : entries) {
            Attribute attribute = entry.attribute;
            Object value = switch (attribute.type()) {
                case FLAG -> true;
                case NEST -> entry.nest.map();
                default -> attribute.shown(entry.number);
            };
            if (attribute.repeated()) {
                List<Object> list = new ArrayList<>();
                if (map.get(attribute.name()) instanceof List<?> earlier) {
                    list.addAll(earlier);
                }
                list.add(value);
                map.put(attribute.name(), list);
            } else {
                map.put(attribute.name(), value);
            }
        }
        return map;
    }

    /** The path of the attribute at a place, as in {@code .handle.id}; empty if there is none. */
    public String path(int at) {
        for (Entry entry : entries) {
            if (entry.offset == at) {
                return "." + entry.attribute.name();
            }
            String inside = entry.nest == null ? "" : entry.nest.path(at);
            if (!inside.isEmpty()) {
                return "." + entry.attribute.name() + inside;
            }
        }
        return "";
    }
}
