package io.manafold.fabric.internal;

import io.manafold.api.fabric.Impairments;
import io.manafold.api.fabric.Link;
import java.util.List;

/** A switch as the framework would make it, without the framework. */
public final class BareSwitch implements AutoCloseable {
    private final FabricLink link;

    public BareSwitch(String name, String... ports) {
        link = FabricLink.open(new LinkPlan(name, LinkPlan.Kind.SWITCH, List.of(ports), null, Impairments.NONE));
    }

    public Link link() {
        return link;
    }

    @Override
    public void close() {
        link.close();
    }
}
