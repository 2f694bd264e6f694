package io.manafold.netshaper.internal.place;

import java.util.List;
import java.util.OptionalInt;

/** The interfaces of a kernel by their names. */
interface Names {
    List<String> all();

    /** Its number, if there is one of that name. */
    OptionalInt number(String name);
}
