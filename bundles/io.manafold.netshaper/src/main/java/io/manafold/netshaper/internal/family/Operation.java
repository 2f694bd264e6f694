package io.manafold.netshaper.internal.family;

import io.manafold.api.shaper.ShaperOperation;
import java.util.List;
import java.util.Optional;

/**
 * One operation of the family.
 *
 * @param set what its attributes are of
 * @param request what it takes; {@code null} if it is for dumps only
 * @param dump what it takes for a dump; {@code null} if it has none
 * @param reply what it answers, in order; empty if it only acknowledges
 */
public record Operation(int id, String name, AttributeSet set, boolean admin, Request request, Request dump,
        List<Attribute> reply, String about) implements ShaperOperation {
    /**
     * The attributes of a request.
     *
     * @param bound the highest number that is known here, if not taken
     */
    public record Request(List<Attribute> attributes, int bound) {
        public boolean takes(Attribute attribute) {
            return attributes.contains(attribute);
        }
    }

    @Override
    public List<Attribute> takes() {
        return request == null ? List.of() : request.attributes();
    }

    @Override
    public List<Attribute> answers() {
        return reply;
    }

    /** What it takes one way or the other. */
    public Optional<Request> request(boolean dumps) {
        return Optional.ofNullable(dumps ? dump : request);
    }

    /** The flags by which the controller describes it: privilege, do, dump, checked by rules. */
    public int flags() {
        return (admin ? 1 : 0) | (request == null ? 0 : 2) | (dump == null ? 0 : 4) | 8;
    }
}
