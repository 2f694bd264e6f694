package io.manafold.benchmark;

import io.manafold.adapter.internal.LoopAdapter;
import io.manafold.api.device.PciFunction;
import io.manafold.api.fabric.Link;
import io.manafold.fabric.internal.LoopLink;
import java.util.List;
import java.util.stream.Stream;

/** Two adapters of this process. */
final class OwnAdapters implements TwoAdapters {
    private final LoopLink link = new LoopLink("verbs", List.of("left/1", "right/1", VerbsTraffic.PORT));
    private final LoopAdapter left = LoopAdapter.withRdma("left");
    private final LoopAdapter right = LoopAdapter.withRdma("right");

    OwnAdapters() {
        left.plug(link.link(), "left/1");
        right.plug(link.link(), "right/1");
    }

    Link link() {
        return link.link();
    }

    @Override
    public PciFunction left() {
        return left.function();
    }

    @Override
    public PciFunction right() {
        return right.function();
    }

    @Override
    public List<?> refused() {
        return Stream.concat(left.refused().stream(), right.refused().stream()).toList();
    }

    @Override
    public long allocated() {
        return 0;
    }

    @Override
    public void close() throws InterruptedException {
        left.close();
        right.close();
        link.close();
    }
}
