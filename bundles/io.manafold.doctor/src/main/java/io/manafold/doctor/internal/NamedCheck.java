package io.manafold.doctor.internal;

import io.manafold.api.doctor.Check;
import io.manafold.api.doctor.Evidence;
import io.manafold.api.doctor.Finding;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A check with what it says of itself, asked once: checks are strangers', and may throw or say another thing later. */
record NamedCheck(Check check, String id, String name, List<String> needs) implements Check {
    private static final Logger LOG = LoggerFactory.getLogger(NamedCheck.class);

    NamedCheck {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(name, "name");
        needs = List.copyOf(needs);
    }

    /** Empty for a check that does not say what it is called or needs: it costs the others nothing. */
    static Stream<Check> of(Check check) {
        try {
            return Stream.of(new NamedCheck(check, check.id(), check.name(), check.needs()));
        } catch (Throwable mistake) {
            // an Error too, as of a class that went with its bundle
            LOG.warn("The check {} is left out, since it does not say its id, its name and what it needs",
                    check.getClass().getName(), mistake);
            return Stream.empty();
        }
    }

    @Override
    public String about() {
        return check.about();
    }

    @Override
    public Finding examine(Evidence evidence) throws Exception {
        return check.examine(evidence);
    }

    /** The same check is one that has overstayed, whatever it says of itself by now. */
    @Override
    public boolean equals(Object other) {
        return other instanceof NamedCheck named && named.check == check;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(check);
    }
}
