package io.manafold.rdma.internal.connection;

import io.manafold.api.rdma.Gid;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.rdma.internal.connection.CmCounters.Count;
import io.manafold.roce.cm.CmAddresses;
import io.manafold.roce.cm.CmDisconnect;
import io.manafold.roce.cm.CmDisconnectReply;
import io.manafold.roce.cm.CmMessageReceipt;
import io.manafold.roce.cm.CmPathRefusal;
import io.manafold.roce.cm.CmReadyToUse;
import io.manafold.roce.cm.CmReject;
import io.manafold.roce.cm.CmReject.Reason;
import io.manafold.roce.cm.CmReply;
import io.manafold.roce.cm.CmRequest;
import io.manafold.roce.cm.Mad;
import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.function.IntSupplier;

/**
 * All connections of a device: who a message is for, and when something is due. A message counts for a connection only
 * if it comes from the address of its peer to its own and names the numbers of both ends. What a peer can have kept
 * here is bounded by the backlogs of listeners and by what their users accept. For one thread, which passes the time
 * in.
 */
public final class Exchanges {
    /** Of all together. */
    public static final int MOST = 4096;

    private static final byte[] NOTHING = {};

    private final Link link;
    private final Timing timing;
    private final IntSupplier numbers;
    private final CmCounters counters = new CmCounters();
    private final ExchangeTable table;
    private final TreeSet<Exchange> due = new TreeSet<>(Comparator.comparingLong(Exchange::deadline)
            .thenComparingInt(exchange -> exchange.localId));

    /** @param numbers by which connections are known; not to be guessed by others */
    public Exchanges(Link link, Timing timing, IntSupplier numbers) {
        this.link = link;
        this.timing = timing;
        this.numbers = numbers;
        table = new ExchangeTable(numbers);
    }

    Link link() {
        return link;
    }

    Timing timing() {
        return timing;
    }

    public CmCounters counters() {
        return counters;
    }

    /** How many there are, those included that linger. */
    public int size() {
        return table.size();
    }

    byte[] guidBytes() {
        return ByteBuffer.allocate(Long.BYTES).putLong(link.guid()).array();
    }

    // ---- time

    /** When {@link #expire} has something to do. */
    public long deadline() {
        return due.isEmpty() ? Exchange.NEVER : due.first().deadline();
    }

    /** Does what is due, at most so much. */
    public int expire(long now, int most) {
        int count = 0;
        for (; count < most && deadline() <= now; count++) {
            due.first().expire(now);
        }
        return count;
    }

    void reschedule(Exchange exchange, Runnable change) {
        due.remove(exchange);
        change.run();
        if (exchange.deadline() != Exchange.NEVER) {
            due.add(exchange);
        }
    }

    // ---- what there is

    /** False if the peer's queue pair has another connection here. */
    boolean claimPair(Exchange exchange) {
        return table.claimPair(exchange);
    }

    void forget(Exchange exchange) {
        table.remove(exchange);
    }

    /**
     * Whether there may be one more. A peer that never confirms the end of its connections has them stay for a minute:
     * where there are too many those are forgotten that end anyway.
     */
    private boolean hasRoom() {
        if (table.size() >= MOST) {
            due.stream().filter(Exchange::isEnding).findFirst().ifPresent(Exchange::hurry);
        }
        return table.size() < MOST;
    }

    /** All of them, at the end. */
    public List<Exchange> all() {
        return table.all();
    }

    /**
     * Asks for a connection.
     *
     * @param request whose {@code localId} does not count
     * @param wait nanoseconds before the peer is asked
     * @throws Refusal {@code ENOBUFS} if there are too many
     */
    public ActiveSide connect(AddressPair ends, CmRequest request, ExchangeListener outcome, long now, long wait) {
        if (!hasRoom()) {
            throw new Refusal(Errno.ENOBUFS, "A device has at most " + MOST + " connections; close some.");
        }
        int id = table.newId();
        CmRequest named = new CmRequest(id, request.serviceId(), request.nodeGuid(), request.endpoint(), request.path(),
                request.transport(), request.remoteTimeout(), request.localTimeout(), request.retries(),
                request.messageRetries(), request.privateData());
        ActiveSide asking = new ActiveSide(this, ends, named, Integer.toUnsignedLong(numbers.getAsInt()) << 32 | id
                & 0xffff_ffffL);
        asking.user.to(outcome);
        table.add(asking);
        asking.resolve(now, wait);
        return asking;
    }

    // ---- messages

    /** A datagram has come; {@code null} for one that was none. */
    public void datagram(Gid from, Gid to, byte[] mad, long now) {
        counters.count(Count.RECEIVED);
        try {
            if (mad == null) {
                throw new Refusal(Errno.EPROTO, "no datagram");
            }
            message(new AddressPair(to, from), Mad.decode(mad), mad, now);
        } catch (Refusal garbage) {
            counters.count(Count.GARBAGE);
        }
    }

    private void message(AddressPair ends, Mad head, byte[] mad, long now) {
        switch (head.attribute()) {
            case Mad.REQUEST -> request(ends, CmRequest.decode(mad), head.transaction(), now);
            case Mad.REPLY -> reply(ends, CmReply.decode(mad), head.transaction(), now);
            case Mad.READY_TO_USE -> {
                CmReadyToUse ready = CmReadyToUse.decode(mad);
                if (find(ends, ready.remoteId(), ready.localId()) instanceof PassiveSide asked) {
                    asked.ready(ready);
                } else {
                    counters.count(Count.STRAYS);
                }
            }
            case Mad.MESSAGE_RECEIPT -> {
                CmMessageReceipt receipt = CmMessageReceipt.decode(mad);
                Exchange exchange = find(ends, receipt.remoteId(), receipt.localId());
                if (exchange != null) {
                    exchange.receipt(receipt, now);
                }
            }
            case Mad.REJECT -> reject(ends, CmReject.decode(mad), now);
            case Mad.DISCONNECT -> disconnect(ends, CmDisconnect.decode(mad), head.transaction(), now);
            case Mad.DISCONNECT_REPLY -> {
                CmDisconnectReply reply = CmDisconnectReply.decode(mad);
                Exchange exchange = find(ends, reply.remoteId(), reply.localId());
                if (exchange != null) {
                    exchange.disconnected(now);
                }
            }
            case Mad.LOAD_PATH -> {
                CmPathRefusal.Ids ids = CmPathRefusal.ids(mad);
                if (find(ends, ids.remoteId(), ids.localId()) != null) {
                    link.answer(ends, CmPathRefusal.encode(ids.remoteId(), ids.localId(), head.transaction()));
                }
            }
            default -> throw new Refusal(Errno.EPROTO, "attribute");
        }
    }

    /** The one with this number, if the peer is its peer and calls it so or has not said yet how; else {@code null}. */
    private Exchange find(AddressPair ends, int localId, int remoteId) {
        Exchange exchange = table.find(localId);
        if (exchange == null || !exchange.ends.equals(ends) || exchange.remoteId != 0
                && exchange.remoteId != remoteId) {
            counters.count(Count.STRAYS);
            return null;
        }
        return exchange;
    }

    private void reply(AddressPair ends, CmReply reply, long transaction, long now) {
        Exchange exchange = table.find(reply.remoteId());
        if (exchange instanceof ActiveSide asking && exchange.ends.equals(ends)) {
            asking.replied(reply, now);
        } else {
            counters.count(Count.STRAYS);
            answerReject(ends, reply.remoteId(), reply.localId(), 1, Reason.INVALID_COMMUNICATION_ID, transaction);
        }
    }

    private void reject(AddressPair ends, CmReject reject, long now) {
        Exchange exchange;
        if (reject.reason() == Reason.TIMEOUT.number() && reject.remoteId() == 0) {
            // who gives up a request does not know yet what it is called here
            exchange = reject.information().length < Long.BYTES ? null
                    : table.ofRequest(ends, ByteBuffer.wrap(reject.information()).getLong(), reject.localId());
            exchange = exchange != null && exchange.ends.equals(ends) ? exchange : null;
        } else {
            exchange = table.find(reject.remoteId());
            boolean known = exchange != null && exchange.ends.equals(ends)
                    && (exchange.remoteId == 0 || reject.localId() == 0 || exchange.remoteId == reject.localId());
            exchange = known ? exchange : null;
        }
        if (exchange == null) {
            counters.count(Count.STRAYS);
        } else {
            exchange.rejected(reject, now);
        }
    }

    private void disconnect(AddressPair ends, CmDisconnect message, long transaction, long now) {
        Exchange exchange = find(ends, message.remoteId(), message.localId());
        if (exchange != null) {
            exchange.disconnect(message, now);
        } else {
            // an end that has forgotten helps the other to forget
            link.answer(ends, new CmDisconnectReply(message.remoteId(), message.localId(), NOTHING)
                    .encode(transaction));
        }
    }

    private void answerReject(AddressPair ends, int localId, int remoteId, int message, Reason reason,
            long transaction) {
        counters.count(Count.REJECTIONS);
        link.answer(ends, new CmReject(localId, remoteId, message, reason.number(), NOTHING, NOTHING)
                .encode(transaction));
    }

    private void request(AddressPair ends, CmRequest request, long transaction, long now) {
        PassiveSide before = table.ofRequest(ends, request.nodeGuid(), request.localId());
        if (before != null) {
            before.again();
            return;
        }
        Reason refused = RequestRules.judge(link, ends, request);
        CmAddresses addresses = refused != null ? null : CmAddresses.decode(request.privateData());
        Backlog backlog = addresses == null ? null
                : link.listener(ends.local(), CmAddresses.port(request.serviceId(), CmAddresses.PORTS_TCP));
        if (refused == null) {
            refused = backlog == null ? Reason.INVALID_SERVICE_ID : refuse(ends, request, now);
        }
        if (refused == null && !backlog.enter()) {
            refused = Reason.NO_RESOURCES;
        } else if (refused == null && !hasRoom()) {
            backlog.leave();
            refused = Reason.NO_RESOURCES;
        }
        if (refused != null) {
            answerReject(ends, 0, request.localId(), 0, refused, transaction);
            return;
        }
        PassiveSide asked = new PassiveSide(this, ends, table.newId(), transaction, request, addresses, backlog);
        table.add(asked);
        table.claimPair(asked);
        asked.resolve(now, 0);
    }

    /**
     * A queue pair of the peer that has a connection here has begun anew: the peer is to wait until this end has
     * forgotten.
     */
    private Reason refuse(AddressPair ends, CmRequest request, long now) {
        Exchange past = table.ofPair(ends, request);
        if (past == null) {
            return null;
        }
        counters.count(Count.STALE);
        past.stale(now);
        return Reason.STALE_CONNECTION;
    }
}
