package io.manafold.rdma.internal.connection;

import io.manafold.api.refusal.Errno;
import io.manafold.roce.cm.CmReply;

/** Tells the user of an exchange what becomes of it, once there is one; of its end the first time only. */
final class ExchangeNotifier implements ExchangeListener {
    private ExchangeListener user;
    private boolean told;

    void to(ExchangeListener whom) {
        user = whom;
    }

    /** What follows is not the user's any more. */
    void cease() {
        told = true;
    }

    private boolean isFirst() {
        if (told || user == null) {
            return false;
        }
        told = true;
        return true;
    }

    @Override
    public void replied(CmReply reply) {
        user.replied(reply);
    }

    @Override
    public void established(byte[] privateData) {
        user.established(privateData);
    }

    @Override
    public void rejected(int reason, byte[] privateData) {
        if (isFirst()) {
            user.rejected(reason, privateData);
        }
    }

    @Override
    public void unreachable(Errno errno, String sentence) {
        if (isFirst()) {
            user.unreachable(errno, sentence);
        }
    }

    @Override
    public void disconnected(Errno errno, String sentence) {
        if (isFirst()) {
            user.disconnected(errno, sentence);
        }
    }
}
