package io.manafold.api.fabric;

import io.manafold.api.agent.DutyCycle;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * What is plugged into a link: a port of an adapter. All its methods but {@link #name} are called on the link's agent,
 * one at a time; none blocks or throws.
 */
@ConsumerType
public interface Plug extends DutyCycle {
    /** The port's name: {@code one/1}. */
    String name();

    /**
     * Frames arrive. What the plug wants of them it copies before it returns.
     *
     * <p>A link with flow control also sends pause frames: ordinary frames to {@code 01:80:c2:00:00:01} that name
     * classes of frames the port is asked not to send for a time. They are meant for the port itself and have the mark
     * {@link Frames#PAUSE}. A link passes on none that it finds among what a port sends; but a sender that rewrites a
     * frame while it is under way can have its bytes differ from what was looked at, so one without the mark is not
     * obeyed, and is not passed on to where no mark goes.
     *
     * @param from the first frame that is meant, to {@code to} exclusive
     */
    void receive(Frames frames, int from, int to);

    /**
     * Whether frames may come whose sender has left something open. A plug that says so has what it reads
     * {@linkplain Frames#complete completed} itself.
     */
    default boolean takesOpenFrames() {
        return false;
    }
}
