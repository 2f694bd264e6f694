package io.manafold.commands.rdma.internal;

import io.manafold.api.rdma.QueuePair;
import io.manafold.api.rdma.ReceiveList;
import io.manafold.api.rdma.SendList;

/** Has as much go through as can: sends, receives what the other end sends, or both. */
final class Stream implements Side, Completing.Taker {
    private final End end;
    private final MeasurePlan plan;
    private final RemoteMemory[] remotes;
    private final Completing completing;
    private final SendList sends;
    private final ReceiveList receives;
    private final Times times;
    private final boolean sending;
    private final boolean receiving;
    private final long[] posted;
    private final long[] completed;
    /** Receives of a pair that were taken and are not posted again yet. */
    private final int[] taken;
    private final long[] addresses;
    private final long[] remoteAddresses;
    private final long goal;
    /** How many taken receives are posted again at a time: so many that the other end can always send its next list. */
    private final int together;
    private boolean finishing;
    private long allPosted;
    private long allCompleted;
    private long allReceived;

    /**
     * @param remotes of the other end, one for each pair
     * @param times told of what this end sends
     */
    Stream(End end, MeasurePlan plan, RemoteMemory[] remotes, boolean sending, boolean receiving, Times times) {
        this.end = end;
        this.plan = plan;
        this.remotes = remotes;
        this.sending = sending;
        this.receiving = receiving;
        this.times = times;
        completing = new Completing(end);
        sends = new SendList(plan.list());
        receives = new ReceiveList(Math.max(1, plan.receives()));
        int pairs = end.pairs();
        posted = new long[pairs];
        completed = new long[pairs];
        taken = new int[pairs];
        addresses = new long[pairs];
        remoteAddresses = new long[pairs];
        for (int i = 0; i < pairs; i++) {
            addresses[i] = end.address(plan.operation() == Operation.READ ? end.in(i) : end.out(i));
            remoteAddresses[i] = remotes[i].address() + (plan.operation() == Operation.READ ? end.out(i) : end.in(i));
        }
        together = Math.max(1, Math.min((plan.receives() + 1) / 2, plan.receives() + 1 - plan.list()));
        goal = plan.isTimed() ? Long.MAX_VALUE : (long) plan.iterations() * pairs;
    }

    /** Posts all receives, before the other end sends; a queue pair takes them from INIT on. */
    static void prepare(End end, MeasurePlan plan) {
        ReceiveList list = new ReceiveList(plan.receives());
        for (int i = 0; i < end.pairs() && plan.takesReceives(); i++) {
            fill(end, list, i, plan.receives());
            end.pair(i).post(list);
        }
    }

    private static void fill(End end, ReceiveList list, int pair, int count) {
        list.clear();
        for (int i = 0; i < count; i++) {
            list.receive(Completing.RECEIVE | pair).piece(end.address(end.in(pair)), end.key(), end.room());
        }
    }

    @Override
    public boolean look() {
        boolean any = completing.poll(this);
        for (int i = 0; receiving && i < taken.length; i++) {
            repost(i, finishing);
        }
        return any;
    }

    @Override
    public boolean turn() {
        // first what has become of the last ones: a failure is told by its reason
        boolean any = look();
        for (int i = 0; sending && !finishing && i < posted.length; i++) {
            any |= post(i);
        }
        return any;
    }

    private boolean post(int pair) {
        boolean any = false;
        QueuePair queue = end.pair(pair);
        while (posted[pair] - completed[pair] + plan.list() <= plan.sends()
                && (plan.isTimed() || posted[pair] < plan.iterations())
                && (!plan.takesReceives() || end.credits().allow(pair, plan.list()))) {
            sends.clear();
            for (int i = 0; i < plan.list(); i++) {
                add(pair, posted[pair] + i + 1);
            }
            times.posted(allPosted);
            queue.post(sends);
            posted[pair] += plan.list();
            end.credits().sent(pair, plan.list());
            allPosted += plan.list();
            any = true;
        }
        return any;
    }

    private void add(int pair, long number) {
        // the last one of all has a completion as well
        boolean signaled = number % plan.moderation() == 0 || !plan.isTimed() && number == plan.iterations();
        int flags = signaled ? SendList.SIGNALED : 0;
        switch (plan.operation()) {
            case SEND -> sends.send(pair, flags);
            case WRITE -> sends.write(pair, flags, remoteAddresses[pair], remotes[pair].key());
            case READ -> sends.read(pair, flags, remoteAddresses[pair], remotes[pair].key());
        }
        sends.piece(addresses[pair], end.key(), plan.size());
    }

    @Override
    public void sent(int pair) {
        long before = completed[pair];
        long now = before + plan.moderation();
        completed[pair] = plan.isTimed() ? now : Math.min(now, plan.iterations());
        allCompleted += completed[pair] - before;
        times.completed(allCompleted);
    }

    @Override
    public void received(int pair) {
        allReceived++;
        taken[pair]++;
    }

    private void repost(int pair, boolean all) {
        if (taken[pair] > 0 && (all || taken[pair] >= together)) {
            fill(end, receives, pair, taken[pair]);
            end.pair(pair).post(receives);
            end.credits().posted(pair, taken[pair]);
            taken[pair] = 0;
        }
        end.credits().tell(pair, remotes[pair]);
    }

    @Override
    public boolean isDone() {
        boolean sent = !sending || allCompleted >= goal
                || finishing && allPosted - allCompleted < plan.moderation() * (long) posted.length;
        return sent && (!receiving || finishing || allReceived >= goal);
    }

    @Override
    public void finish() {
        finishing = true;
        for (int i = 0; receiving && i < taken.length; i++) {
            repost(i, true);
        }
    }

    @Override
    public long completed() {
        return sending ? allCompleted : allReceived;
    }
}
