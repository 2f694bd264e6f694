package io.manafold.fabric.internal;

import io.manafold.api.fabric.Frames;
import io.manafold.packet.PauseFrame;
import java.util.Map;

/** Two ends: what enters at one leaves at the other, but for pause frames, which only a link may send to a port. */
final class Cable implements Forwarding {
    private static final int HEADER = 14;

    private final Jack one;
    private final Jack other;
    private final Delivery delivery;
    private final Counters counters;
    private final FrameAddresses heading = new FrameAddresses();

    Cable(Jack one, Jack other, Delivery delivery, Counters counters) {
        this.one = one;
        this.other = other;
        this.delivery = delivery;
        this.counters = counters;
    }

    @Override
    public void forward(Jack from, Frames frames, int begin, int end) {
        Jack to = from == one ? other : one;
        int start = begin;
        boolean passes = false;
        for (int frame = begin; frame < end; frame++) {
            if (passes && frames.repeats(frame)) {
                continue;
            }
            passes = !isPause(frames, frame);
            if (!passes) {
                counters.filtered.add(1);
                pass(from, to, frames, start, frame);
                start = frame + 1;
            }
        }
        pass(from, to, frames, start, end);
    }

    private boolean isPause(Frames frames, int frame) {
        if (frames.length(frame) < HEADER) {
            return false;
        }
        try {
            heading.read(frames, frame);
        } catch (InternalError gone) {
            // the far end meets it, too, and it is counted there
            return false;
        }
        return heading.destination() == PauseFrame.DESTINATION;
    }

    private void pass(Jack from, Jack to, Frames frames, int begin, int end) {
        if (begin < end) {
            delivery.deliver(from, to, frames, begin, end);
        }
    }

    @Override
    public void forget(Jack jack) {
        // a cable remembers nothing
    }

    @Override
    public Map<String, String> stations() {
        return Map.of();
    }
}
