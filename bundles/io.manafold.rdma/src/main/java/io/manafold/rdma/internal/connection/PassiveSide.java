package io.manafold.rdma.internal.connection;

import io.manafold.api.refusal.Errno;
import io.manafold.rdma.internal.connection.CmCounters.Count;
import io.manafold.roce.cm.CmAddresses;
import io.manafold.roce.cm.CmEndpoint;
import io.manafold.roce.cm.CmMessageReceipt;
import io.manafold.roce.cm.CmReadyToUse;
import io.manafold.roce.cm.CmReject.Reason;
import io.manafold.roce.cm.CmReply;
import io.manafold.roce.cm.CmRequest;

/** The passive side of an exchange: the end that is asked for a connection. */
public final class PassiveSide extends Exchange {
    /** An MRA for a request. */
    private static final int REQUEST = 0;
    /** A moment for the adapter to acknowledge, as others say. */
    private static final int ACKNOWLEDGE_DELAY = 15;

    private final CmRequest request;
    private final CmAddresses addresses;
    private final Backlog backlog;
    private int ownPair;
    private boolean waiting = true;
    private byte[] receipt;
    private long giveUpAt;

    PassiveSide(Exchanges all, AddressPair ends, int localId, long transaction, CmRequest request,
            CmAddresses addresses, Backlog backlog) {
        super(all, ends, localId, transaction);
        this.request = request;
        this.addresses = addresses;
        this.backlog = backlog;
        remoteId = request.localId();
        peerGuid = request.nodeGuid();
        peerPair = request.endpoint().queuePair();
    }

    public CmRequest request() {
        return request;
    }

    public CmAddresses addresses() {
        return addresses;
    }

    @Override
    int ownPair() {
        return ownPair;
    }

    @Override
    void resolved(long now) {
        giveUpAt = now + all.timing().requestNanos();
        enter(Stage.REQUESTED, now + all.timing().receiptNanos());
        backlog.deliver(this);
    }

    /** The user has not answered yet. */
    @Override
    void waited(long now) {
        if (now < giveUpAt) {
            sayItTakesLonger();
            waitUntil(giveUpAt);
        } else {
            all.counters().count(Count.TIMEOUTS);
            reject(REQUEST, Reason.TIMEOUT, NOTHING, NOTHING);
            go();
        }
    }

    private void sayItTakesLonger() {
        if (receipt == null) {
            receipt = new CmMessageReceipt(localId, remoteId, REQUEST, Timing.REQUEST_EXPONENT, NOTHING)
                    .encode(transaction);
        }
        say(receipt);
    }

    @Override
    int unanswered() {
        return 1;
    }

    /** The request has come again: what was answered is answered again. */
    void again() {
        switch (stage()) {
            case REQUESTED -> {
                all.counters().count(Count.DUPLICATES);
                sayItTakesLonger();
            }
            case REPLIED -> repeat();
            default -> all.counters().count(Count.DUPLICATES);
        }
    }

    /** Whether an answer of the user still counts. */
    public boolean isOpen() {
        return stage() == Stage.REQUESTED;
    }

    /** The user agrees, and the queue pair is ready. */
    public void accept(CmEndpoint endpoint, byte[] privateData, ExchangeListener outcome, long now) {
        user.to(outcome);
        if (!isOpen()) {
            user.unreachable(Errno.ETIMEDOUT, ends.remote() + " has given up its request.");
            return;
        }
        leaveBacklog();
        ownPair = endpoint.queuePair();
        ask(Stage.REPLIED, new CmReply(localId, remoteId, endpoint, ACKNOWLEDGE_DELAY, 0, all.link().guid(),
                privateData)
                .encode(transaction), now);
    }

    /** The user refuses. */
    public void reject(byte[] privateData) {
        if (isOpen()) {
            reject(REQUEST, Reason.CONSUMER_DEFINED, NOTHING, privateData);
            go();
        }
    }

    void ready(CmReadyToUse message) {
        if (stage() == Stage.REPLIED) {
            establish(message.privateData());
        } else {
            all.counters().count(Count.DUPLICATES);
        }
    }

    /** A message of the peer has come over the queue pair, so the peer is ready, if its word of that has been lost. */
    public void heard() {
        if (stage() == Stage.REPLIED) {
            establish(NOTHING);
        }
    }

    private void establish(byte[] privateData) {
        enter(Stage.ESTABLISHED, NEVER);
        user.established(privateData);
    }

    @Override
    void go() {
        leaveBacklog();
        super.go();
    }

    private void leaveBacklog() {
        if (waiting) {
            waiting = false;
            backlog.leave();
        }
    }

    @Override
    void giveUp() {
        boolean early = stage() == Stage.REQUESTED;
        reject(early ? REQUEST : 1, Reason.CONSUMER_DEFINED, NOTHING, NOTHING);
    }
}
