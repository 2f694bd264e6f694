package io.manafold.shell;

import java.util.List;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;

/** A command while it is being typed. */
@ProviderType
public interface Typed {
    /** The part of the word at the cursor that is there already, perhaps empty. */
    String prefix();

    /** The complete words between the command's name and the cursor. */
    List<String> words();

    /** What was typed for a positional argument that precedes the cursor. */
    Optional<String> argument(String name);
}
