package io.manafold.fabric.internal;

import io.manafold.api.fabric.Frames;
import java.util.Map;

/** Decides who gets a frame. Used by the agent alone, except for what is read for a status. */
interface Forwarding {
    /** Passes on the frames from {@code begin} to {@code end} exclusive that came in at a jack. */
    void forward(Jack from, Frames frames, int begin, int end);

    /** Nothing is plugged into a jack any more. */
    void forget(Jack jack);

    /** See {@link io.manafold.api.fabric.LinkStatus#stations}; any thread. */
    Map<String, String> stations();

    /** Where frames go that are passed on. */
    interface Delivery {
        /** Gives frames that came in at a jack to what is plugged into another. */
        void deliver(Jack from, Jack to, Frames frames, int begin, int end);
    }
}
