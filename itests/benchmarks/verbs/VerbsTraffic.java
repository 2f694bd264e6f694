package io.manafold.benchmark;

import io.manafold.api.rdma.SendList;

/**
 * Writes by verbs: polls, and posts lists as the bare loop posts bursts, the last request of each having a completion.
 */
final class VerbsTraffic extends AgentTraffic {
    static final String PORT = "verbs/1";

    private final VerbsEndpoint left;
    private final VerbsEndpoint right;
    private final VerbsLab lab;
    private final int bytes;
    private final boolean fromMemory;
    private final int window;
    private final int burst;
    private int place;
    private long lists;

    VerbsTraffic(RdmaCase what, VerbsEndpoint left, VerbsEndpoint right, VerbsLab lab) {
        super(PORT, VerbsLab.AGENT);
        this.left = left;
        this.right = right;
        this.lab = lab;
        bytes = what.bytes();
        fromMemory = what.fromMemory();
        window = RdmaTraffic.window(bytes);
        burst = window / 2;
    }

    /** One for each list. */
    double doorbells() {
        return lists / (double) completed;
    }

    @Override
    public long allocated(boolean oneThread) {
        return lab.allocated();
    }

    @Override
    void poll() {
        int count = left.poll();
        if (count > 0) {
            completed = left.polled.id(count - 1);
        }
    }

    @Override
    void post() {
        while (posted - completed + burst <= window) {
            postList();
        }
    }

    /** Each request is called by the number of those that are done when it is. */
    private void postList() {
        SendList sends = left.sends.clear();
        for (int i = 1; i <= burst; i++) {
            sends.write(posted + i, i == burst ? SendList.SIGNALED : 0, right.region.address() + place,
                    right.region.remoteKey()).piece(left.region.address() + place, left.region.localKey(), bytes);
            most = Math.max(most, place + bytes);
            place = !fromMemory || place + 2 * bytes > RdmaEndpoint.BYTES ? 0 : place + bytes;
        }
        if (left.pair.post(sends) != burst) {
            throw new IllegalStateException("there is no room for a list");
        }
        lists++;
        posted += burst;
    }
}
