package io.manafold.commands.net.internal;

import io.manafold.api.net.ByteQueueLimit;
import io.manafold.api.net.NetDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.shell.Fields;
import io.manafold.shell.Numbers;
import io.manafold.shell.UsageError;
import java.util.List;

/** The limit of the bytes that a send queue has under way, by the names that Linux has for it. */
final class ByteLimits {
    static final String MIN = "limit_min";
    static final String MAX = "limit_max";
    static final String HOLD = "hold_time";
    private static final String HIGHEST = "max";
    private static final int MOST = 1_879_048_192;

    private ByteLimits() {
    }

    static String name(ByteQueueLimit limit) {
        return "tx-" + limit.queue();
    }

    static ByteQueueLimit find(NetDevice device, String queue) {
        List<ByteQueueLimit> all = device.byteQueueLimits();
        return all.stream().filter(limit -> name(limit).equals(queue)).findFirst()
                .orElseThrow(() -> new Refusal(Errno.ENOENT, device.name() + " has no send queue '" + queue + "'"
                        + (all.isEmpty() ? "." : ": they are tx-0 to " + name(all.getLast()) + ".")));
    }

    static Fields fields(ByteQueueLimit limit) {
        return Fields.of("queue", name(limit)).and("limit", limit.limit()).and(MIN, limit.min())
                .and(MAX, limit.max()).and(HOLD, limit.holdTime()).and("inflight", limit.inFlight())
                .and("reached", limit.reached());
    }

    static void change(NetDevice device, ByteQueueLimit limit, IpWords words) {
        int min = limit.min();
        int max = limit.max();
        int hold = limit.holdTime();
        while (!words.isEmpty()) {
            String word = words.take();
            switch (word) {
                case MIN -> min = bytes(word, words.valueOf(word));
                case MAX -> max = bytes(word, words.valueOf(word));
                case HOLD -> hold = words.number(word);
                default -> throw UsageError.unknown("limit", word, List.of(MIN, MAX, HOLD));
            }
        }
        device.setByteQueueLimit(limit.queue(), min, max, hold);
    }

    private static int bytes(String word, String text) {
        return text.equals(HIGHEST) ? MOST : Numbers.whole(word, text, 0, Integer.MAX_VALUE);
    }
}
