package io.manafold.fabric.internal;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.linux.Descriptor;
import io.manafold.linux.InterfaceControl;
import io.manafold.linux.PacketSocket;
import io.manafold.linux.SystemCallException;
import io.manafold.linux.Tap;
import io.manafold.packet.FrameRing;

/** An interface of the host that frames go to and come from. Reading and writing are two threads' work. */
interface HostDevice extends AutoCloseable {
    /** Takes a frame: its length, or a negative error number. The reading thread. */
    int read(long address, int room);

    /** Gives a frame to the host: its length, or a negative error number. The link's agent. */
    int write(long address, int length);

    /** What to wait for. */
    Descriptor descriptor();

    @Override
    void close();

    /**
     * Opens what a plan asks for.
     *
     * @throws Refusal what the kernel says, and what to do
     */
    static HostDevice open(LinkPlan plan) {
        String name = plan.hostInterface();
        try {
            return plan.kind() == LinkPlan.Kind.TAP ? new TapDevice(name) : new PacketDevice(name);
        } catch (SystemCallException failed) {
            throw refusal(plan, failed);
        }
    }

    /** The kernel's answer as a sentence. */
    static Refusal refusal(LinkPlan plan, SystemCallException failed) {
        boolean tap = plan.kind() == LinkPlan.Kind.TAP;
        String name = plan.hostInterface();
        Errno errno = Errno.EIO;
        for (Errno candidate : Errno.values()) {
            if (candidate.number() == failed.errno()) {
                errno = candidate;
            }
        }
        String advice = switch (errno) {
            case EPERM, EACCES -> tap
                    ? "an administrator can make it for you: ip tuntap add dev " + name + " mode tap user $USER"
                    : "reading all that an interface carries needs the capability CAP_NET_RAW";
            case EBUSY -> "another program uses it: end that, or choose another name";
            case ENODEV, ENXIO, ENOENT -> tap ? "the kernel's module tun is needed: modprobe tun"
                    : "ip link lists the interfaces that there are";
            case EINVAL -> tap ? "an interface of that name is there and is no tap; choose another name"
                    : "choose an interface that carries Ethernet frames";
            default -> "ip link show dev " + name + " tells more";
        };
        return new Refusal(errno, "Link " + plan.name() + " does not get to the host's interface " + name + ": "
                + failed.getMessage() + "; " + advice + ".", failed);
    }

    /** The host's own network stack behind a tap device. */
    final class TapDevice implements HostDevice {
        private final Tap tap;

        TapDevice(String name) throws SystemCallException {
            tap = Tap.open(name);
            try {
                InterfaceControl.up(name, true);
            } catch (SystemCallException notAllowed) {
                // an administrator does it then; the link's status says so while it is down
                if (notAllowed.errno() != Errno.EPERM.number()) {
                    tap.close();
                    throw notAllowed;
                }
            }
        }

        @Override
        public int read(long address, int room) {
            return tap.read(address, room);
        }

        @Override
        public int write(long address, int length) {
            return tap.write(address, length);
        }

        @Override
        public Descriptor descriptor() {
            return tap.descriptor();
        }

        @Override
        public void close() {
            tap.close();
        }
    }

    /** An interface of the host, and whatever is on its wire. */
    final class PacketDevice implements HostDevice {
        private final PacketSocket socket;
        private final ChecksumCompletion completion = new ChecksumCompletion(FrameRing.LONGEST);

        PacketDevice(String name) throws SystemCallException {
            socket = PacketSocket.open(name);
        }

        @Override
        public int read(long address, int room) {
            int length = socket.receive(address, room);
            if (length > 0 && socket.checksumMissing()) {
                completion.complete(address, length);
            }
            return length;
        }

        @Override
        public int write(long address, int length) {
            return socket.send(address, length);
        }

        @Override
        public Descriptor descriptor() {
            return socket.descriptor();
        }

        @Override
        public void close() {
            socket.close();
        }
    }
}
