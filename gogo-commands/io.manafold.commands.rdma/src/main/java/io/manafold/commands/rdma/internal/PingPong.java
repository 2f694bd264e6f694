package io.manafold.commands.rdma.internal;

import io.manafold.api.rdma.ReceiveList;
import io.manafold.api.rdma.SendList;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/** One end of messages that go there and back one by one; with reads only the first end does something. */
final class PingPong implements Side, Completing.Taker {
    private static final VarHandle BYTE = ValueLayout.JAVA_BYTE.varHandle();

    private final End end;
    private final MeasurePlan plan;
    private final RemoteMemory remote;
    private final boolean first;
    private final Times times;
    private final Completing completing;
    private final SendList send = new SendList(1);
    private final ReceiveList receive = new ReceiveList(1);
    private final long goal;
    private boolean finishing;
    private long sent;
    private long completed;
    private long arrived;

    PingPong(End end, MeasurePlan plan, RemoteMemory remote, boolean first, Times times) {
        this.end = end;
        this.plan = plan;
        this.remote = remote;
        this.first = first;
        this.times = times;
        completing = new Completing(end);
        goal = plan.isTimed() ? Long.MAX_VALUE : plan.iterations();
        // the last byte of a written message says which it is
        end.put(end.in(0) + plan.size() - 1, (byte) 0);
    }

    @Override
    public boolean look() {
        boolean any = completing.poll(this);
        if (plan.operation() == Operation.WRITE && arrived < goal && lastByte() == (byte) (arrived + 1)) {
            arrived++;
            any = true;
        }
        return any;
    }

    @Override
    public boolean turn() {
        boolean any = look();
        if (mayPost()) {
            post();
            any = true;
        }
        return any;
    }

    private byte lastByte() {
        return (byte) BYTE.getAcquire(end.memory(), end.in(0) + plan.size() - 1);
    }

    private boolean mayPost() {
        if (finishing || sent >= goal || completed < sent) {
            return false;
        }
        return plan.operation() == Operation.READ ? first : first ? arrived == sent : arrived > sent;
    }

    private void post() {
        send.clear();
        long out = end.out(0);
        switch (plan.operation()) {
            case SEND -> send.send(0, SendList.SIGNALED).piece(end.address(out), end.key(), plan.size());
            case WRITE -> {
                end.put(out + plan.size() - 1, (byte) (sent + 1));
                send.write(0, SendList.SIGNALED, remote.address() + end.in(0), remote.key())
                        .piece(end.address(out), end.key(), plan.size());
            }
            case READ -> send.read(0, SendList.SIGNALED, remote.address() + out, remote.key())
                    .piece(end.address(end.in(0)), end.key(), plan.size());
        }
        times.posted(sent);
        end.pair(0).post(send);
        sent++;
    }

    @Override
    public void sent(int pair) {
        completed++;
        times.completed(completed);
    }

    @Override
    public void received(int pair) {
        arrived++;
        receive.clear().receive(Completing.RECEIVE).piece(end.address(end.in(0)), end.key(), end.room());
        end.pair(0).post(receive);
    }

    @Override
    public boolean isDone() {
        if (plan.operation() == Operation.READ) {
            return !first || completed >= goal || finishing && completed == sent;
        }
        return completed >= goal && arrived >= goal || finishing && completed == sent;
    }

    @Override
    public void finish() {
        finishing = true;
    }

    @Override
    public long completed() {
        return completed;
    }
}
