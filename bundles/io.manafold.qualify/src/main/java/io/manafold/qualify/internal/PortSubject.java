package io.manafold.qualify.internal;

import io.manafold.api.adapter.Adapter;
import io.manafold.api.qualify.Engine;
import io.manafold.api.qualify.QualificationPlan;
import io.manafold.api.qualify.Unit;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Two ports in poll mode: each size with each burst and each number of queues. */
final class PortSubject implements Subject {
    private final QualificationPlan plan;
    private final PollPorts ports;
    private final PollTrials trials;
    private final PollChoice choice;
    private final Adapter adapter;
    private final FrameSizes sizes;

    /** @param adapter that is taken away and put back, or {@code null} */
    PortSubject(QualificationPlan plan, PollPorts ports, PollChoice choice, Adapter adapter) {
        if (adapter != null && !ports.isOf(adapter.address().toString())) {
            throw new Refusal(Errno.EINVAL, "The adapter " + adapter.name() + " has neither port that is measured: "
                    + "name the one of " + choice.from().device() + " or " + choice.to().device() + ".");
        }
        this.plan = plan;
        this.ports = ports;
        this.choice = choice;
        this.adapter = adapter;
        trials = new PollTrials(ports, plan.slice());
        sizes = FrameSizes.of(plan.sizes(), ports.mtu(), choice.from().device() + " and " + choice.to().device()
                + " have " + ports.mtu());
    }

    @Override
    public Engine engine() {
        return Engine.PMD;
    }

    @Override
    public void describe(Map<String, String> setup) {
        setup.put("from", choice.from().device());
        setup.put("to", choice.to().device());
        setup.put("driver", ports.from().info().driver());
        setup.put("mtu", String.valueOf(ports.mtu()));
        setup.put("polling cores", "1, which takes turns with the link");
        setup.put("bursts", text(plan.bursts()));
        setup.put("queues", text(plan.queues()));
    }

    private static String text(List<Integer> numbers) {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    @Override
    public Map<String, String> leftOut() {
        return sizes.leftOut();
    }

    @Override
    public void warmUp() throws InterruptedException {
        try {
            ports.use(Collections.max(plan.queues()));
            int burst = Collections.max(plan.bursts());
            WarmUp.run(sizes.fitting(), size -> trials.send(size, burst, 0));
            WarmUp.work(sizes.fitting(), size -> trials.send(size, burst, 0));
        } catch (Refusal refused) {
            // the first measurement says so
        }
    }

    @Override
    public void round(Steps steps) throws InterruptedException {
        for (int queues : plan.queues()) {
            for (int burst : plan.bursts()) {
                String with = "-b" + burst + "-q" + queues;
                for (int size : sizes.fitting()) {
                    steps.take("rate-" + size + with, () -> rate(size, burst, queues));
                }
                if (!sizes.fitting().isEmpty()) {
                    steps.take("allocated" + with, () -> allocated(sizes.fitting().getFirst(), burst, queues));
                }
            }
        }
        if (adapter != null) {
            steps.take("servicing-gap", this::gap);
        }
    }

    private List<Value> rate(int size, int burst, int queues) throws InterruptedException {
        ports.use(queues);
        return Subject.values(Bisection.search(rate -> trials.send(size, burst, rate)), size, burst, queues);
    }

    private List<Value> allocated(int size, int burst, int queues) throws InterruptedException {
        ports.use(queues);
        return List.of(new Value("allocated", 0, burst, queues, Unit.BYTES_PER_PACKET, trials.allocated(size, burst)));
    }

    private List<Value> gap() throws InterruptedException {
        ports.use(plan.queues().getFirst());
        return List.of(new Value("servicing-gap", 0, Unit.SECONDS, trials.gap(adapter)));
    }

    @Override
    public void close() {
        ports.close();
    }
}
