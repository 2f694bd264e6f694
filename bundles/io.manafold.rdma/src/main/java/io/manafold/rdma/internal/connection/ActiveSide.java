package io.manafold.rdma.internal.connection;

import io.manafold.rdma.internal.connection.CmCounters.Count;
import io.manafold.roce.cm.CmReadyToUse;
import io.manafold.roce.cm.CmReject.Reason;
import io.manafold.roce.cm.CmReply;
import io.manafold.roce.cm.CmRequest;

/** The active side of an exchange: the end that wants a connection. */
public final class ActiveSide extends Exchange {
    private final CmRequest request;
    private byte[] ready;

    ActiveSide(Exchanges all, AddressPair ends, CmRequest request, long transaction) {
        super(all, ends, request.localId(), transaction);
        this.request = request;
    }

    @Override
    int ownPair() {
        return request.endpoint().queuePair();
    }

    @Override
    void resolved(long now) {
        ask(Stage.REQUESTED, request.encode(transaction), now);
    }

    @Override
    void waited(long now) {
        waitUntil(NEVER);
    }

    @Override
    int unanswered() {
        return 0;
    }

    void replied(CmReply reply, long now) {
        switch (stage()) {
            case REQUESTED -> agree(reply);
            case ESTABLISHED -> {
                if (reply.localId() == remoteId) {
                    all.counters().count(Count.DUPLICATES);
                    say(ready);
                } else {
                    all.counters().count(Count.STRAYS);
                }
            }
            default -> all.counters().count(Count.STRAYS);
        }
    }

    private void agree(CmReply reply) {
        remoteId = reply.localId();
        peerGuid = reply.nodeGuid();
        peerPair = reply.endpoint().queuePair();
        if (!all.claimPair(this)) {
            all.counters().count(Count.STALE);
            reject(1, Reason.STALE_CONNECTION, NOTHING, NOTHING);
            go();
            user.rejected(Reason.STALE_CONNECTION.number(), NOTHING);
            return;
        }
        enter(Stage.REPLIED, NEVER);
        user.replied(reply);
    }

    /** The queue pair is ready. */
    public void proceed() {
        if (stage() == Stage.REPLIED) {
            ready = new CmReadyToUse(localId, remoteId, NOTHING).encode(transaction);
            enter(Stage.ESTABLISHED, NEVER);
            say(ready);
            user.established(NOTHING);
        }
    }

    /** The queue pair cannot be made ready. */
    public void refuse() {
        if (stage() == Stage.REPLIED) {
            giveUp();
            go();
        }
    }

    @Override
    void giveUp() {
        boolean early = stage() == Stage.REQUESTED;
        reject(early ? 0 : 1, early ? Reason.TIMEOUT : Reason.CONSUMER_DEFINED, early ? all.guidBytes() : NOTHING,
                NOTHING);
    }
}
