package io.manafold.sockets.internal.nio;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.sockets.EndpointPlan;
import io.manafold.api.sockets.Knob;
import io.manafold.api.sockets.KnobOffer;
import io.manafold.api.sockets.KnobState;
import io.manafold.api.sockets.QueuesPlan;
import io.manafold.sockets.internal.steering.QueueSteering;
import io.manafold.streams.Context;
import io.manafold.streams.StreamEndpoint;
import io.manafold.streams.StreamListener;
import io.manafold.streams.StreamQueues;
import io.manafold.streams.Transport;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.Channel;
import java.nio.channels.NetworkChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.List;

/** Streams over the channels of Java: everywhere, with no foreign call, and everything copied. */
public final class NioTransport extends Transport {
    private final QueueSteering steering;

    /** On a platform without ports. */
    public NioTransport() {
        this(QueueSteering.NONE);
    }

    public NioTransport(QueueSteering steering) {
        super("nio");
        this.steering = steering;
    }

    @Override
    public StreamQueues makeQueues(Context context, QueuesPlan plan, List<KnobState> knobs) {
        return new NioQueues(steering, context, plan, knobs);
    }

    @Override
    public StreamEndpoint connect(StreamQueues queues, InetSocketAddress remote, EndpointPlan plan,
            List<KnobState> knobs, long tag) {
        SocketChannel channel = null;
        try {
            channel = SocketChannel.open();
            channel.configureBlocking(false);
            List<KnobState> sized = QueueSteering.isLocal(remote) ? SendBuffer.local(knobs) : knobs;
            prepare(channel, sized);
            SocketChannel made = channel;
            List<KnobState> steered = steering.depart(plan.knobs(), sized, remote, local -> isBound(made, local));
            NioEndpoint endpoint = new NioEndpoint((NioQueues) queues, channel, plan, steered);
            endpoint.connect(remote, plan, tag);
            return endpoint;
        } catch (Refusal refused) {
            close(channel);
            throw refused;
        } catch (IOException failed) {
            close(channel);
            throw new Refusal(NioErrors.errno(failed), "There is no socket to connect to " + remote + ": "
                    + NioErrors.words(failed) + ".", failed);
        } catch (UnsupportedAddressTypeException unsupported) {
            close(channel);
            throw new Refusal(Errno.EAFNOSUPPORT, "This machine has no addresses of the kind of " + remote + ".",
                    unsupported);
        }
    }

    private static boolean isBound(SocketChannel channel, InetSocketAddress local) throws IOException {
        try {
            channel.bind(local);
            return true;
        } catch (BindException taken) {
            if (NioErrors.errno(taken) == Errno.EADDRINUSE) {
                return false;
            }
            throw taken;
        }
    }

    @Override
    public StreamListener listen(StreamQueues queues, InetSocketAddress local, EndpointPlan plan, List<KnobState> asked,
            long tag) {
        List<KnobState> knobs = steering.arrive(plan.knobs(), asked);
        ServerSocketChannel channel = null;
        try {
            channel = ServerSocketChannel.open();
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            int bytes = SendBuffer.both(knobs);
            if (bytes > 0) {
                channel.setOption(StandardSocketOptions.SO_RCVBUF, bytes);
            }
            channel.bind(local, plan.backlog());
            return new NioListener((NioQueues) queues, channel, plan, knobs, tag);
        } catch (IOException failed) {
            close(channel);
            throw new Refusal(NioErrors.errno(failed), "Nothing listens at " + local + ": " + NioErrors.words(failed)
                    + ".", failed);
        } catch (UnsupportedAddressTypeException unsupported) {
            close(channel);
            throw new Refusal(Errno.EAFNOSUPPORT, "This machine has no addresses of the kind of " + local + ".",
                    unsupported);
        }
    }

    static void prepare(NetworkChannel channel, List<KnobState> knobs) throws IOException {
        int sending = SendBuffer.bytes(knobs);
        if (sending > 0) {
            channel.setOption(StandardSocketOptions.SO_SNDBUF, sending);
        }
        int both = SendBuffer.both(knobs);
        if (both > 0) {
            channel.setOption(StandardSocketOptions.SO_RCVBUF, both);
        }
        Keepalive.set(channel, Integer.parseInt(NioEndpoint.got(knobs, Knob.KEEPALIVE)));
    }

    static void close(Channel channel) {
        if (channel != null) {
            try {
                channel.close();
            } catch (IOException _) {
                // its descriptor is given back all the same
            }
        }
    }

    @Override
    public String usual(Knob knob) {
        return switch (knob) {
            case GATHER, NODELAY -> "on";
            case RECEIVE -> "pool";
            case ACCEPT -> "multishot";
            default -> knob.classic();
        };
    }

    @Override
    public KnobOffer offer(Knob knob, String value) {
        return switch (knob) {
            case MEMORY -> value.equals("plain") ? yes(knob, value, "the kernel learns of memory with each transfer")
                    : no(knob, value, "Java's channels register no memory with the kernel");
            case QUEUES -> value.equals("calls") ? yes(knob, value, "each operation is a system call")
                    : no(knob, value, "Java's channels have no rings");
            case GATHER -> yes(knob, value, value.equals("on") ? "what is posted together is one gathering write"
                    : "each send is a write of its own");
            case WAIT -> value.equals("kernel") ? no(knob, value, "Java's selector has no thread of the kernel")
                    : yes(knob, value, value.equals("spin") ? "the selector is asked again and again"
                    : "asleep in a selector");
            case SEND -> value.equals("copy") ? yes(knob, value, "Java's channels have the kernel copy")
                    : no(knob, value, "Java's channels always have the kernel copy");
            case RECEIVE -> switch (value) {
                case "posted" -> yes(knob, value, "a read for each buffer");
                case "pool" -> yes(knob, value, "one read fills several buffers");
                default -> no(knob, value, "Java's channels leave no placing to the card");
            };
            case ACCEPT -> yes(knob, value, value.equals("single") ? "one connection each time"
                    : "as many as have come");
            case BUSYPOLL -> value.equals("0") ? yes(knob, value, "the kernel does not poll the card")
                    : no(knob, value, "Java's channels have no busy polling");
            case QUEUE -> steering.offer(value);
            case CONGESTION -> value.equals("default") ? yes(knob, value, "the kernel's own choice")
                    : no(knob, value, "Java's channels do not set it");
            case NODELAY -> yes(knob, value, value.equals("on") ? "small sends leave at once"
                    : "small sends wait for acknowledgements");
            case KEEPALIVE -> value.equals("0") ? yes(knob, value, "a peer that vanishes is noticed by sending")
                    : Keepalive.isThere() ? yes(knob, value, "the kernel asks after so many seconds without a word")
                    : no(knob, value, "Java's channels cannot set its time here");
            case BUFFERS -> yes(knob, value, value.equals("0") ? "as the kernel sizes them"
                    : "the kernel keeps its own limits");
        };
    }
}
