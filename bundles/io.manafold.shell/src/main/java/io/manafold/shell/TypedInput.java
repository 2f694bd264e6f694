package io.manafold.shell;

import java.util.List;
import java.util.function.Function;
import org.osgi.annotation.versioning.ProviderType;

/**
 * The input of a command, as {@link Call#in} gives it, where a user types at a terminal; that of a file or of a pipe is
 * none.
 */
@ProviderType
public interface TypedInput {
    /**
     * Has Tab offer words, until the command ends its own asking with {@code null}.
     *
     * @param prompt what the command prints before a line, which is printed again below the words that are offered
     * @param words for what has been typed of a line: words that its last one may become, on the thread that reads
     */
    void offer(String prompt, Function<String, List<String>> words);
}
