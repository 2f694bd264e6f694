package io.manafold.netdev;

import org.slf4j.Logger;

/** What is logged of a bundle that failed on a device's thread. */
final class Complaint {
    private Complaint() {
    }

    /** Logs that something failed, and why; throws nothing, whatever the bundle has thrown. */
    static void log(Logger log, String what, Throwable mistake) {
        try {
            log.error("{} failed above its device", what, mistake);
        } catch (Throwable again) {
            logClass(log, what, mistake);
        }
    }

    /** What a bundle throws may throw again when it is asked for its message, or its classes have gone. */
    private static void logClass(Logger log, String what, Throwable mistake) {
        try {
            log.error("{} failed above its device with a {} whose message cannot be had", what,
                    mistake.getClass().getName());
        } catch (Throwable again) {
            // without memory not even this works; the device's thread must outlive it
        }
    }
}
