package io.manafold.shell;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.Collection;

/** What commands say, all in the same words, when a service or a thing that the user named is not there. */
public final class Missing {
    private Missing() {
    }

    /**
     * A service that a command cannot do without.
     *
     * @param service the service, or {@code null}
     * @param what the service in words, without an article
     * @param bundle the symbolic name of the bundle that brings it
     * @throws Refusal {@code EOPNOTSUPP} if it is not there
     */
    public static <T> T required(T service, String what, String bundle) {
        if (service == null) {
            throw service(what, bundle);
        }
        return service;
    }

    /** The refusal of a command whose service is not there; parameters as for {@link #required}. */
    public static Refusal service(String what, String bundle) {
        return new Refusal(Errno.EOPNOTSUPP, "There is no " + what + " on this platform: its bundle " + bundle
                + " is missing or stopped. 'lb' lists the bundles, 'start' starts one.");
    }

    /**
     * The refusal of a command that was given the name of nothing.
     *
     * @param kind what it would be, in words, without an article
     * @param known the names that there are
     * @param ifNone what the user can do if there are none
     */
    public static Refusal named(Errno errno, String kind, String name, Collection<String> known, String ifNone) {
        return new Refusal(errno, "There is no " + kind + " '" + name + "'" + (known.isEmpty()
                ? ", nor any other: " + ifNone + "." : instead(name, known)));
    }

    /** The end of a sentence about a name that is not known: the nearest name, or all names. */
    public static String instead(String name, Collection<String> known) {
        return Nearest.to(name, known).map(near -> "; did you mean '" + near + "'?")
                .orElseGet(() -> known.isEmpty() ? "." : "; there is " + String.join(", ", known) + ".");
    }
}
