package io.manafold.fabric.internal;

import io.manafold.api.fabric.Impairments;
import io.manafold.api.fabric.Link;
import java.util.List;

/** The real switch, without a framework around it. */
public final class TestSwitch implements AutoCloseable {
    private final FabricLink link;

    public TestSwitch(String... ports) {
        link = FabricLink.open(new LinkPlan("net", LinkPlan.Kind.SWITCH, List.of(ports), null, Impairments.NONE));
    }

    public Link link() {
        return link;
    }

    @Override
    public void close() {
        link.close();
    }
}
