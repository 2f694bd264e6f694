package io.manafold.commands.rdma.internal;

import io.manafold.shell.Call;
import java.util.Locale;

/** Says once a second how it goes, beside the table, for people who wait. */
final class MeasureProgress implements Measuring.Progress {
    private final Call call;
    private final MeasurePlan plan;
    private long before;

    MeasureProgress(Call call, MeasurePlan plan) {
        this.call = call;
        this.plan = plan;
    }

    @Override
    public void at(long nanos, long completed) {
        long now = completed - before;
        before = completed;
        if (plan.isTimed() && !call.json()) {
            call.err().println(String.format(Locale.ROOT, "%d of %d s: %d messages a second, %.2f MiB/sec",
                    nanos / 1_000_000_000, plan.seconds(), now, now * (double) plan.size() / (1 << 20)));
        }
    }
}
