package io.manafold.netdev;

import io.manafold.api.agent.DutyCycle;
import io.manafold.api.net.PacketBuffer;
import io.manafold.api.net.PacketFilter;
import io.manafold.api.net.PacketPort;
import io.manafold.api.net.PacketUser;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.packet.Headers;
import java.util.ArrayList;
import java.util.List;

/** Who stands above a device: one for all packets, and a few for an EtherType or what a filter picks. */
public final class PacketUsers {
    /** As many packets are handed over at once, at most. */
    public static final int MOST_PACKETS = 128;
    private static final int MOST_CLAIMS = 4;
    private static final int LEAST_ETHERTYPE = 0x600;
    /** The claim of the user who gets what no other user claims. */
    public static final int ALL = -1;
    /** The claim of a user who has a filter. */
    static final int FILTERED = -2;

    private final DeviceThread device;
    private final CommandQueue commands;
    private final PacketSender sender;
    private final PacketWatchers watchers;
    /** The one for all packets, if there is one, is the last. Replaced as a whole, on the device's thread. */
    private UserPort[] users = {};

    public PacketUsers(DeviceThread device, CommandQueue commands, PacketSender sender, PacketWatchers watchers) {
        this.device = device;
        this.commands = commands;
        this.sender = sender;
        this.watchers = watchers;
    }

    /** Adds a user; any thread. */
    public PacketPort attach(PacketUser user, int claim, String name) {
        if (claim != ALL && (claim < LEAST_ETHERTYPE || claim > 0xffff)) {
            throw new Refusal(Errno.EINVAL, "0x" + Integer.toHexString(claim)
                    + " is no EtherType; those are 0x0600 to 0xffff.");
        }
        return attach(new UserPort(device, this, sender, user, claim, null), name);
    }

    /** Adds a user for what a filter picks; any thread. */
    public PacketPort attach(PacketUser user, PacketFilter filter, String name) {
        return attach(new UserPort(device, this, sender, user, FILTERED, filter), name);
    }

    private PacketPort attach(UserPort port, String name) {
        commands.run(new Adding(this, port, name));
        device.wake();
        return port;
    }

    private record Adding(PacketUsers users, UserPort port, String device) implements Runnable {
        @Override
        public void run() {
            users.add(port, device);
        }
    }

    private void add(UserPort port, String name) {
        int claims = 0;
        for (UserPort one : users) {
            if (one.claim == port.claim && (port.claim != FILTERED || one.name.equals(port.name))) {
                throw new Refusal(Errno.EBUSY, name + " has a user " + switch (port.claim) {
                    case ALL -> "already";
                    case FILTERED -> "with a filter";
                    default -> "for EtherType 0x" + Integer.toHexString(port.claim);
                } + ": " + one.name + ". End that first.");
            }
            claims += one.claim == ALL ? 0 : 1;
        }
        if (port.claim != ALL && claims == MOST_CLAIMS) {
            throw new Refusal(Errno.ENOSPC, name + " has " + MOST_CLAIMS + " users for some packets; end one of them.");
        }
        UserPort[] more = new UserPort[users.length + 1];
        // those with a claim are asked first
        int at = port.claim == ALL ? users.length : 0;
        System.arraycopy(users, 0, more, 0, at);
        more[at] = port;
        System.arraycopy(users, at, more, at + 1, users.length - at);
        users = more;
    }

    // ---- on the device's thread

    void remove(UserPort port) {
        List<UserPort> fewer = new ArrayList<>(List.of(users));
        fewer.remove(port);
        users = fewer.toArray(new UserPort[0]);
    }

    /** Hands packets to those they are for; the rest go home. */
    public void deliver(PacketBuffer[] packets, int count) {
        UserPort[] now = users;
        boolean watched = !watchers.isEmpty();
        if (now.length == 1 && now[0].claim == ALL && !watched) {
            now[0].deliver(packets, count);
            return;
        }
        int next = 0;
        try {
            while (next < count) {
                PacketBuffer packet = packets[next];
                if (watched) {
                    watchers.show(packet, true);
                }
                UserPort whose = whose(now, packet);
                next++;
                if (whose == null) {
                    packet.release();
                } else {
                    whose.gather(packet);
                }
            }
        } finally {
            deliver(now, packets, next, count);
        }
    }

    /** Hands over what each user has been given; packets from a place on were given to none and go home. */
    private static void deliver(UserPort[] users, PacketBuffer[] packets, int from, int count) {
        for (UserPort one : users) {
            one.deliver();
        }
        if (from < count) {
            PacketBuffer.release(packets, from, count - from);
        }
    }

    private static UserPort whose(UserPort[] users, PacketBuffer packet) {
        int type = packet.length() >= Headers.ETHERNET ? packet.get16(12) : 0;
        for (UserPort one : users) {
            if (one.wants(packet, type)) {
                return one;
            }
        }
        return null;
    }

    /** Has each user do what there is to do; how much that was. */
    public int work() {
        int work = 0;
        for (UserPort one : users) {
            work += one.work();
        }
        return work;
    }

    /** How long all of them can rest. */
    public long restNanos() {
        long least = DutyCycle.UNTIL_WOKEN;
        for (UserPort one : users) {
            least = Math.min(least, one.restNanos());
        }
        return least;
    }

    /** No user is called any more. */
    public void end() {
        for (UserPort one : users) {
            one.end();
        }
        users = new UserPort[0];
    }
}
