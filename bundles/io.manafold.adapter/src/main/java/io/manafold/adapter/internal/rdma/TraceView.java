package io.manafold.adapter.internal.rdma;

import io.manafold.api.adapter.RdmaQueuePair;
import io.manafold.api.adapter.RdmaTrace;
import io.manafold.api.adapter.RdmaTrace.Event;
import io.manafold.api.adapter.RdmaTrace.Failure;
import io.manafold.api.adapter.RdmaTrace.Kind;
import io.manafold.api.adapter.RdmaTrace.Operation;
import io.manafold.api.adapter.RdmaTrace.Request;
import io.manafold.gdma.VendorError;
import io.manafold.gdma.WorkStatus;
import io.manafold.roce.Psn;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A {@link Trace} for people to look at, read while its agent writes. */
final class TraceView {
    private static final Kind[] KINDS = Kind.values();
    /** In the order of {@link io.manafold.roce.Operation}. */
    private static final Operation[] OPERATIONS = {Operation.SEND, Operation.SEND_WITH_IMMEDIATE,
            Operation.SEND_WITH_INVALIDATE,
        Operation.WRITE, Operation.WRITE_WITH_IMMEDIATE, Operation.READ};
    private static final int DETAIL_BITS = 32;
    private static final int PSN_BITS = 24;
    private static final long NOTHING = Long.MIN_VALUE;

    private final ClockReading moment;
    private final List<long[]> answers;
    private final List<Seen> events;
    private final List<long[]> requests;

    private TraceView(Trace trace, ClockReading moment) {
        this.moment = moment;
        // what was acknowledged was sent before, and what has happened has happened to what was taken: so they are read
        // in this order
        answers = copies(trace.answers().words(), TracedAnswers.WORDS);
        events = events(trace.events());
        requests = copies(trace.requests().words(), TracedRequests.WORDS);
        // when some acknowledgements have been replaced meanwhile, it is not known what became of the requests before
        // those that are left
        requests.removeIf(request -> !answers.isEmpty() && answers.getFirst()[0] > 1
                && request[0] < answers.getFirst()[TracedAnswers.FROM]);
    }

    /** An event that was copied out, and what was noted of it. */
    private record Seen(long[] words, String note) {
        long number() {
            return words[0];
        }
    }

    /** @param most of the last requests; those that have failed come in addition */
    static RdmaTrace of(RdmaQueuePair pair, boolean ended, Trace trace, int most, ClockReading moment) {
        return new TraceView(trace, moment).all(pair, ended, most);
    }

    private static List<long[]> copies(TracedWords words, int length) {
        List<long[]> found = new ArrayList<>();
        for (int place = 0; place < words.entries(); place++) {
            long[] copy = new long[length];
            if (words.copy(place, copy)) {
                found.add(copy);
            }
        }
        found.sort(Comparator.comparingLong(copy -> copy[0]));
        return found;
    }

    private static List<Seen> events(TracedEvents from) {
        List<Seen> found = new ArrayList<>();
        for (int place = 0; place < from.words().entries(); place++) {
            long[] copy = new long[TracedEvents.WORDS];
            if (from.words().copy(place, copy)) {
                found.add(new Seen(copy, from.note(place, copy)));
            }
        }
        found.sort(Comparator.comparingLong(Seen::number));
        return found;
    }

    private RdmaTrace all(RdmaQueuePair pair, boolean ended, int most) {
        long last = NOTHING;
        Map<Long, List<Event>> about = new HashMap<>();
        List<long[]> shown = shown(most);
        Map<Long, Long> doorbells = new HashMap<>();
        shown.forEach(request -> doorbells.put(request[0], request[TracedRequests.DOORBELL]));
        long newest = requests.isEmpty() ? 0 : requests.getLast()[0];
        List<Event> others = new ArrayList<>();
        for (Seen seen : events) {
            long request = seen.words[TracedEvents.REQUEST];
            last = later(last, seen.words[TracedEvents.TIME]
                    + (seen.words[TracedEvents.PACKETS] & TracedRequests.SPAN_MASK));
            Long doorbell = doorbells.get(request);
            if (doorbell != null) {
                about.computeIfAbsent(request, _ -> new ArrayList<>()).add(event(seen, doorbell));
            } else if (request == 0 || request > newest) {
                others.add(event(seen, NOTHING));
            }
        }
        for (long[] request : requests) {
            last = later(last, lastOf(request));
        }
        return new RdmaTrace(pair, ended, last == NOTHING ? null : moment.at(last),
                shown.stream().map(request -> request(request, about.getOrDefault(request[0], List.of()))).toList(),
                others);
    }

    /** The last ones, and one that has failed even if others were posted behind it. */
    private List<long[]> shown(int most) {
        Set<Long> failed = new HashSet<>();
        for (Seen seen : events) {
            if (most > 0 && kind(seen) == Kind.FAILED) {
                failed.add(seen.words[TracedEvents.REQUEST]);
            }
        }
        List<long[]> shown = new ArrayList<>();
        for (int i = 0; i < requests.size(); i++) {
            if (i >= requests.size() - most || failed.contains(requests.get(i)[0])) {
                shown.add(requests.get(i));
            }
        }
        return shown;
    }

    private static Kind kind(Seen seen) {
        return KINDS[(int) (seen.words[TracedEvents.WHAT] >>> DETAIL_BITS) >>> PSN_BITS];
    }

    private static long later(long one, long other) {
        return one == NOTHING || other - one > 0 ? other : one;
    }

    /** When something was done about a request last. */
    private long lastOf(long[] request) {
        long[] answer = answer(request[0]);
        if (answer != null) {
            return answer[TracedAnswers.TOLD] == 0 ? answer[TracedAnswers.TIME] : answer[TracedAnswers.TOLD];
        }
        return TracedRequests.sent(request) == 0 ? request[TracedRequests.TAKEN] : TracedRequests.lastSent(request);
    }

    /** The acknowledgement of a request, {@code null} if there is none. */
    private long[] answer(long request) {
        for (long[] answer : answers) {
            if (answer[TracedAnswers.FROM] <= request && request <= answer[TracedAnswers.TO]) {
                return answer;
            }
        }
        return null;
    }

    private static long span(long word) {
        return word & TracedRequests.SPAN_MASK;
    }

    private Request request(long[] words, List<Event> about) {
        long doorbell = words[TracedRequests.DOORBELL];
        int what = (int) (words[TracedRequests.PACKETS] >>> DETAIL_BITS);
        int sent = TracedRequests.sent(words);
        long[] answer = answer(words[0]);
        long told = answer == null ? 0 : answer[TracedAnswers.TOLD];
        return new Request(words[0], moment.at(doorbell), OPERATIONS[what >>> PSN_BITS],
                (int) (words[TracedRequests.LENGTH] >>> DETAIL_BITS), (int) words[TracedRequests.LENGTH],
                what & Psn.MASK, (int) words[TracedRequests.PACKETS], words[TracedRequests.TAKEN] - doorbell, sent == 0
                ? RdmaTrace.NEVER : TracedRequests.firstSent(words) - doorbell, sent == 0 ? RdmaTrace.NEVER
                : TracedRequests.lastSent(words) - doorbell, sent, answer == null ? RdmaTrace.NEVER
                : answer[TracedAnswers.TIME] - doorbell, answer == null ? 0
                : (int) (answer[TracedAnswers.ANSWER] >>> DETAIL_BITS), answer == null ? 0
                : (int) answer[TracedAnswers.ANSWER], told == 0 ? RdmaTrace.NEVER : told - doorbell, about);
    }

    private Event event(Seen seen, long doorbell) {
        long[] words = seen.words;
        int what = (int) (words[TracedEvents.WHAT] >>> DETAIL_BITS);
        Kind kind = kind(seen);
        int detail = (int) words[TracedEvents.WHAT];
        boolean failed = kind == Kind.FAILED || kind == Kind.PEER_REFUSED;
        return new Event(kind, moment.at(words[TracedEvents.TIME]), doorbell == NOTHING ? RdmaTrace.NEVER
                : words[TracedEvents.TIME] - doorbell, what & Psn.MASK,
                (int) (words[TracedEvents.PACKETS] >>> TracedRequests.SPAN_BITS), span(words[TracedEvents.PACKETS]),
                failed ? 0 : detail, failed ? failure(detail, seen.note) : null);
    }

    private static Failure failure(int code, String note) {
        VendorError error = VendorError.of(code);
        WorkStatus status = VendorError.status(code);
        return new Failure(code, status.label(), error == null ? "" : error.rule(), error == null ? ""
                : error.right(), note);
    }
}
