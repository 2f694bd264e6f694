package io.manafold.fabric.internal;

import io.manafold.api.fabric.Frames;
import java.util.Map;

/** Two ends: what enters at one leaves at the other. */
final class Cable implements Forwarding {
    private final Jack one;
    private final Jack other;
    private final Delivery delivery;

    Cable(Jack one, Jack other, Delivery delivery) {
        this.one = one;
        this.other = other;
        this.delivery = delivery;
    }

    @Override
    public void forward(Jack from, Frames frames, int begin, int end) {
        delivery.deliver(from == one ? other : one, frames, begin, end);
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
