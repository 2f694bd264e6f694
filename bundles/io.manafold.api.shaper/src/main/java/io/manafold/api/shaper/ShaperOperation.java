package io.manafold.api.shaper;

import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/** An operation of the family, as its description has it: what commands and their help go by. */
@ProviderType
public interface ShaperOperation {
    /** As in {@link Shapers#perform}: {@code set}, {@code cap-get}. */
    String name();

    /** What it does, a clause without a full stop. */
    String about();

    /** What it takes, in the order of its description. */
    List<? extends ShaperAttribute> takes();

    /** What it answers, in the order of its messages; empty if it only acknowledges. */
    List<? extends ShaperAttribute> answers();
}
