package io.manafold.api.shaper;

import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/** An attribute of the family, as its description has it. */
@ProviderType
public interface ShaperAttribute {
    /** As in the maps of {@link Shapers#perform}: {@code bw-max}. */
    String name();

    /** What it says, a clause without a full stop. */
    String about();

    Kind kind();

    /** Its values if they are words, in the order of their numbers; else empty. */
    List<String> words();

    /** Its greatest value if it is a number, unsigned. */
    long most();

    /** What is in it, if it is a nest. */
    List<? extends ShaperAttribute> within();

    /** What its values are. */
    enum Kind {
        /** There or not. */
        FLAG,
        /** One of a few words. */
        WORD,
        /** A whole number. */
        NUMBER,
        /** Bits or packets a second, by the metric. */
        RATE,
        /** Other attributes. */
        NEST
    }
}
