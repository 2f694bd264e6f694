package io.manafold.fabric.internal;

import io.manafold.api.fabric.CaptureStatus;
import io.manafold.api.fabric.Impairments;
import io.manafold.api.fabric.Link;
import io.manafold.api.fabric.LinkStatus;
import io.manafold.api.fabric.PacketRule;
import java.nio.file.Path;
import java.util.List;

/** A link for tests of what plugs into it: it is not shown, impaired or captured. */
public abstract class LinkWithoutViews implements Link {
    @Override
    public LinkStatus status() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void impair(Impairments impairments) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void impair(PacketRule rule) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void clearRules() {
        throw new UnsupportedOperationException();
    }

    @Override
    public CaptureStatus startCapture(Path file, int snap, long count) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CaptureStatus stopCapture(Path file) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<CaptureStatus> captures() {
        return List.of();
    }
}
