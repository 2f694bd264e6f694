package io.manafold.adapter.internal;

import io.manafold.adapter.internal.queue.Rejections;
import io.manafold.api.adapter.Rejection;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** What was refused last. A driver can fill it, not grow it. */
final class RejectionLog implements Rejections {
    private static final int MOST = 64;
    private static final int MOST_BYTES = 128;

    private final ArrayDeque<Entry> entries = new ArrayDeque<>();
    private final AdapterEvents events;
    private long total;

    RejectionLog() {
        this(AdapterEvents.NONE);
    }

    RejectionLog(AdapterEvents events) {
        this.events = events;
    }

    @Override
    public void note(String where, byte[] bytes, String rule, String right, String consequence) {
        keep(where, bytes, rule, right, consequence);
        events.refused(where, rule, consequence);
    }

    private synchronized void keep(String where, byte[] bytes, String rule, String right, String consequence) {
        total++;
        Entry last = entries.peekLast();
        if (last != null && last.where.equals(where) && last.rule.equals(rule)) {
            last.times++;
            return;
        }
        if (entries.size() == MOST) {
            entries.removeFirst();
        }
        String digits = HexFormat.of().formatHex(bytes, 0, Math.min(bytes.length, MOST_BYTES));
        entries.addLast(new Entry(Instant.now(), where, digits, rule, right, consequence));
    }

    synchronized List<Rejection> all() {
        List<Rejection> all = new ArrayList<>(entries.size());
        for (Entry entry : entries) {
            all.add(new Rejection(entry.time, entry.where, entry.bytes, entry.rule, entry.right, entry.consequence,
                    entry.times));
        }
        return all;
    }

    /** How many there were, also those that are forgotten. */
    synchronized long total() {
        return total;
    }

    synchronized void forget() {
        entries.clear();
    }

    private static final class Entry {
        final Instant time;
        final String where;
        final String bytes;
        final String rule;
        final String right;
        final String consequence;
        long times = 1;

        Entry(Instant time, String where, String bytes, String rule, String right, String consequence) {
            this.time = time;
            this.where = where;
            this.bytes = bytes;
            this.rule = rule;
            this.right = right;
            this.consequence = consequence;
        }
    }
}
