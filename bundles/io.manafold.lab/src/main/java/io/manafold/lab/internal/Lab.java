package io.manafold.lab.internal;

import java.util.List;

/**
 * A lab file, understood.
 *
 * @param entries in the order of the table's sections, inside a section in the order of the file
 */
record Lab(LabSource source, List<Entry> entries) {
    String name() {
        return source.name();
    }
}
