package io.manafold.api.adapter;

/**
 * A queue pair at a moment.
 *
 * @param number as peers name it
 * @param type {@code RC}, a reliable connection, or {@code GSI}, management datagrams
 * @param state {@code RESET}, {@code INIT}, {@code RTR}, {@code RTS}, {@code SQD}, {@code ERR}
 * @param port {@code one/1}
 * @param peerGid the peer's address, {@code null} without one
 * @param peer the peer's queue pair, 0 without one
 * @param mtu of the path in bytes, 0 as long as it is not set
 * @param sendPsn the number of the next packet of a new request
 * @param acknowledgedPsn the last number that the peer has acknowledged
 * @param receivePsn the number that the peer's next packet should have
 * @param inFlight requests that are under way
 * @param congestion how fast it may send
 */
public record RdmaQueuePair(int number, String type, String state, String port, String peerGid, int peer, int mtu,
        int sendPsn, int acknowledgedPsn, int receivePsn, int inFlight, int sendCompletions, int receiveCompletions,
        int protectionDomain, Congestion congestion) {

    /**
     * Congestion control of a queue pair.
     *
     * @param rate bits a second
     * @param limited whether that is less than the port's for congestion
     * @param congested how many times a limit came into being
     * @param recovered how many times it went
     * @param increases steps up
     */
    public record Congestion(long rate, boolean limited, long congested, long recovered, long increases) {
        /** Of what does not take part. */
        public static final Congestion NONE = new Congestion(0, false, 0, 0, 0);
    }
}
