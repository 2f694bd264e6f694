package io.manafold.fabric.internal;

import io.manafold.agent.Agent;
import io.manafold.api.fabric.Impairments;
import io.manafold.api.fabric.Link;
import io.manafold.benchmark.Awake;
import java.util.List;

/** A switch as the framework would make it, without the framework. */
public final class LoopLink implements AutoCloseable {
    private final FabricLink link;
    private final Awake awake;

    public LoopLink(String name, List<String> ports) {
        link = FabricLink.open(new LinkPlan(name, LinkPlan.Kind.SWITCH, ports, null, Impairments.NONE));
        awake = new Awake(link.agent());
    }

    public Link link() {
        return link;
    }

    public Agent agent() {
        return link.agent();
    }

    @Override
    public void close() throws InterruptedException {
        awake.close();
        link.close();
    }
}
