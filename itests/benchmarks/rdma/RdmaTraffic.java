package io.manafold.benchmark;

import io.manafold.gdma.RdmaRequest;
import io.manafold.testkit.PieceList;
import io.manafold.testkit.RcPair;
import io.manafold.testkit.RdmaQueue;

/**
 * The drivers of both ends: takes completions and gives each queue pair the next burst of requests, the last of which
 * wants to be completed.
 */
final class RdmaTraffic extends AgentTraffic {
    static final String PORT = "driver/";
    private static final int POLL = 64;
    private static final int NUMBERS = 1 << 14;
    /** Twice as many are under way at most, as with perftest's usual depth. */
    private static final int MOST_BURST = 64;
    /** Bytes that a queue pair has under way; more would be a matter of the acknowledgement's way only. */
    private static final int WINDOW_BYTES = 1 << 20;

    private final RdmaCase what;
    private final RdmaEndpoint left;
    private final RdmaEndpoint right;
    private final RcPair[] lefts;
    private final RcPair[] rights;
    private final int burst;
    private final int window;
    /** Queue pairs that can have another burst, in the order in which they came to it. */
    private final int[] ready;
    private final boolean[] isReady;
    private int firstReady;
    private int readies;
    private final PieceList pieces = new PieceList();
    private final RdmaQueue.Taker atLeft = this::sent;
    private final RdmaQueue.Taker atRight = this::received;
    /** Which queue pair has a number; the lowest two bits tell its queues apart. */
    private final int[] leftNumbers = new int[NUMBERS];
    private final int[] rightNumbers = new int[NUMBERS];
    private int place;
    private int landed;
    private long rings;
    private long reads;

    RdmaTraffic(int number, RdmaCase what, RdmaEndpoint left, RdmaEndpoint right, int pairs) {
        super(PORT + number, "manafold-link-loop");
        this.what = what;
        this.left = left;
        this.right = right;
        lefts = left.pairs.subList(0, pairs).toArray(RcPair[]::new);
        rights = right.pairs.subList(0, pairs).toArray(RcPair[]::new);
        window = window(what.bytes());
        burst = window / 2;
        ready = new int[pairs];
        isReady = new boolean[pairs];
        for (int i = 0; i < pairs; i++) {
            leftNumbers[slot(lefts[i].number())] = i;
            rightNumbers[slot(rights[i].number())] = i;
            makeReady(i);
        }
    }

    /** Messages that a queue pair has under way at most; half of them are a burst. */
    static int window(int bytes) {
        return Math.clamp(WINDOW_BYTES / bytes, 2, 2 * MOST_BURST);
    }

    /** Doorbells of both ends for each message; but for those, far between, that tell how far completions were read. */
    double doorbells() {
        long all = rings + reads;
        for (int i = 0; i < lefts.length; i++) {
            all += lefts[i].acknowledgements();
        }
        return all / (double) completed;
    }

    @Override
    public String toString() {
        return super.toString() + ", " + landed + " landed";
    }

    // ---- the agent's thread

    @Override
    void poll() {
        left.completions.poll(atLeft, POLL);
        if (what.kind() == RdmaCase.Kind.SEND) {
            right.completions.poll(atRight, POLL);
        }
    }

    @Override
    void post() {
        int turns = Math.min(readies, POLL);
        for (int i = 0; i < turns; i++) {
            post(takeReady());
        }
    }

    private void makeReady(int pair) {
        if (!isReady[pair]) {
            isReady[pair] = true;
            ready[(firstReady + readies++) % ready.length] = pair;
        }
    }

    private int takeReady() {
        int pair = ready[firstReady];
        firstReady = (firstReady + 1) % ready.length;
        readies--;
        isReady[pair] = false;
        return pair;
    }

    private static int slot(int workQueue) {
        return workQueue >>> 2 & NUMBERS - 1;
    }

    private void sent(long entry, int workQueue, boolean sendSide) {
        int at = leftNumbers[slot(workQueue)];
        RcPair pair = lefts[at];
        int before = pair.completed();
        pair.completion(entry, workQueue, sendSide);
        completed += pair.completed() - before;
        if (pair.outstanding() + burst <= window) {
            makeReady(at);
        }
    }

    private void received(long entry, int workQueue, boolean sendSide) {
        rights[rightNumbers[slot(workQueue)]].completion(entry, workQueue, sendSide);
        landed++;
    }

    private void post(int index) {
        RcPair pair = lefts[index];
        if (what.kind() == RdmaCase.Kind.SEND) {
            expect(rights[index]);
        }
        int operation = switch (what.kind()) {
            case WRITE -> RdmaRequest.WRITE;
            case READ -> RdmaRequest.READ;
            default -> RdmaRequest.SEND;
        };
        int now = Math.min(burst, window - pair.outstanding());
        for (int i = 0; i < now; i++) {
            int at = next();
            // what a read brings comes from the same place of the other block
            pieces.clear().add(RdmaEndpoint.VIRTUAL + at, left.localKey(), what.bytes());
            if (!pair.post(operation, i + 1 == now ? RdmaRequest.SIGNALED : 0, pieces, RdmaEndpoint.VIRTUAL + at,
                    right.remoteKey(), 0)) {
                throw new IllegalStateException("there is no room for a request");
            }
        }
        pair.ring();
        rings++;
        reads += operation == RdmaRequest.READ ? now : 0;
        posted += now;
    }

    /** Posts receives for the next burst, each where its message lies at the sender. */
    private void expect(RcPair pair) {
        int ahead = place;
        for (int i = 0; i < burst; i++) {
            if (!pair.receive(RdmaEndpoint.VIRTUAL + ahead, right.localKey(), what.bytes())) {
                throw new IllegalStateException("there is no room for a receive");
            }
            ahead = after(ahead);
        }
        pair.ringReceives();
        rings++;
    }

    private int next() {
        int now = place;
        place = after(now);
        most = Math.max(most, now + what.bytes());
        return now;
    }

    private int after(int before) {
        int next = what.fromMemory() ? before + what.bytes() : 0;
        return next + what.bytes() > RdmaEndpoint.BYTES ? 0 : next;
    }
}
