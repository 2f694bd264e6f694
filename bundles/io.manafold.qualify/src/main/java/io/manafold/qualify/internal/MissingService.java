package io.manafold.qualify.internal;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;

/** What is said when a service that a measurement needs is not there, in the words of all commands. */
final class MissingService {
    private MissingService() {
    }

    /**
     * @param service the service, or {@code null}
     * @param what the service in words, without an article
     * @param bundle the symbolic name of the bundle that brings it
     * @throws Refusal {@code EOPNOTSUPP} if it is not there
     */
    static <T> T required(T service, String what, String bundle) {
        if (service == null) {
            throw new Refusal(Errno.EOPNOTSUPP, "There is no " + what + " on this platform: its bundle " + bundle
                    + " is missing or stopped. 'lb' lists the bundles, 'start' starts one.");
        }
        return service;
    }
}
