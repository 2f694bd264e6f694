package io.manafold.commands.rdma.internal;

import io.manafold.api.adapter.RdmaTrace;
import io.manafold.api.adapter.RdmaTrace.Event;
import io.manafold.api.adapter.RdmaTrace.Failure;
import io.manafold.api.adapter.RdmaTrace.Operation;
import io.manafold.api.adapter.RdmaTrace.Request;
import io.manafold.shell.Fields;
import io.manafold.shell.Numbers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Something that happened on the way of a request.
 *
 * @param nanos since its doorbell
 * @param key what it is to programs
 * @param psn of the first packet that it is about, −1 if it is about none
 * @param packets how many
 * @param lasted nanoseconds from the first to the last of them
 * @param text what it is to people
 * @param failure of an error, or {@code null}
 */
record TraceStep(long nanos, String key, int psn, int packets, long lasted, String text, Failure failure) {
    private static final int PSN_MASK = 0xff_ffff;
    private static final int NO_PACKET = -1;
    private static final double MICRO = 1000;

    private static TraceStep of(long nanos, String key, String text) {
        return new TraceStep(nanos, key, NO_PACKET, 0, 0, text, null);
    }

    /** All that happened to a request, in order. */
    static List<TraceStep> of(Request request) {
        List<TraceStep> steps = new ArrayList<>();
        steps.add(of(0, "doorbell", "doorbell"));
        steps.add(of(request.taken(), "taken", "taken from the ring"));
        if (request.sent() > 0) {
            steps.add(sent(request));
        }
        request.events().forEach(event -> steps.add(of(event, event.nanos())));
        if (request.acknowledged() != RdmaTrace.NEVER) {
            String by = request.operation() == Operation.READ ? "data complete, with PSN %d (the peer counts %s)"
                    : "acknowledged, by PSN %d (the peer counts %s)";
            steps.add(new TraceStep(request.acknowledged(), "acknowledged", request.acknowledgedPsn(), 1, 0,
                    by.formatted(request.acknowledgedPsn(), Numbers.counted(request.messages(), "message")), null));
        }
        if (request.completed() != RdmaTrace.NEVER) {
            steps.add(of(request.completed(), "completion", "completion"));
        }
        // what happened at the same time happened in this order
        steps.sort(Comparator.comparingLong(TraceStep::nanos));
        return steps;
    }

    private static TraceStep sent(Request request) {
        boolean read = request.operation() == Operation.READ;
        long lasted = request.lastSent() - request.firstSent();
        String text = read ? "PSN " + request.firstPsn() + " sent, which asks for "
                + psns(request.firstPsn(), request.packets()) : psns(request.firstPsn(), request.sent()) + " sent"
                        + during(lasted) + (request.sent() < request.packets() ? ", " + request.sent() + " of "
                                + Numbers.counted(request.packets(), "packet") : "");
        return new TraceStep(request.firstSent(), "sent", request.firstPsn(), request.sent(), lasted, text, null);
    }

    /** An event, also one that is about no request. */
    static TraceStep of(Event event, long nanos) {
        String packets = psns(event.psn(), event.packets());
        String text = switch (event.kind()) {
            case SENT_AGAIN -> packets + " sent again" + during(event.lasted());
            case NAK_SEQUENCE -> "PSN " + event.psn() + " is lost: the peer misses it (NAK, PSN sequence error)";
            case NAK_NOT_READY -> "PSN " + event.psn() + " not taken: the peer has no receive and asks to wait "
                    + event.detail() + " us (RNR NAK)";
            case NAK_REFUSED -> "PSN " + event.psn() + " refused by the peer (NAK, " + nak(event.detail()) + ")";
            case DATA_MISSING -> "PSN " + event.psn() + " of the answer is lost: later answers have come";
            case UNANSWERED -> "no answer to PSN " + event.psn() + " in time: it is lost, or the answer is";
            case FAILED -> "completion with error " + error(event.failure());
            case PEER_GAP -> packets + " came and was not taken: PSN " + event.detail()
                    + " before it is lost, and was asked for (NAK)";
            case PEER_AGAIN -> packets + " came again: the peer has missed an answer, or has begun again before it";
            case PEER_NOT_READY -> "no receive for PSN " + event.psn() + ": the peer was asked to wait (RNR NAK)";
            case PEER_REFUSED -> "PSN " + event.psn() + " was refused with error " + error(event.failure());
        };
        return new TraceStep(nanos, event.kind().name().toLowerCase(Locale.ROOT), event.psn(), event.packets(),
                event.lasted(), text, event.failure());
    }

    private static String nak(int syndrome) {
        return switch (syndrome & 0x1f) {
            case 1 -> "invalid request";
            case 2 -> "remote access error";
            case 3 -> "remote operational error";
            default -> "0x" + Integer.toHexString(syndrome);
        };
    }

    private static String error(Failure failure) {
        return "0x%x, %s".formatted(failure.code(), failure.status());
    }

    /** {@code PSN 5}, or {@code PSN 5-9}. */
    static String psns(int first, int count) {
        return "PSN " + first + (count > 1 ? "-" + (first + count - 1 & PSN_MASK) : "");
    }

    private static String during(long lasted) {
        return lasted > 0 ? " within %s us".formatted(micros(lasted)) : "";
    }

    static String micros(long nanos) {
        return String.format(Locale.ROOT, "%.3f", nanos / MICRO);
    }

    Fields fields() {
        Fields fields = Fields.of("event", key).and("ns", nanos == RdmaTrace.NEVER ? null : nanos);
        if (psn != NO_PACKET) {
            fields.and("psn", psn).and("packets", packets).and("lasted_ns", lasted);
        }
        if (failure != null) {
            fields.and("error", "0x%x".formatted(failure.code())).and("status", failure.status())
                    .and("rule", failure.rule()).and("fix", failure.right()).and("memory", failure.memory());
        }
        return fields.and("text", text);
    }
}
