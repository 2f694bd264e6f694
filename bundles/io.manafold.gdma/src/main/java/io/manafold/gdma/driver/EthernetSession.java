package io.manafold.gdma.driver;

import io.manafold.api.device.PciFunction;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.DeviceId;
import io.manafold.gdma.Limits;
import io.manafold.gdma.message.QueryDeviceConfig;
import io.manafold.gdma.message.QueryVportConfig;
import io.manafold.gdma.message.Request;
import io.manafold.gdma.message.Response;
import io.manafold.memory.DmaArena;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** The Ethernet device of a function in use: its configuration and its vPorts. */
public final class EthernetSession implements AutoCloseable {
    private final ClientSession client;
    private final QueryDeviceConfig.Result config;
    private final List<QueryVportConfig.Result> vports;
    /** The function if that was brought up for this session alone, else {@code null}. */
    private final FunctionSession owned;

    /**
     * Takes the device into use, as the Linux driver does.
     *
     * @param memory where its queues are to lie
     * @throws Refusal {@code ENODEV} without such a device; what it refuses itself; nothing is left behind then
     */
    public EthernetSession(FunctionSession function, DmaArena memory) {
        this(function, memory, null);
    }

    private EthernetSession(FunctionSession function, DmaArena memory, FunctionSession owned) {
        this.owned = owned;
        DeviceId device = function.device(DeviceId.TYPE_ETHERNET).orElseThrow(() -> new Refusal(Errno.ENODEV,
                function.pci().id() + " lists no Ethernet device."));
        QueryDeviceConfig question = new QueryDeviceConfig(0, 0, 0, 0, 0, 1, 1);
        // Linux asks before it registers, too
        function.channel().call(device, question);
        client = function.register(device, memory);
        try {
            config = call(question);
            check(config.vports() >= 1 && config.vports() <= Limits.PORTS, "has so many ports: ", config.vports());
            List<QueryVportConfig> questions = new ArrayList<>();
            for (int i = 0; i < config.vports(); i++) {
                questions.add(new QueryVportConfig(i));
            }
            List<QueryVportConfig.Result> found = client.callAll(questions);
            for (int i = 0; i < config.vports(); i++) {
                QueryVportConfig.Result vport = found.get(i);
                check(vport.indirection() >= 1 && vport.indirection() <= Limits.INDIRECTION_FORMAT,
                        "has a receive table of so many entries: ", vport.indirection());
                check(vport.sendQueues() >= 1 && vport.receiveQueues() >= 1, "has a port without queues: ", i);
            }
            vports = List.copyOf(found);
        } catch (RuntimeException refused) {
            client.close();
            throw refused;
        }
    }

    private EthernetSession(EthernetSession of, Supplier<DmaArena> memory) {
        owned = null;
        client = of.client.share(memory);
        config = of.config;
        vports = of.vports;
    }

    /**
     * Another user of the device, with {@link ClientSession#share}.
     *
     * @param memory where its rings are to lie; asked for when there is one
     */
    public EthernetSession share(Supplier<DmaArena> memory) {
        return new EthernetSession(this, memory);
    }

    /** Brings a function up with its Ethernet device; closing gives both back. The channel has a thread. */
    public static EthernetSession open(PciFunction function, DmaArena memory, ChannelLimits limits,
            EventHandler listener) {
        return open(function, memory, limits, listener, ChannelThread::new);
    }

    /** The same, with whatever is to read the channel's answers. */
    public static EthernetSession open(PciFunction function, DmaArena memory, ChannelLimits limits,
            EventHandler listener, ChannelWorker.Factory workers) {
        FunctionSession session = new FunctionSession(function, memory, limits, listener, workers);
        try {
            return new EthernetSession(session, memory, session);
        } catch (RuntimeException refused) {
            session.close();
            throw refused;
        }
    }

    private void check(boolean possible, String what, int number) {
        if (!possible) {
            throw new Refusal(Errno.EPROTO, client.function().pci().id() + " says that it " + what
                    + Integer.toUnsignedString(number) + ", which cannot be; look after the device.");
        }
    }

    /** Asks the Ethernet device. */
    public <R extends Response> R call(Request<R> request) {
        return client.call(request);
    }

    /**
     * Asks the Ethernet device and waits for so long at most, if commands may not take less.
     *
     * @throws Refusal {@code ETIMEDOUT} without an answer until then
     */
    public <R extends Response> R call(Request<R> request, Duration most) {
        return client.call(request, most);
    }

    public FunctionSession function() {
        return client.function();
    }

    public ClientSession client() {
        return client;
    }

    public QueryDeviceConfig.Result config() {
        return config;
    }

    public List<QueryVportConfig.Result> vports() {
        return vports;
    }

    @Override
    public void close() {
        client.close();
        if (owned != null) {
            owned.close();
        }
    }
}
