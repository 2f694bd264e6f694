package io.manafold.pmd.internal.process;

import io.manafold.api.ethdev.EthDev;
import io.manafold.api.ethdev.EthDevPlan;
import io.manafold.api.ethdev.ReceiveQueue;
import io.manafold.api.ethdev.RssHash;
import io.manafold.api.ethdev.SendQueue;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.pmd.internal.queue.CheckedReceiveQueue;
import io.manafold.pmd.internal.queue.CheckedSendQueue;

/** A port of a primary in the hands of a secondary: it is looked at, and queues that the primary offers are polled. */
public abstract class SecondaryPort implements EthDev {
    private volatile boolean checks;

    /** From now on its queues say which packets are theirs, and take those of the application alone. */
    public final void check() {
        checks = true;
    }

    @Override
    public final ReceiveQueue receiveQueue(int queue) {
        ReceiveQueue polled = receives(queue);
        // one of a primary that checks does so already
        return checks && !(polled instanceof CheckedReceiveQueue)
                ? new CheckedReceiveQueue(polled, queue("receive", queue)) : polled;
    }

    @Override
    public final SendQueue sendQueue(int queue) {
        SendQueue polled = sends(queue);
        return checks && !(polled instanceof CheckedSendQueue) ? new CheckedSendQueue(polled, queue("send", queue))
                : polled;
    }

    abstract ReceiveQueue receives(int queue);

    abstract SendQueue sends(int queue);

    private String queue(String side, int queue) {
        return side + " queue " + queue + " of port " + number() + " (" + name() + ")";
    }

    private Refusal primarys(String what) {
        return new Refusal(Errno.EOPNOTSUPP, "Port " + number() + " (" + name()
                + ") is its primary's, which alone " + what + "; a secondary polls queues that it offers.");
    }

    @Override
    public final void configure(EthDevPlan plan) {
        throw primarys("configures it");
    }

    @Override
    public final void setUpSend(int queue, int descriptors) {
        throw primarys("sets queues up");
    }

    @Override
    public final void setUpReceive(int queue, int descriptors, int pool) {
        throw primarys("sets queues up");
    }

    @Override
    public final void start() {
        throw primarys("starts it");
    }

    @Override
    public final void stop() {
        throw primarys("stops it");
    }

    @Override
    public final void offerQueues(int first) {
        throw primarys("offers queues");
    }

    @Override
    public final void mtu(int bytes) {
        throw primarys("changes its MTU");
    }

    @Override
    public final int[] redirection() {
        throw primarys("knows how packets are spread");
    }

    @Override
    public final void redirection(int[] table) {
        throw primarys("spreads packets");
    }

    @Override
    public final RssHash rss() {
        throw primarys("knows how packets are spread");
    }

    @Override
    public final void rss(RssHash hash) {
        throw primarys("spreads packets");
    }

    @Override
    public final void promiscuous(boolean on) {
        throw primarys("says what it receives");
    }

    @Override
    public final boolean isPromiscuous() {
        return false;
    }
}
