package io.manafold.testpmd.internal;

/** The packet of a lane whose stay is measured: the first of a burst, until a port has taken it. For one core. */
final class Sample {
    private final Latency latency;
    private boolean isOut;
    private int packet;
    private long since;

    Sample(Latency latency) {
        this.latency = latency;
    }

    /** Whether there is a packet that has come and not been sent. */
    boolean isOut() {
        return isOut;
    }

    void came(int first) {
        packet = first;
        since = System.nanoTime();
        isOut = true;
    }

    /** It goes nowhere: from now on its number may be that of another packet. */
    void forget() {
        isOut = false;
    }

    /** A copy goes on in the place of a packet. */
    void becomes(int before, int copy) {
        packet = packet == before ? copy : packet;
    }

    /** Looks for it among packets that were to be sent, of which some were taken. */
    void left(int[] packets, int first, int count, int taken) {
        for (int i = first; i < first + count; i++) {
            if (packets[i] == packet) {
                if (i < first + taken) {
                    latency.add(System.nanoTime() - since);
                }
                isOut = false;
                return;
            }
        }
    }
}
