package io.manafold.netshaper.internal.serve;

import io.manafold.api.refusal.Refusal;
import io.manafold.netshaper.internal.wire.Complaint;
import io.manafold.netshaper.internal.wire.MessageWriter;
import io.manafold.netshaper.internal.wire.Netlink;

/** Acknowledgements and refusals. */
final class Answers {
    private static final int LONGEST_TEXT = 1_000;

    private Answers() {
    }

    static byte[] done(byte[] request, Caller caller) {
        return begin(request, caller, 0, true, false).end().bytes();
    }

    static byte[] refused(byte[] request, Caller caller, Refusal refusal) {
        MessageWriter writer = begin(request, caller, -refusal.errno().number(), caller.capped(), caller.extended());
        if (caller.extended()) {
            String text = refusal.getMessage();
            writer.text(Netlink.ERROR_TEXT, text.length() > LONGEST_TEXT ? text.substring(0, LONGEST_TEXT) : text);
            if (refusal instanceof Complaint complaint) {
                complaint.write(writer);
            }
        }
        return writer.end().bytes();
    }

    private static MessageWriter begin(byte[] request, Caller caller, int error, boolean capped, boolean attributes) {
        int flags = (capped ? Netlink.CAPPED : 0) | (attributes ? Netlink.WITH_ATTRIBUTES : 0);
        return new MessageWriter().begin(Netlink.ERROR, flags, Netlink.get32(request, 8), caller.port()).number(error)
                .raw(request, 0, capped ? Netlink.HEADER : request.length);
    }
}
