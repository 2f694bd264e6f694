package io.manafold.api.ethdev;

/**
 * What has happened to a port.
 *
 * @param port its number
 * @param text one sentence for people
 */
public record EthDevEvent(Kind kind, int port, String text) {
    /** Kinds of events, by the names that poll-mode users know. */
    public enum Kind {
        /** The link has come or gone. */
        INTR_LSC("intr_lsc"),
        /** The device has been removed; the application closes the port. */
        INTR_RMV("intr_rmv"),
        /** A queue has failed and moves nothing any more. */
        QUEUE_STATE("queue_state"),
        /** The device is being reset; bursts are empty until one of the next two. */
        ERR_RECOVERING("err_recovering"),
        /** The port goes on as it was. */
        RECOVERY_SUCCESS("recovery_success"),
        /** The port cannot go on; the application closes it. */
        RECOVERY_FAILED("recovery_failed"),
        /** A port has been probed. */
        NEW("new");

        private final String label;

        Kind(String label) {
            this.label = label;
        }

        /** As applications name it. */
        public String label() {
            return label;
        }
    }
}
