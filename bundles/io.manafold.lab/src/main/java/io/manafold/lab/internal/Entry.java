package io.manafold.lab.internal;

import io.manafold.api.lab.Labs;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One thing that a lab lists, understood and complete: what the file leaves out has its preset.
 *
 * @param values by key, in the order of the table; text, numbers, booleans and arrays of text
 */
record Entry(Section section, String name, int line, Map<String, Object> values) {
    /** The PID of the configuration it becomes. */
    String pid() {
        return section.pid() + "~" + name;
    }

    /** How it is called among all entries of a lab. */
    String path() {
        return section.title() + "/" + name;
    }

    /** What its configuration holds. */
    Map<String, Object> properties(String lab) {
        Map<String, Object> properties = new LinkedHashMap<>(values);
        properties.put(Labs.LAB, lab);
        properties.put(Labs.ENTRY, path());
        return properties;
    }
}
