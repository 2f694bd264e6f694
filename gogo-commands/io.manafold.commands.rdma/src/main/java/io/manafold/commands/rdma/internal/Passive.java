package io.manafold.commands.rdma.internal;

/** An end that does nothing by itself: the other one writes into its memory, or reads it. */
final class Passive implements Side, Completing.Taker {
    private final Completing completing;

    Passive(End end) {
        completing = new Completing(end);
    }

    @Override
    public boolean look() {
        return completing.poll(this);
    }

    @Override
    public boolean turn() {
        return look();
    }

    @Override
    public void sent(int pair) {
        // nothing was posted but for meetings
    }

    @Override
    public void received(int pair) {
        // no receives are posted
    }

    @Override
    public boolean isDone() {
        return true;
    }

    @Override
    public void finish() {
        // it never began
    }

    @Override
    public long completed() {
        return 0;
    }
}
