package io.manafold.api.testpmd;

import io.manafold.api.ethdev.ProbedPort;
import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/** Forwards packets between poll-mode ports. A service. */
@ProviderType
public interface TestPmd {
    /**
     * Starts it: what comes before {@code --} is for the environment, what follows for the program. If the words say
     * so, packets are forwarded when this returns.
     *
     * @throws io.manafold.api.refusal.Refusal {@code EINVAL} for words that make no sense; else what devices say.
     *     Nothing is left then.
     */
    TestPmdRun start(List<String> words);

    /**
     * Looks at ports as a start with these words would, with {@code --dry-run} among those of the environment, and
     * takes none.
     *
     * @return a port without a reason against it would be taken
     * @throws io.manafold.api.refusal.Refusal as {@link #start}
     */
    List<ProbedPort> look(List<String> words);

    /** Words that may stand in the program's half. */
    List<String> options();

    /** The words of both halves, for people. */
    String usage();
}
