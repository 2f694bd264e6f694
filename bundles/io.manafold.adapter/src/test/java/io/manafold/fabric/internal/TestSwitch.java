package io.manafold.fabric.internal;

import io.manafold.api.fabric.Impairments;
import io.manafold.api.fabric.Link;
import io.manafold.api.fabric.Queueing;
import java.util.List;

/** The real switch, without a framework around it. */
public final class TestSwitch implements AutoCloseable {
    private final FabricLink link;

    public TestSwitch(String... ports) {
        this(null, ports);
    }

    /** @param queueing how frames wait, or {@code null} if they do not */
    public TestSwitch(Queueing queueing, String... ports) {
        link = FabricLink.open(new LinkPlan("net", LinkPlan.Kind.SWITCH, List.of(ports), null, Impairments.NONE,
                queueing));
    }

    public Link link() {
        return link;
    }

    @Override
    public void close() {
        link.close();
    }
}
