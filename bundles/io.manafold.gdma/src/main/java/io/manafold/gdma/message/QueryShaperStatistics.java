package io.manafold.gdma.message;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.Command;
import java.util.ArrayList;
import java.util.List;

/**
 * Asks what shapers have done, in the order of their scopes and ids.
 *
 * @param scope of the first that is asked for, whether it is there or not; so is {@code id}
 */
public record QueryShaperStatistics(long vport, int scope, int id) implements Request<QueryShaperStatistics.Result> {
    /** As many as one answer tells of: fewer say that there are no more. */
    public static final int MOST = 64;

    private static final int FIRST = 0x30;
    private static final int ENTRY = 48;

    public static QueryShaperStatistics decode(Message message) {
        message.require(Command.QUERY_SHAPER_STATISTICS.requestSize(), Command.QUERY_SHAPER_STATISTICS);
        return new QueryShaperStatistics(message.i64(0x28), message.i32(0x30), message.i32(0x34));
    }

    @Override
    public Command command() {
        return Command.QUERY_SHAPER_STATISTICS;
    }

    @Override
    public void encode(Message message) {
        message.put64(0x28, vport).put32(0x30, scope).put32(0x34, id);
    }

    @Override
    public Result answer(Message message) {
        return Result.decode(message);
    }

    /** What one shaper has done since it is there; see {@link io.manafold.gdma.message.ShaperValues} for its name. */
    public record Entry(int scope, int id, long packets, long bytes, long heldNanos, long queued, long dropped) {
    }

    /** What they have done. */
    public record Result(List<Entry> entries) implements Response {
        public Result {
            entries = List.copyOf(entries);
        }

        public static Result decode(Message message) {
            int count = message.i32(0x20);
            if (count < 0 || count > MOST) {
                throw new Refusal(Errno.EPROTO, "An answer about " + Integer.toUnsignedString(count)
                        + " shapers has room for " + MOST + "; look after the device.");
            }
            List<Entry> entries = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                int at = FIRST + i * ENTRY;
                entries.add(new Entry(message.i32(at), message.i32(at + 0x04), message.i64(at + 0x08),
                        message.i64(at + 0x10), message.i64(at + 0x18), message.i64(at + 0x20),
                        message.i64(at + 0x28)));
            }
            return new Result(entries);
        }

        @Override
        public void encode(Message message) {
            message.put32(0x20, entries.size());
            for (int i = 0; i < entries.size(); i++) {
                int at = FIRST + i * ENTRY;
                Entry one = entries.get(i);
                message.put32(at, one.scope).put32(at + 0x04, one.id).put64(at + 0x08, one.packets)
                        .put64(at + 0x10, one.bytes).put64(at + 0x18, one.heldNanos).put64(at + 0x20, one.queued)
                        .put64(at + 0x28, one.dropped);
            }
        }
    }
}
