package io.manafold.traffic.internal;

import io.manafold.api.net.NetDevice;
import io.manafold.api.net.PacketBuffer;
import io.manafold.api.net.PacketPort;
import io.manafold.api.net.PacketUser;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What stands at a device for all runs that begin or end there; it stays while the device is away. Everything but
 * {@link PacketUser}'s part belongs to the control thread.
 */
final class Station implements PacketUser {
    private final String device;
    private volatile Run[] senders = {};
    private volatile Run[] receivers = {};
    private volatile NetDevice present;
    private volatile PacketPort port;

    Station(String device) {
        this.device = device;
    }

    String device() {
        return device;
    }

    boolean isPresent() {
        return port != null;
    }

    boolean isPresent(NetDevice which) {
        return port != null && present == which;
    }

    boolean isNeeded() {
        return senders.length + receivers.length > 0;
    }

    /** All runs that begin or end here. */
    List<Run> runs() {
        List<Run> all = new ArrayList<>(List.of(senders));
        all.addAll(List.of(receivers));
        return all;
    }

    void add(Run run, boolean sends) {
        if (sends) {
            senders = with(senders, run);
        } else {
            receivers = with(receivers, run);
        }
        PacketPort now = port;
        if (now != null) {
            now.wake();
        }
    }

    private static Run[] with(Run[] runs, Run run) {
        Run[] more = Arrays.copyOf(runs, runs.length + 1);
        more[runs.length] = run;
        return more;
    }

    void remove(Run run) {
        senders = Arrays.stream(senders).filter(one -> one != run).toArray(Run[]::new);
        receivers = Arrays.stream(receivers).filter(one -> one != run).toArray(Run[]::new);
    }

    void attach(NetDevice to) {
        for (Run run : senders) {
            run.sending().begin();
        }
        present = to;
        port = to.attach(this, new TestPackets());
        port.wake();
    }

    /** When this returns nothing of it runs on the device's thread. */
    void detach() {
        PacketPort now = port;
        port = null;
        present = null;
        if (now != null) {
            now.close();
        }
    }

    /** Has something done after what the device's thread is at now. */
    void afterwards(Runnable command) {
        PacketPort now = port;
        if (now == null || !now.execute(command)) {
            command.run();
        }
    }

    // ---- on the device's thread

    @Override
    public String name() {
        return "traffic";
    }

    @Override
    public void receive(PacketBuffer[] packets, int count) {
        Run[] runs = receivers;
        for (int i = 0; i < count; i++) {
            int at = TestPackets.find(packets[i]);
            int number = at == 0 ? 0 : TestFrame.run(packets[i], at);
            for (Run run : runs) {
                if (run.number() == number) {
                    run.arrivals().packet(packets[i], at);
                }
            }
        }
        PacketBuffer.release(packets, 0, count);
        long now = System.nanoTime();
        for (Run run : runs) {
            run.arrivals().publish(now);
        }
    }

    @Override
    public int doWork() {
        PacketPort now = port;
        NetDevice to = present;
        int work = 0;
        if (now != null && to != null) {
            for (Run run : senders) {
                work += run.sending().work(to, now);
            }
        }
        return work;
    }

    @Override
    public long restNanos() {
        long least = UNTIL_WOKEN;
        if (port != null) {
            for (Run run : senders) {
                least = Math.min(least, run.sending().restNanos());
            }
        }
        return least;
    }
}
