package io.manafold.agent;

/** A way to hand commands to an agent that can be shut by itself. What it holds belongs to the agent's lock. */
public final class Lane {
    boolean shut;
}
