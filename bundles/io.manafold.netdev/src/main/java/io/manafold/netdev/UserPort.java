package io.manafold.netdev;

import io.manafold.api.agent.DutyCycle;
import io.manafold.api.net.PacketBuffer;
import io.manafold.api.net.PacketFilter;
import io.manafold.api.net.PacketPort;
import io.manafold.api.net.PacketUser;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A user above a device, and what the user sees of the device. */
final class UserPort implements PacketPort {
    private static final Logger LOG = LoggerFactory.getLogger(UserPort.class);
    private static final int COMPLAINTS = 5;

    final int claim;
    final String name;
    private final DeviceThread device;
    private final PacketUsers users;
    private final PacketSender sender;
    private final PacketUser user;
    /** {@code null} unless the claim is {@link PacketUsers#FILTERED}. */
    private final PacketFilter filter;
    private final CommandLane lane;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final PacketBuffer[] burst = new PacketBuffer[PacketUsers.MOST_PACKETS];
    private int gathered;
    private int complaints;
    /** From here on no call of the user begins; one that is under way may go on. */
    private volatile boolean closed;

    UserPort(DeviceThread device, PacketUsers users, PacketSender sender, PacketUser user, int claim,
            PacketFilter filter) {
        this.device = device;
        lane = device.lane();
        this.users = users;
        this.sender = sender;
        this.user = user;
        this.claim = claim;
        this.filter = filter;
        name = user.name();
    }

    @Override
    public int take(PacketBuffer[] into, int from, int count) {
        return closed ? 0 : sender.take(into, from, count, name);
    }

    @Override
    public int send(PacketBuffer[] packets, int from, int count) {
        return closed ? 0 : sender.send(packets, from, count);
    }

    @Override
    public boolean execute(Runnable command) {
        return !closed && lane.execute(command);
    }

    @Override
    public void wake() {
        device.wake();
    }

    @Override
    public void close() {
        closed = true;
        if (device.isCurrent()) {
            leave();
            return;
        }
        lane.shut(new Leaving(this));
        boolean interrupted = false;
        long deadline = System.nanoTime() + CommandQueue.PATIENCE.toNanos();
        while (device.isAlive()) {
            try {
                if (ended.await(100, TimeUnit.MILLISECONDS)) {
                    break;
                }
            } catch (InterruptedException later) {
                interrupted = true;
            }
            if (System.nanoTime() - deadline > 0) {
                LOG.warn("{}: a user above its device has held that one's thread for {} s and is not waited for any "
                        + "longer", name, CommandQueue.PATIENCE.toSeconds());
                break;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    // ---- on the device's thread

    private record Leaving(UserPort port) implements Runnable {
        @Override
        public void run() {
            port.leave();
        }
    }

    private void leave() {
        users.remove(this);
        end();
    }

    void end() {
        closed = true;
        ended.countDown();
    }

    /** @param type its EtherType */
    boolean wants(PacketBuffer packet, int type) {
        if (closed) {
            return false;
        }
        if (filter == null) {
            return claim == PacketUsers.ALL || claim == type;
        }
        try {
            return filter.picks(packet);
        } catch (Throwable mistake) {
            // an Error too, as of a class that went with its bundle: the packets of a burst are other users' as well
            complain(mistake);
            return false;
        }
    }

    /** Puts a packet to those that go over with the next {@link #deliver()}. */
    void gather(PacketBuffer packet) {
        burst[gathered++] = packet;
    }

    void deliver() {
        int count = gathered;
        gathered = 0;
        if (count > 0) {
            deliver(burst, count);
        }
    }

    /** Hands packets over; what becomes of them is the user's affair even if it fails. */
    void deliver(PacketBuffer[] packets, int count) {
        try {
            if (closed) {
                PacketBuffer.release(packets, 0, count);
                return;
            }
            for (int i = 0; i < count; i++) {
                packets[i].holder(name);
            }
            user.receive(packets, count);
        } catch (Throwable mistake) {
            complain(mistake);
        }
    }

    int work() {
        if (closed) {
            return 0;
        }
        try {
            return user.doWork();
        } catch (Throwable mistake) {
            complain(mistake);
            return 0;
        }
    }

    long restNanos() {
        if (closed) {
            return DutyCycle.UNTIL_WOKEN;
        }
        try {
            return user.restNanos();
        } catch (Throwable mistake) {
            complain(mistake);
            return DutyCycle.UNTIL_WOKEN;
        }
    }

    private void complain(Throwable mistake) {
        if (complaints++ < COMPLAINTS) {
            Complaint.log(LOG, name, mistake);
        }
    }
}
