package io.manafold.pmd.internal.process;

import io.manafold.api.ethdev.EthDev;
import io.manafold.api.ethdev.EthDevPlan;
import io.manafold.api.ethdev.RssHash;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;

/** A port of a primary in the hands of a secondary: it is looked at, and queues that the primary offers are polled. */
public abstract class SecondaryPort implements EthDev {
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
