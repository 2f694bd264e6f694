package io.manafold.rdma.internal.connection;

import io.manafold.api.net.MacAddress;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.rdma.internal.connection.CmCounters.Count;
import io.manafold.roce.cm.CmDisconnect;
import io.manafold.roce.cm.CmDisconnectReply;
import io.manafold.roce.cm.CmMessageReceipt;
import io.manafold.roce.cm.CmReject;
import io.manafold.roce.cm.CmReject.Reason;
import java.util.Optional;

/**
 * The messages of one connection as one of its ends sees them, from the request to the last late one. For one thread.
 */
public abstract sealed class Exchange permits ActiveSide, PassiveSide {
    /** How far it is. */
    public enum Stage {
        /** The place of the peer is asked for. */
        RESOLVING,
        /** The request has been sent, or has come. */
        REQUESTED,
        /** The reply has come, or has been sent. */
        REPLIED,
        ESTABLISHED,
        /** The peer has been told that this end leaves. */
        LEAVING,
        /** It has ended; late messages are answered. */
        LINGERING,
        GONE
    }

    static final byte[] NOTHING = {};
    static final long NEVER = Long.MAX_VALUE;
    /** How often the place of a peer is looked up. */
    private static final long LOOK_NANOS = 2_000_000;

    final Exchanges all;
    final AddressPair ends;
    final int localId;
    final long transaction;
    final ExchangeNotifier user = new ExchangeNotifier();
    int remoteId;
    /** The peer's node and queue pair, once they are known. */
    long peerGuid;
    int peerPair;
    private MacAddress mac;
    private volatile Stage stage = Stage.RESOLVING;
    private long deadline = NEVER;
    private long resolveUntil;
    /** What is sent again until an answer comes. */
    private byte[] question;
    private int repeats;
    private boolean receiptTaken;

    Exchange(Exchanges all, AddressPair ends, int localId, long transaction) {
        this.all = all;
        this.ends = ends;
        this.localId = localId;
        this.transaction = transaction;
    }

    public AddressPair ends() {
        return ends;
    }

    public Stage stage() {
        return stage;
    }

    /** Where the peer is on the link, once that is known. */
    public MacAddress mac() {
        return mac;
    }

    long deadline() {
        return deadline;
    }

    /** The number of the queue pair of this end. */
    abstract int ownPair();

    // ---- what it does

    void enter(Stage next, long until) {
        stage = next;
        question = null;
        waitUntil(until);
    }

    void waitUntil(long until) {
        all.reschedule(this, () -> deadline = until);
    }

    void say(byte[] mad) {
        all.counters().count(Count.SENT);
        all.link().send(ends, mac, mad);
    }

    /** Sends a message again and again until the stage changes. */
    void ask(Stage next, byte[] mad, long now) {
        enter(next, now + all.timing().answerNanos());
        question = mad;
        repeats = all.timing().repeats();
        receiptTaken = false;
        say(mad);
    }

    /** A duplicate has come of what the question answers. */
    void repeat() {
        all.counters().count(Count.DUPLICATES);
        if (question != null) {
            say(question);
        }
    }

    void reject(int message, Reason reason, byte[] information, byte[] privateData) {
        all.counters().count(Count.REJECTIONS);
        say(new CmReject(localId, remoteId, message, reason.number(), information, privateData).encode(transaction));
    }

    void go() {
        enter(Stage.GONE, NEVER);
        all.forget(this);
    }

    void linger(long now) {
        enter(Stage.LINGERING, now + all.timing().lingerNanos());
    }

    // ---- time

    void resolve(long now, long wait) {
        resolveUntil = now + wait + all.timing().placeNanos();
        if (wait > 0) {
            waitUntil(now + wait);
        } else {
            look(now);
        }
    }

    private void look(long now) {
        try {
            Optional<MacAddress> place = all.link().find(ends);
            if (place.isPresent()) {
                mac = place.get();
                resolved(now);
            } else if (now < resolveUntil) {
                waitUntil(now + LOOK_NANOS);
            } else {
                lost(new Refusal(Errno.EHOSTUNREACH, ends.remote() + " does not say where it is on the link."));
            }
        } catch (Refusal refused) {
            lost(refused);
        }
    }

    private void lost(Refusal why) {
        all.counters().count(Count.TIMEOUTS);
        go();
        user.unreachable(why.errno(), why.getMessage());
    }

    boolean isEnding() {
        return stage == Stage.LEAVING || stage == Stage.LINGERING;
    }

    /** Another needs its place: of what ends nothing more is waited for. */
    void hurry() {
        boolean isLeaving = stage == Stage.LEAVING;
        go();
        if (isLeaving) {
            user.disconnected(null, "The connection has ended; the peer did not confirm it.");
        }
    }

    void expire(long now) {
        switch (stage) {
            case RESOLVING -> look(now);
            case LINGERING, GONE -> go();
            default -> {
                if (question == null) {
                    waited(now);
                } else if (repeats-- > 0) {
                    all.counters().count(Count.REPEATED);
                    waitUntil(now + all.timing().answerNanos());
                    say(question);
                } else {
                    all.counters().count(Count.TIMEOUTS);
                    if (stage == Stage.LEAVING) {
                        linger(now);
                        user.disconnected(null, "The connection has ended; the peer did not confirm it.");
                    } else {
                        reject(unanswered(), Reason.TIMEOUT, all.guidBytes(), NOTHING);
                        go();
                        user.unreachable(Errno.ETIMEDOUT, ends.remote() + " did not answer, asked "
                                + (all.timing().repeats() + 1) + " times.");
                    }
                }
            }
        }
    }

    /** The place of the peer is known. */
    abstract void resolved(long now);

    /** The time is over that was waited for without a question. */
    abstract void waited(long now);

    /** Which of its messages has no answer, as rejections number them. */
    abstract int unanswered();

    // ---- messages that mean the same at both ends

    void receipt(CmMessageReceipt receipt, long now) {
        boolean awaited = question != null && !receiptTaken && stage != Stage.LEAVING
                && receipt.message() == (stage == Stage.REQUESTED ? 0 : 1);
        if (awaited) {
            // once for each question, so that no peer can have it wait without end
            receiptTaken = true;
            waitUntil(now + all.timing().answerNanos() + Timing.nanos(receipt.serviceTimeout()));
        } else {
            all.counters().count(Count.DUPLICATES);
        }
    }

    void rejected(CmReject reject, long now) {
        switch (stage) {
            case REQUESTED, REPLIED -> {
                go();
                user.rejected(reject.reason(), reject.privateData());
            }
            case ESTABLISHED, LEAVING -> {
                linger(now);
                user.disconnected(Errno.ECONNRESET, "The peer has forgotten the connection.");
            }
            default -> all.counters().count(Count.STRAYS);
        }
    }

    void disconnect(CmDisconnect message, long now) {
        if (message.remoteQueuePair() != ownPair()) {
            all.counters().count(Count.STRAYS);
            return;
        }
        switch (stage) {
            case REPLIED, ESTABLISHED, LEAVING -> {
                say(new CmDisconnectReply(localId, remoteId, NOTHING).encode(transaction));
                linger(now);
                user.disconnected(null, "The peer has ended the connection.");
            }
            case LINGERING -> {
                all.counters().count(Count.DUPLICATES);
                say(new CmDisconnectReply(localId, remoteId, NOTHING).encode(transaction));
            }
            default -> all.counters().count(Count.STRAYS);
        }
    }

    void disconnected(long now) {
        if (stage == Stage.LEAVING) {
            linger(now);
            user.disconnected(null, "The connection has ended.");
        } else {
            all.counters().count(Count.STRAYS);
        }
    }

    // ---- by the user

    /** Ends it, however far it is; nothing is told of what was not established. */
    public void end(long now) {
        switch (stage) {
            case RESOLVING -> {
                user.cease();
                go();
            }
            case REQUESTED, REPLIED -> {
                user.cease();
                giveUp();
                go();
            }
            case ESTABLISHED -> ask(Stage.LEAVING, new CmDisconnect(localId, remoteId, peerPair, NOTHING)
                    .encode(transaction), now);
            default -> {
                // it ends already
            }
        }
    }

    /** The peer has begun anew with the same queue pair: this connection is one of its past. */
    void stale(long now) {
        switch (stage) {
            case ESTABLISHED, LEAVING, REPLIED -> {
                say(new CmDisconnect(localId, remoteId, peerPair, NOTHING).encode(transaction));
                linger(now);
                user.disconnected(Errno.ECONNRESET, "The peer has begun anew and knows nothing of the connection.");
            }
            default -> {
                // it ends already, or has not begun
            }
        }
    }

    /** Tells the peer that there will be no connection. */
    abstract void giveUp();
}
